import UnderstudyDiff
import UnderstudyVerification

/// One side of a comparison: a contract or a folder of contracts, on disk, at a URL or in a git revision.
struct ContractVersion {
  enum Kind {
    case file, folder
    /// A file that the git revision does not have.
    case absent
  }

  let kind: Kind
  /// A path or a URL; in a revision, the path from the root of the repository.
  let path: String
  /// `nil` for files and URLs.
  let tree: GitTree?

  init(_ kind: Kind, _ path: String, in tree: GitTree? = nil) {
    self.kind = kind
    self.path = path
    self.tree = tree
  }

  /// The version as messages show it: `HEAD~1:openapi.yaml`.
  var name: String { tree.map { $0.shown(path) } ?? path }

  /// The path that annotations name: from the working directory.
  var localPath: String { tree?.local(path) ?? path }

  /// A file in a folder.
  func file(_ name: String) -> ContractVersion { ContractVersion(.file, Path.join(path, name), in: tree) }

  /// Whether both are one file or one path of a revision.
  func isSame(as other: ContractVersion) -> Bool {
    switch (tree, other.tree) {
    case (let a?, let b?): a.name.utf8Equals(b.name) && path.utf8Equals(other.path)
    case (nil, nil): path.utf8Equals(other.path) || FileSystem.isSame(path, other.path)
    default: false
    }
  }

  // MARK: - Opening

  /// - Parameter other: The other argument of the command.
  static func open(_ text: String, beside other: String) throws -> ContractVersion {
    guard let address = GitAddress(text) else {
      if !URIReference(text).isRemote, !FileSystem.exists(text) { try refuseRevision(text, other) }
      return ContractVersion(FileSystem.isFolder(text) ? .folder : .file, text)
    }
    let (tree, path) = try GitTree.open(address, text)
    switch try tree.entry(at: path) {
    case .file: return ContractVersion(.file, path, in: tree)
    case .folder: return ContractVersion(.folder, path, in: tree)
    case .absent:
      try refuseMistake(path, other, tree)
      return ContractVersion(.absent, path, in: tree)
    case .unreadable(let reason):
      throw CommandFailure(.notLoadable, "\(tree.shown(path)) cannot be read: \(reason)")
    }
  }

  /// Throws if the user named a revision without a path.
  private static func refuseRevision(_ text: String, _ other: String) throws {
    guard (try? GitRevision.exists(text)) == true else { return }
    let path = GitAddress(other)?.path ?? (FileSystem.exists(other) ? other : "openapi.yaml")
    let isRelative = !path.hasPrefix("/") && !path.hasPrefix(".") && GitAddress(other) == nil
    let prefix = try isRelative && !GitRevision.folder().isEmpty ? "./" : ""
    throw CommandFailure(
      .usage, "`\(VisibleText.line(text))` is a git revision: expected a path in it, after a colon",
      help: "write \(ShellQuoting().word("\(text):\(prefix)\(path)"))")
  }

  /// Throws if a path that a revision does not have is a mistake rather than a new contract.
  private static func refuseMistake(_ path: String, _ other: String, _ tree: GitTree) throws {
    if let relative = try tree.relative(path) {
      throw CommandFailure(
        .usage, "\(tree.shown(path)) does not exist: a path in a revision starts at the root of the repository",
        help: "write \(ShellQuoting().word("\(tree.name):./\(relative)")) for the file in the working directory")
    }
    // A new contract has the name of the file that it is compared with.
    let named = GitAddress(other)?.path ?? other
    guard !Path.name(of: named).utf8Equals(Path.name(of: path)), let near = try tree.nearest(to: path) else { return }
    throw CommandFailure(
      .usage, "\(tree.shown(path)) does not exist", help: "did you mean \(ShellQuoting().word("\(tree.name):\(near)"))?"
    )
  }

  // MARK: - Loading

  /// The contract, with every file that it needs; throws after reporting the reasons if it cannot be used.
  func load(_ diff: DiffCommand, _ configuration: Configuration) async throws -> API {
    guard kind == .file else { throw CommandFailure(.notLoadable, "\(name) does not exist") }
    let (store, path, contractName, overlays) = try await documents(diff, configuration)
    let (api, diagnostics) = ContractDiff.read(path, name: contractName, overlays: overlays, from: store)
    let problems = (api.map { Linter.checkReferences(of: $0) } ?? diagnostics).filter { $0.severity == .error }
    let broken = problems.filter { $0.rule.id.hasPrefix("spec.ref.") }
    guard let api, broken.isEmpty else {
      diff.common.report((api == nil ? diagnostics : broken).map(placed))
      throw CommandFailure(
        .notLoadable, "\(VisibleText.line(name)) cannot be compared",
        help: api == nil ? nil : "repair its references first: `understudy lint` lists all findings")
    }
    return api
  }

  private func documents(
    _ diff: DiffCommand, _ configuration: Configuration
  ) async throws -> (DocumentStore, path: String, name: String?, OverlaySettings) {
    let references = configuration.reading.references
    if let tree {
      let files = DocumentStore(references: references, load: tree.load)
      let overlays = try tree.overlays(diff.overlays(of: path, configuration))
      guard diff.allowRemoteRefs else { return (files, path, nil, overlays) }
      let fetch = try await ContractFetcher.remoteDocuments(of: path, in: files, references)
      return (DocumentStore(references: references, fetch: fetch, load: tree.load), path, nil, overlays)
    }
    let named = try await ContractFetcher.fetched(
      [try diff.source(path, configuration)], allowsOtherHosts: diff.allowRemoteRefs, nil)[0]
    return (
      DocumentStore(references: references, access: named.access, fetch: named.fetch), named.path, named.name,
      named.reading.overlays
    )
  }

  /// A finding about a file of the revision, with the revision before its path.
  private func placed(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let tree else { return diagnostic }
    var placed = diagnostic
    placed.location = diagnostic.location.map { $0.renamed(tree.shown($0.path ?? "")) }
    placed.notes = diagnostic.notes.map { note in
      Diagnostic.Note(note.message, at: note.location.map { $0.renamed(tree.shown($0.path ?? "")) })
    }
    return placed
  }
}

extension Location {
  /// The location with another path of its file.
  func renamed(_ path: String) -> Location {
    Location(
      path: path, line: line, column: column, endLine: endLine, endColumn: endColumn, pointer: pointer,
      excerpt: excerpt)
  }
}
