/// The fixture files of one contract by operation, unread: who reads them decides how many at a time.
package struct FixtureListing: Sendable {
  /// In the order of their names.
  package var folders: [Folder] = []
  package var diagnostics: [Diagnostic] = []

  /// The folder of one operation.
  package struct Folder: Sendable {
    package var operation: Operation
    package var path: String
    /// The names of its fixtures, sorted by their bytes.
    package var files: [String]
    /// The paths of files in folders below that are named like fixtures, though none is read there.
    fileprivate var below: [String] = []
  }

  /// Lists `fixtures/<contract>`; a contract without fixtures has none, and nothing is wrong with that.
  package static func list(_ folder: String, for api: API) -> FixtureListing {
    var listing = FixtureListing()
    let entries: [FileSystem.Entry]
    do {
      entries = try FileSystem.list(folder)
    } catch {
      if error.kind != .missing {
        listing.diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: folder)))
      }
      return listing
    }
    let operations = Dictionary(api.operations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in entries where isLooked(at: entry.name) {
      let path = Path.join(folder, entry.name)
      guard entry.isFolder else {
        if FixtureFileName(entry.name) != nil { listing.diagnostics.append(misplaced(path)) }
        continue
      }
      guard let operation = operations[entry.name] else {
        listing.diagnostics.append(
          Diagnostic(
            .fixtureOperationUnknown, "no operation of `\(api.name)` is called `\(entry.name)`",
            at: Location(path: path),
            help: Suggestion.phrase(for: entry.name, among: operations.keys.sorted())
              ?? "`understudy routes` prints the folder of every operation"))
        continue
      }
      listing.add(path, operation)
    }
    return listing
  }

  private mutating func add(_ path: String, _ operation: Operation) {
    do {
      let entries = try FileSystem.list(path)
      let files = entries.filter { !$0.isFolder && Self.isFixture($0.name) }.map(\.name)
      let below = entries.filter { $0.isFolder && Self.isLooked(at: $0.name) }.flatMap { folder in
        let inner = Path.join(path, folder.name)
        return ((try? FileSystem.list(inner)) ?? []).filter { !$0.isFolder && FixtureFileName($0.name) != nil }.map {
          Path.join(inner, $0.name)
        }
      }
      folders.append(Folder(operation: operation, path: path, files: files, below: below))
    } catch {
      diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path)))
    }
  }

  /// What begins with these is hidden, or put aside.
  private static func isLooked(at name: String) -> Bool { !name.hasPrefix(".") && !name.hasPrefix("_") }

  /// Editors and people leave other files about.
  private static func isFixture(_ name: String) -> Bool {
    isLooked(at: name) && !name.hasSuffix("~") && !name.hasSuffix(".swp") && !name.lowercased().hasSuffix(".md")
  }

  fileprivate static func misplaced(_ path: String) -> Diagnostic {
    Diagnostic(
      .fixtureMisplaced, "a file named like a fixture, where none is read", at: Location(path: path),
      help:
        "fixtures stand in `<contract>/<operationId>/`, no deeper and no higher; `understudy routes` prints the folders"
    )
  }
}

extension FixtureListing.Folder {
  /// What is to be said of fixtures too deep to be read, given the files that fixtures name as `bodyFile`.
  package func misplaced(besides bodyFiles: [String]) -> [Diagnostic] {
    below.filter { path in !bodyFiles.contains { FileSystem.isSame($0, path) } }.map(FixtureListing.misplaced)
  }
}

/// What came of reading one fixture file.
package struct FixtureReading: Sendable {
  /// `nil` when the file says something that cannot be served; the findings say what.
  package var fixture: Fixture?
  package var diagnostics: [Diagnostic] = []
  /// The file that `bodyFile` names, whether it can be read or not.
  package var bodyFile: String?
}

extension FixtureListing.Folder {
  /// Reads one of the files.
  package func read(_ file: String) -> FixtureReading {
    let path = Path.join(path, file)
    do {
      return read(try FileSystem.read(path, onlyRegular: true))
    } catch {
      return FixtureReading(diagnostics: [Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path))])
    }
  }

  /// Reads a fixture from a text under the name it has, or would have, and tells a status that the operation does not
  /// document.
  package func read(_ source: SourceFile) -> FixtureReading {
    let file = Path.name(of: source.path)
    guard let fileName = FixtureFileName(file) else {
      return FixtureReading(diagnostics: [
        Diagnostic(
          .fixtureFileName, "`\(file)` names no status", at: Location(path: source.path),
          help: "expected <status>[.<name>].<extension>, such as 200.json or 200.empty.json")
      ])
    }
    var reader = FixtureReader(operation: operation, fileName: fileName, source: source)
    let fixture = reader.read()
    let undocumented = fixture?.undocumentedStatus(in: operation)
    return FixtureReading(
      fixture: fixture, diagnostics: reader.diagnostics + (undocumented.map { [$0] } ?? []),
      bodyFile: reader.bodyFile)
  }
}

extension Fixture {
  /// What is to be said of a status that the operation does not document, unless the fixture means it.
  fileprivate func undocumentedStatus(in operation: Operation) -> Diagnostic? {
    let isDocumented: Bool
    switch status {
    case .code(let code): isDocumented = operation.response(for: code) != nil
    case let status: isDocumented = operation.responses.contains { $0.status == status }
    }
    guard !isDocumented, !violates.contains(Rule.responseStatusUndocumented.id) else { return nil }
    let documented = operation.responses.map(\.status.description).joined(separator: ", ")
    return Diagnostic(
      .fixtureStatusUndocumented, "\(operation.id) documents no \(status)", at: Location(source),
      notes: [
        Diagnostic.Note("documented: \(documented)", at: (operation.node.key("responses")).map { Location($0) })
      ],
      help: "add it to the contract, or say `violates: [resp.status.undocumented]` in a .yaml fixture")
  }
}
