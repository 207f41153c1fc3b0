/// The fixtures of one contract: `fixtures/<contract>/<operationId>/<status>[.<name>].<extension>`.
package struct FixtureStore: Sendable {
  /// The contract's folder, whether it exists or not; who watches it sees every fixture come, change and go.
  package var folder: String
  /// By operation id, in the order of their file names.
  package var fixtures: [String: [Fixture]]
  package var diagnostics: [Diagnostic]
  /// What fixtures name as their `bodyFile`: such a file may lie outside the folder.
  package var bodyFiles: [String] = []

  package var count: Int { fixtures.values.reduce(0) { $0 + $1.count } }

  /// Reads every fixture of the contract; a broken one is left out and reported, the others stand.
  package static func load(_ folder: String, for api: API) -> FixtureStore {
    var store = FixtureStore(folder: folder, fixtures: [:], diagnostics: [])
    let entries: [FileSystem.Entry]
    do {
      entries = try FileSystem.list(folder)
    } catch {
      // A contract without fixtures is served all the same.
      if error.kind != .missing {
        store.diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: folder)))
      }
      return store
    }
    let operations = Dictionary(api.operations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in entries where entry.isFolder && !entry.name.hasPrefix("_") && !entry.name.hasPrefix(".") {
      let path = Path.join(folder, entry.name)
      guard let operation = operations[entry.name] else {
        store.diagnostics.append(
          Diagnostic(
            .fixtureOperationUnknown, "no operation of `\(api.name)` is called `\(entry.name)`",
            at: Location(path: path),
            help: Suggestion.phrase(for: entry.name, among: operations.keys.sorted())
              ?? "`understudy routes` prints the folder of every operation"))
        continue
      }
      store.load(path, operation)
    }
    return store
  }

  private mutating func load(_ folder: String, _ operation: Operation) {
    let entries: [FileSystem.Entry]
    do {
      entries = try FileSystem.list(folder)
    } catch {
      diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: folder)))
      return
    }
    var found: [Fixture] = []
    for entry in entries where !entry.isFolder && Self.isFixture(entry.name) {
      let path = Path.join(folder, entry.name)
      guard let fileName = FixtureFileName(entry.name) else {
        diagnostics.append(
          Diagnostic(
            .fixtureFileName, "`\(entry.name)` names no status", at: Location(path: path),
            help: "expected <status>[.<name>].<extension>, such as 200.json or 200.empty.json"))
        continue
      }
      do {
        var reader = FixtureReader(operation: operation, fileName: fileName, source: try FileSystem.read(path))
        if let fixture = reader.read() { found.append(fixture) }
        diagnostics += reader.diagnostics
        bodyFiles += reader.bodyFile.map { [$0] } ?? []
      } catch {
        diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path)))
      }
    }
    diagnostics += Self.check(found, against: operation)
    fixtures[operation.id] = found
  }

  /// Editors and people leave other files about.
  private static func isFixture(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.hasPrefix("_") && !name.hasSuffix("~") && !name.hasSuffix(".swp")
      && !name.lowercased().hasSuffix(".md")
  }

  private static func check(_ fixtures: [Fixture], against operation: Operation) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    var seen: [String: Fixture] = [:]
    for fixture in fixtures {
      let isDocumented: Bool
      switch fixture.status {
      case .code(let code): isDocumented = operation.response(for: code) != nil
      case let status: isDocumented = operation.responses.contains { $0.status == status }
      }
      if !isDocumented, !fixture.violates.contains(Rule.responseStatusUndocumented.id) {
        let documented = operation.responses.map(\.status.description).joined(separator: ", ")
        diagnostics.append(
          Diagnostic(
            .fixtureStatusUndocumented, "\(operation.id) documents no \(fixture.status)", at: Location(fixture.source),
            notes: [
              Diagnostic.Note("documented: \(documented)", at: (operation.node.key("responses")).map { Location($0) })
            ],
            help: "add it to the contract, or say `violates: [resp.status.undocumented]` in a .yaml fixture"))
      }
      let key = fixture.label + " " + fixture.mediaTypeKey
      if let first = seen[key], fixture.when == nil || first.when != nil {
        diagnostics.append(
          Diagnostic(
            .fixtureDuplicate, "a second fixture for \(fixture.label)", at: Location(fixture.source),
            notes: [Diagnostic.Note("this one is served", at: Location(first.source))],
            help: "give one of them a name: \(fixture.status).other.\(Path.fileExtension(of: fixture.source.path))"))
      } else {
        seen[key] = fixture
      }
    }
    return diagnostics
  }
}

extension Fixture {
  /// What tells two fixtures of one cell and name apart: they may offer different media types.
  fileprivate var mediaTypeKey: String {
    if let contentType { return contentType }
    return switch body {
    case .bytes(_, let fileExtension): fileExtension
    case .template(let template): template.fileExtension
    }
  }
}
