/// Reads the scenarios of a contract.
package struct ScenarioReader {
  private let operations: [Operation]
  private let cells: CellNames
  package private(set) var diagnostics: [Diagnostic] = []

  package init(_ api: API, _ listing: FixtureListing) {
    operations = api.operations
    cells = CellNames(listing)
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
      source = try FileSystem.read(path, onlyRegular: true)
    } catch {
      diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path)))
      return nil
    }
    do {
      let document = try TextDocument.read(source)
      diagnostics += document.duplicates.map { Diagnostic(.fixtureInvalid, $0, in: source) }
      return read(document.root, path)
    } catch {
      diagnostics.append(Diagnostic(.fixtureUnreadable, error, in: source))
      return nil
    }
  }

  private mutating func read(_ root: JSON, _ path: String) -> MockScenario? {
    guard root.isObject else {
      return reject("expected a mapping with `sequence`, found \(root.kindName)", at: root)
    }
    for member in root.members where !MockScenario.keys.contains(member.name) {
      diagnostics.append(
        Diagnostic(
          .fixtureUnknownKey, "unknown key `\(member.name)`", at: member.key,
          help: Suggestion.phrase(for: member.name, among: MockScenario.keys) ?? "known: `summary`, `sequence`"))
    }
    guard let sequence = root["sequence"] else {
      return reject("a scenario needs `sequence`, as in `sequence: {readChat: [200, 500]}`", at: root)
    }
    guard sequence.isObject, sequence.count > 0 else {
      return reject("expected a mapping of operations to lists of answers, found \(sequence.kindName)", at: sequence)
    }
    var scenario = MockScenario(name: Path.stem(of: path), path: path, sequences: [:])
    for member in sequence.members {
      guard let operation = operations.first(where: { $0.id.utf8Equals(member.name) }) else {
        diagnostics.append(
          Diagnostic(
            .fixtureOperationUnknown, "no operation is called `\(member.name)`", at: member.key,
            help: Suggestion.phrase(for: member.name, among: operations.map(\.id)) ?? "`understudy routes` lists them"))
        continue
      }
      var reader = ScenarioStepReader(operation, cells)
      scenario.sequences[operation.id] = reader.read(member.value)
      diagnostics += reader.diagnostics
    }
    return scenario
  }

  private mutating func reject<T>(_ message: String, at node: JSON) -> T? {
    diagnostics.append(Diagnostic(.fixtureInvalid, message, at: Location(start: node)))
    return nil
  }
}
