/// The fixture files of one contract by operation, unread.
package struct FixtureListing: Sendable {
  /// In the order of their names.
  package var folders: [Folder] = []
  package var diagnostics: [Diagnostic] = []

  package struct Folder: Sendable {
    package var operation: Operation
    package var path: String
    package var access: FileAccess
    /// Whether fixtures may name the folder; each of its files that is not a symbolic link may then be read unchecked.
    let isAllowed: Bool
    /// The names of its fixtures: files sorted by their bytes, then the replies of a routes file.
    package var files: [String]
    /// The replies of a routes file by their names.
    fileprivate var replies: [String: RouteReply] = [:]
    /// The paths of files in subfolders that are named like fixtures; they are not read.
    fileprivate var below: [String] = []
  }

  /// Lists `fixtures/<contract>`; the folder may be missing.
  package static func list(_ folder: String, for api: API) -> FixtureListing {
    var listing = FixtureListing()
    listing.addFiles(folder, api)
    if let routes = api.routes { listing.add(routes, of: api) }
    return listing
  }

  /// Lists the replies of a routes file alone.
  package static func list(routesOf api: API) -> FixtureListing {
    var listing = FixtureListing()
    if let routes = api.routes { listing.add(routes, of: api) }
    return listing
  }

  private mutating func add(_ routes: RouteReplies, of api: API) {
    let known = Dictionary(
      folders.indices.map { (folders[$0].operation.id, $0) }, uniquingKeysWith: { first, _ in first })
    for operation in api.operations {
      guard let replies = routes.byOperation[operation.id] else { continue }
      let index = known[operation.id] ?? folders.count
      if index == folders.count {
        folders.append(
          Folder(operation: operation, path: api.root.path, access: api.access, isAllowed: false, files: []))
      }
      folders[index].files += replies.map(\.fileName)
      folders[index].replies = Dictionary(
        replies.map { ($0.fileName, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  private mutating func addFiles(_ folder: String, _ api: API) {
    let entries: [FileSystem.Entry]
    do {
      entries = try FileSystem.list(folder)
    } catch {
      if error.kind != .missing {
        diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: folder)))
      }
      return
    }
    let operations = Dictionary(api.operations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in entries where Self.isLooked(at: entry.name) {
      let path = Path.join(folder, entry.name)
      guard entry.isFolder else {
        if FixtureFileName(entry.name) != nil { diagnostics.append(Self.misplaced(path)) }
        continue
      }
      guard let operation = operations[entry.name] else {
        diagnostics.append(
          Diagnostic(
            .fixtureOperationUnknown, "no operation of `\(api.name)` is called `\(entry.name)`",
            at: Location(path: path),
            help: Suggestion.phrase(for: entry.name, among: operations.keys.sorted())
              ?? "`understudy routes` prints the folder of every operation"))
        continue
      }
      add(path, operation, api.access)
    }
  }

  private mutating func add(_ path: String, _ operation: Operation, _ access: FileAccess) {
    do {
      let entries = try FileSystem.list(path)
      let files = entries.filter { !$0.isFolder && Self.isFixture($0.name) }.map(\.name)
      let below = entries.filter { $0.isFolder && Self.isLooked(at: $0.name) }.flatMap { folder in
        let inner = Path.join(path, folder.name)
        return ((try? FileSystem.list(inner)) ?? []).filter { !$0.isFolder && FixtureFileName($0.name) != nil }.map {
          Path.join(inner, $0.name)
        }
      }
      folders.append(
        Folder(
          operation: operation, path: path, access: access, isAllowed: access.allows(path), files: files, below: below))
    } catch {
      diagnostics.append(Diagnostic(.fixtureUnreadable, error.message, at: Location(path: path)))
    }
  }

  /// Whether a file or folder is neither hidden nor set aside.
  private static func isLooked(at name: String) -> Bool { !name.hasPrefix(".") && !name.hasPrefix("_") }

  /// Editors leave other files in the folder.
  private static func isFixture(_ name: String) -> Bool {
    isLooked(at: name) && !name.hasSuffix("~") && !name.hasSuffix(".swp") && !isAutoSave(name)
      && !name.lowercased().hasSuffix(".md")
  }

  /// The copy that Emacs keeps of a file with unsaved changes: `#200.json#`.
  private static func isAutoSave(_ name: String) -> Bool { name.hasPrefix("#") && name.hasSuffix("#") }

  fileprivate static func misplaced(_ path: String) -> Diagnostic {
    Diagnostic(
      .fixtureMisplaced, "a file named like a fixture, in a folder that is not read", at: Location(path: path),
      help: "expected fixtures directly in `<contract>/<operationId>/`; `understudy routes` prints the folders")
  }
}

extension Diagnostic {
  /// The finding about a file that is a fixture, or that a fixture names, and that cannot be read; `rule` is for a file
  /// inside the project folders. The message is the problem's, and the location the file, by default.
  init(
    unreadableFixture problem: FileProblem, as rule: Rule = .fixtureUnreadable, _ message: String? = nil,
    at location: Location? = nil
  ) {
    let isOutside = problem.kind == .outside
    self.init(
      isOutside ? .fixtureOutside : rule, message ?? problem.message, at: location ?? Location(path: problem.path),
      help: isOutside ? problem.help : nil)
  }
}

package struct FixtureReading: Sendable {
  /// `nil` when the file cannot be served, with the reason in the findings.
  package var fixture: Fixture?
  package var diagnostics: [Diagnostic] = []
  /// The file that `bodyFile` names, whether it can be read or not.
  package var bodyFile: String?
}

extension FixtureListing.Folder {
  /// The findings about fixtures in subfolders, except for files that fixtures name as `bodyFile`.
  package func misplaced(besides bodyFiles: [String]) -> [Diagnostic] {
    below.filter { path in !bodyFiles.contains { FileSystem.isSame($0, path) } }.map(FixtureListing.misplaced)
  }

  package func read(_ file: String) -> FixtureReading {
    if let reply = replies[file] { return read(reply) }
    let path = Path.join(path, file)
    do {
      return read(try FileSystem.read(path, within: isAllowed && !FileSystem.isLink(path) ? .unlimited : access))
    } catch {
      return FixtureReading(diagnostics: [Diagnostic(unreadableFixture: error)])
    }
  }

  /// The location of a fixture, without a pointer, which would take a walk over a routes file.
  package func location(of file: String) -> Location {
    guard let node = replies[file]?.node else { return Location(path: Path.join(path, file), line: 1) }
    return Location(node.document.source, node.range.map { $0.lowerBound..<$0.lowerBound })
  }

  /// The name of a fixture in a report.
  package func title(of file: String) -> String {
    replies[file] == nil ? file : String(file.dropLast(RouteReply.fileExtension.count + 1))
  }

  private func read(_ reply: RouteReply) -> FixtureReading {
    guard let fileName = FixtureFileName(reply.fileName), let source = reply.node.document.source else {
      return FixtureReading()
    }
    var reader = FixtureReader(operation: operation, fileName: fileName, source: source, access: access)
    var fixture = reader.read(reply)
    fixture?.bodyFile = reader.bodyFile
    return FixtureReading(fixture: fixture, diagnostics: reader.diagnostics, bodyFile: reader.bodyFile)
  }

  /// Reads a fixture from its text and reports a status that the operation does not document.
  package func read(_ source: SourceFile) -> FixtureReading {
    let file = Path.name(of: source.path)
    guard let fileName = FixtureFileName(file) else {
      return FixtureReading(diagnostics: [
        Diagnostic(
          .fixtureFileName, "`\(file)` does not start with a status", at: Location(path: source.path),
          help: "expected <status>[.<name>].<extension>, such as 200.json or 200.empty.json")
      ])
    }
    guard fileName.status.code >= 200 else {
      return FixtureReading(diagnostics: [
        Diagnostic(
          .fixtureFileName,
          "`\(file)` has an interim status, after which the client waits for the answer (RFC 9110, 15.2)",
          at: Location(path: source.path), help: "expected a status from 200 to 599")
      ])
    }
    var reader = FixtureReader(operation: operation, fileName: fileName, source: source, access: access)
    var fixture = reader.read()
    var diagnostics = reader.diagnostics
    if let fixture, let finding = undocumentedStatus(of: fixture) { diagnostics.append(finding) }
    fixture?.bodyFile = reader.bodyFile
    return FixtureReading(fixture: fixture, diagnostics: diagnostics, bodyFile: reader.bodyFile)
  }

  /// The finding about an undocumented status, unless the fixture breaks that rule on purpose.
  private func undocumentedStatus(of fixture: Fixture) -> Diagnostic? {
    let isDocumented =
      switch fixture.status {
      case .code(let code): operation.response(for: code) != nil
      case let status: operation.responses.contains { $0.status == status }
      }
    guard !isDocumented, !fixture.violates.contains(Rule.responseStatusUndocumented.id) else { return nil }
    let documented = operation.responses.map(\.status.description).joined(separator: ", ")
    return Diagnostic(
      .fixtureStatusUndocumented, "\(operation.id) documents no \(fixture.status)", at: Location(fixture.source),
      notes: [Diagnostic.Note("documented: \(documented)", at: operation.node.key("responses").map { Location($0) })],
      help: "add it to the contract, or add `violates: [resp.status.undocumented]` to a .yaml fixture")
  }
}
