import UnderstudyMock

/// One operation x one documented status, as an argument of a test.
public struct Cell: Sendable, Hashable, CustomStringConvertible {
  /// The id of the operation.
  public let operation: String
  /// `200`, `4XX` or `default`.
  public let status: String
  /// The name of the status in this operation, from `x-meaning`.
  public let meaning: String?
  /// Why there is no cell: a test that gets it fails with this message.
  let problem: String?

  /// The status as a number; `nil` for a range and for `default`.
  public var code: Int? { Int(status) }

  /// `joinQueue 203 penaltyFirst`
  public var description: String {
    problem == nil ? "\(operation) \(status)" + (meaning.map { " \($0)" } ?? "") : "no cell"
  }

  /// A cell by name, as `understudy generate` writes it.
  public init(operation: String, status: String, meaning: String? = nil) {
    self.init(operation: operation, status: status, meaning: meaning, problem: nil)
  }

  private init(operation: String, status: String, meaning: String?, problem: String?) {
    self.operation = operation
    self.status = status
    self.meaning = meaning
    self.problem = problem
  }

  fileprivate static func missing(_ problem: String) -> Cell {
    Cell(operation: "", status: "", meaning: nil, problem: problem)
  }
}

extension Understudy {
  /// The documented cells of a contract, for `@Test(arguments:)`.
  ///
  /// Where there are none, the test gets one cell that `reply(with:)` refuses with the reason: a test without arguments
  /// would pass.
  ///
  /// - Parameters:
  ///   - spec: The file of a contract, found like that of `.understudy`.
  ///   - operation: The id of an operation; all of them without it.
  ///   - filePath: The file of the test.
  public static func cells(_ spec: String, operation: String? = nil, filePath: String = #filePath) -> [Cell] {
    do {
      let contract = try MockSource(spec: spec, filePath: filePath).contract()
      let all = contract.compiled.operations
      let cells = all.filter { operation == nil || $0.id == operation }.flatMap { compiled in
        compiled.cells.map {
          Cell(operation: compiled.id, status: $0.status.description, meaning: $0.explicitMeaning)
        }
      }
      guard cells.isEmpty else { return cells }
      guard let operation else { return [.missing("`\(spec)` documents no operation")] }
      let help = Suggestion.phrase(for: operation, among: all.map(\.id)).map { "\n  help: \($0)" } ?? ""
      return [.missing("`\(spec)` has no operation `\(operation)`\(help)")]
    } catch {
      return [.missing("\(error)")]
    }
  }
}
