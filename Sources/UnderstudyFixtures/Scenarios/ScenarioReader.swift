import UnderstudySockets

package struct ScenarioReader {
  private let operations: [Operation]
  private let cells: CellNames
  private let contract: ResourceContract
  private var findings = MappingReader.fixtures

  package var diagnostics: [Diagnostic] { findings.all }

  package init(_ contract: ResourceContract, _ cells: CellNames) {
    self.contract = contract
    operations = contract.compiled.api.operations
    self.cells = cells
  }

  /// The scenario files of a folder, which may be missing.
  package static func files(in folder: String) -> [String] {
    let entries = (try? FileSystem.list(folder)) ?? []
    return entries.filter { entry in
      !entry.isFolder && !entry.name.hasPrefix(".") && ["yaml", "yml"].contains(Path.fileExtension(of: entry.name))
    }.map { Path.join(folder, $0.name) }
  }

  /// The scenario of a file; `nil` when it is invalid.
  package mutating func read(_ path: String) -> MockScenario? {
    let source: SourceFile
    do {
      source = try FileSystem.read(path, within: contract.compiled.api.access)
    } catch {
      findings.add(Diagnostic(unreadableFixture: error))
      return nil
    }
    do {
      return read(findings.root(of: try TextDocument.read(source)), path)
    } catch {
      findings.add(Diagnostic(.fixtureUnreadable, error, in: source))
      return nil
    }
  }

  private mutating func read(_ root: JSON, _ path: String) -> MockScenario? {
    guard findings.isMapping(root, "a mapping with `sequence`", keys: MockScenario.keys) else { return nil }
    guard MockScenario.keys.contains(where: { $0 != "summary" && root[$0] != nil }) else {
      return findings.reject(
        "a scenario needs `sequence`, `machine`, `collections`, `checks` or `sockets`, as in `sequence: {readChat: [200, 500]}`",
        at: root)
    }
    var scenario = MockScenario(name: Path.stem(of: path), path: path)
    scenario.summary = root["summary"]?.string
    if let sequence = root["sequence"] {
      guard let sequences = sequences(sequence) else { return nil }
      scenario.sequences = sequences
    }
    if let invalid = root["invalid"] {
      guard let sequences = sequences(invalid, mayBeEmpty: true) else { return nil }
      scenario.invalidSequences = sequences
    }
    readMachines(root, into: &scenario)
    if let collections = root["collections"] {
      var reader = ScenarioCollectionsReader(contract)
      scenario.collections = reader.read(collections)
      findings.add(reader.findings.all)
    }
    if let checks = root["checks"] {
      var reader = ClientCheckReader(operations.map(\.id))
      scenario.checks = reader.read(checks)
      findings.add(reader.diagnostics)
    }
    var sockets = SocketReader()
    scenario.sockets = sockets.rules(root["sockets"], takesFaults: true)
    scenario.socketFaults = sockets.faults
    findings.add(sockets.problems)
    if !scenario.sockets.isEmpty {
      findings.add(
        SocketContract.problems(
          of: scenario.sockets, contract.compiled.api, SocketContract.fixtureNames(in: contract.folder)))
      var declared = SocketReader()
      let descriptions = contract.compiled.api.root[SocketReader.key].map { declared.descriptions($0) } ?? []
      findings.add(SocketContract.undeclaredTriggers(scenario.sockets, descriptions))
    }
    return scenario
  }

  private mutating func readMachines(_ root: JSON, into scenario: inout MockScenario) {
    var reader = MachineReader(
      operations, cells, PushFiles(of: contract.compiled, fixtures: contract.folder))
    if let node = root["machine"], let machine = reader.read(node, named: "") { scenario.machines.append(machine) }
    if let node = root["machines"], reader.findings.isMapping(node, "a mapping of names to machines") {
      scenario.machines += node.members.compactMap { reader.read($0.value, named: $0.name) }
    }
    findings.add(reader.findings.all)
  }

  private mutating func sequences(_ sequence: JSON, mayBeEmpty: Bool = false) -> [String: ScenarioSequence]? {
    guard sequence.isObject, sequence.count > 0 || mayBeEmpty else {
      return findings.reject(expected: "a mapping of operations to lists of answers", sequence)
    }
    var sequences: [String: ScenarioSequence] = [:]
    for member in sequence.members {
      guard let operation = operations.first(where: { $0.id.utf8Equals(member.name) }) else {
        findings.report(
          .fixtureOperationUnknown, "no operation is called `\(member.name)`", at: member.key,
          help: Suggestion.phrase(for: member.name, among: operations.map(\.id)) ?? "`understudy routes` lists them")
        continue
      }
      var reader = ScenarioStepReader(operation, cells)
      sequences[operation.id] = reader.read(member.value)
      findings.add(reader.findings.all)
    }
    return sequences
  }
}
