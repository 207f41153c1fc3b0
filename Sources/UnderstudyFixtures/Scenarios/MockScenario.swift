package import UnderstudySockets

/// Sequences of answers: `fixtures/<contract>/_scenarios/<name>.yaml`.
package struct MockScenario: Sendable {
  /// The file's name without extension.
  package var name: String
  package var path: String
  /// By operation id.
  package var sequences: [String: ScenarioSequence] = [:]
  /// The responses to requests that break the contract, by operation id; `nil` if such requests take the steps of
  /// `sequences`. The contract refuses requests to an operation without an entry.
  package var invalidSequences: [String: ScenarioSequence]?
  package var machines: [ScenarioMachine] = []
  package var checks: [ClientCheckSettings] = []
  /// What operations do to collections while it is played, by their ids.
  package var collections: [String: ResourceAction] = [:]
  var sockets: [SocketRule] = []
  package var socketFaults: [SocketFault] = []

  package var summary: String?

  package static let keys = [
    "summary", "sequence", "invalid", "machine", "machines", "collections", "checks", "sockets",
  ]

  package struct Reading: Sendable {
    /// The file's name without extension.
    package var name: String
    /// `nil` when the file is invalid.
    package var scenario: MockScenario?
    package var diagnostics: [Diagnostic]
  }

  /// The scenarios of a contract. One that is not played may be invalid.
  static func readAll(of contract: CompiledContract, _ fixtures: FixtureStore) -> [Reading] {
    let files = ScenarioReader.files(in: folder(of: fixtures.folder))
    guard !files.isEmpty else { return [] }
    let cells = CellNames(FixtureListing.list(fixtures.folder, for: contract.api))
    let resources = ResourceContract(compiled: contract, fixtures: fixtures.fixtures, folder: fixtures.folder)
    return files.map { path in
      var reader = ScenarioReader(resources, cells)
      let scenario = reader.read(path)
      return Reading(name: Path.stem(of: path), scenario: scenario, diagnostics: reader.diagnostics)
    }
  }

  /// Why contracts cannot play a scenario: the errors in its files, or its unknown name.
  package static func problems(of name: String, _ contracts: [Contract]) -> [Diagnostic] {
    let readings = contracts.flatMap(\.scenarios).filter { $0.name.utf8Equals(name) }
    let problems = readings.flatMap(\.diagnostics).filter { $0.severity == .error }
    guard problems.isEmpty, !readings.contains(where: { $0.scenario != nil }) else { return problems }
    return [unknown(name, contracts)]
  }

  package func names(_ operation: String) -> Bool {
    sequences[operation] != nil || invalidSequences?[operation] != nil || collections[operation] != nil
      || machines.contains { $0.names(operation) } || sockets.contains { $0.operationName?.0 == operation }
  }

  /// The folder of a contract's scenarios, below that of its fixtures.
  package static func folder(of fixtures: String) -> String { Path.join(fixtures, "_scenarios") }

  private static func unknown(_ name: String, _ contracts: [Contract]) -> Diagnostic {
    let known = contracts.flatMap { $0.scenarios.map(\.name) }
    let folders = contracts.map { folder(of: $0.fixtures.folder) }
    return Diagnostic(
      .configInvalid, "unknown scenario `\(name)`",
      help: Suggestion.phrase(for: name, among: known)
        ?? (known.isEmpty
          ? "expected \(folders.map { Path.join($0, name + ".yaml") }.joined(separator: " or "))"
          : "known: \(known.joined(separator: ", "))"))
  }
}

package struct CellNames: Sendable {
  private let fixtures: [String: [FixtureFileName]]

  package init(_ listing: FixtureListing) {
    fixtures = Dictionary(
      listing.folders.map { ($0.operation.id, $0.files.compactMap { FixtureFileName($0) }) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The answer that a text names: `200`, `4XX`, a meaning, each with or without `.name`.
  func forcing(_ text: String, in operation: Operation) -> Forcing? {
    let own = fixtures[operation.id] ?? []
    if let status = status(text, in: operation, own) { return Forcing(code: status.code, name: nil) }
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let status = status(parts[0], in: operation, own) else { return nil }
    let hasFixture = own.contains { $0.status == status && $0.name?.utf8Equals(parts[1]) == true }
    let examples = response(for: status, in: operation)?.content.flatMap(\.examples) ?? []
    guard hasFixture || examples.contains(where: { $0.name?.utf8Equals(parts[1]) == true }) else { return nil }
    return Forcing(code: status.code, name: parts[1])
  }

  func known(in operation: Operation) -> [String] {
    let own = fixtures[operation.id] ?? []
    var names = operation.responses.map(\.status.description)
    names += own.map { $0.status.description + ($0.name.map { "." + $0 } ?? "") }
    for response in operation.responses {
      names += response.content.flatMap(\.examples).compactMap { $0.name.map { "\(response.status).\($0)" } }
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private func status(_ text: String, in operation: Operation, _ own: [FixtureFileName]) -> Response.Status? {
    if let meant = operation.responses.first(where: { $0.meaning.utf8Equals(text) }) { return meant.status }
    guard let status = Response.Status(text) else { return nil }
    return response(for: status, in: operation) != nil || own.contains { $0.status == status } ? status : nil
  }

  private func response(for status: Response.Status, in operation: Operation) -> Response? {
    if case .code(let code) = status { return operation.response(for: code) }
    return operation.responses.first { $0.status == status }
  }
}
