public import UnderstudyClient
public import UnderstudyMock

extension Cell {
  /// The documented cells of a contract, for `@Test(arguments:)`.
  ///
  /// Where there are none, the test gets one cell that `reply(with:)` refuses with the reason: a test without arguments
  /// would pass.
  ///
  /// - Parameters:
  ///   - spec: The file of a contract, found like that of `.understudy`.
  ///   - operation: The id of an operation; all of them without it.
  ///   - filePath: The file of the test.
  public static func all(of spec: String, operation: String? = nil, filePath: String = #filePath) -> [Cell] {
    all("`\(spec)`", operation) { try MockSource(spec: spec, filePath: filePath).contract() }
  }

  /// The documented cells of a contract in memory or in a bundle.
  ///
  /// - Parameters:
  ///   - contract: Read once; an error is the reason of the one cell that the test gets.
  ///   - operation: The id of an operation; all of them without it.
  public static func all(of contract: @autoclosure () throws -> Contract, operation: String? = nil) -> [Cell] {
    all("the contract", operation, contract)
  }

  private static func all(_ spec: String, _ operation: String?, _ read: () throws -> Contract) -> [Cell] {
    do {
      let all = try read().operations
      let cells = all.filter { operation == nil || $0.id == operation }.flatMap(\.cells)
      guard cells.isEmpty else { return cells }
      guard let operation else { return [.missing("\(spec) documents no operation")] }
      let help = Suggestion.phrase(for: operation, among: all.map(\.id)).map { "\n  help: \($0)" } ?? ""
      return [.missing("\(spec) has no operation `\(operation)`\(help)")]
    } catch {
      return [.missing("\(error)")]
    }
  }
}

extension UnderstudyClient.Lane {
  /// Answers every request of a cell's operation with that cell.
  public func reply(with cell: Cell, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    if let problem = cell.problem { throw failure(.misused, problem, at: sourceLocation) }
    try await reply(to: cell.operation, ScriptedReply(stringLiteral: cell.key), sourceLocation: sourceLocation)
  }
}
