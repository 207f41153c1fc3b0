import UnderstudyVerification

/// One side of a comparison: a contract, or a folder of contracts.
enum ContractVersion {
  case file(ContractSource)
  case folder(String)
  case gitFile(GitTree, String)
  case gitFolder(GitTree, String)
  /// A file that the git revision does not have.
  case absent(GitTree, String)

  static func open(_ text: String) throws -> ContractVersion {
    if let address = GitTree.Address(text) {
      let (tree, path) = try GitTree.open(address)
      switch try tree.isFolder(path) {
      case nil: return .absent(tree, path)
      case true?: return .gitFolder(tree, path)
      case false?: return .gitFile(tree, path)
      }
    }
    return FileSystem.isFolder(text) ? .folder(text) : .file(ContractSource(text))
  }

  var isFolder: Bool {
    switch self {
    case .folder, .gitFolder: true
    case .file, .gitFile, .absent: false
    }
  }

  /// The revision before the paths of messages.
  var revision: String? {
    switch self {
    case .gitFile(let tree, _), .gitFolder(let tree, _), .absent(let tree, _): tree.name
    case .file, .folder: nil
    }
  }

  /// A path, a URL, or a path in a revision.
  var name: String {
    switch self {
    case .file(let source): source.path
    case .folder(let path): path
    case .gitFile(let tree, let path), .gitFolder(let tree, let path), .absent(let tree, let path):
      "\(tree.name):\(path)"
    }
  }

  // MARK: - Folders

  /// The maximum depth of folders.
  private static let maximumDepth = 32
  private static let extensions = ["yaml", "yml", "json"]

  /// The contracts of a folder by their paths in it; documents of other kinds are left out.
  func contracts() throws -> [String: ContractVersion] {
    switch self {
    case .folder(let root):
      let files = Self.contracts(among: Self.files(below: root, "", 0)) { path in
        DocumentStore().document(at: Path.join(root, path))
      }
      return Dictionary(uniqueKeysWithValues: files.map { ($0, .file(ContractSource(Path.join(root, $0)))) })
    case .gitFolder(let tree, let root):
      let files = try tree.files(in: root).filter { Self.extensions.contains(Path.fileExtension(of: $0)) }
      return Dictionary(
        uniqueKeysWithValues: Self.contracts(among: files, load: tree.load).map { path in
          (root.isEmpty ? path : String(path.dropFirst(root.count + 1)), .gitFile(tree, path))
        })
    case .file, .gitFile, .absent: return [:]
    }
  }

  /// The contracts among files, and the AsyncAPI documents that belong to no contract.
  private static func contracts(
    among files: [String], load: (String) -> Result<JSONDocument, DocumentFailure>
  ) -> [String] {
    var contracts: [String] = []
    var documents: [String] = []
    for path in files {
      guard let root = try? load(path).get().root else { continue }
      if ContractDocument.isContract(root) {
        contracts.append(path)
      } else if root["asyncapi"] != nil {
        documents.append(path)
      }
    }
    let companions = Set(contracts.flatMap { EventDocumentName.candidates(beside: $0) })
    return contracts + documents.filter { !companions.contains($0) }
  }

  private static func files(below root: String, _ folder: String, _ depth: Int) -> [String] {
    guard depth < maximumDepth, let entries = try? FileSystem.list(Path.join(root, folder)) else { return [] }
    return entries.flatMap { entry -> [String] in
      let path = folder.isEmpty ? entry.name : Path.join(folder, entry.name)
      if entry.name.hasPrefix(".") || entry.name == "node_modules" { return [] }
      if entry.isFolder { return files(below: root, path, depth + 1) }
      return extensions.contains(Path.fileExtension(of: entry.name)) ? [path] : []
    }
  }

  // MARK: - Loading

  /// The contract, with every file that it needs; throws after reporting the reasons if it cannot be used.
  func load(_ diff: DiffCommand, _ configuration: Configuration) async throws -> API {
    let store: DocumentStore
    let path: String
    let overlays: OverlaySettings
    switch self {
    case .file(let source):
      let named = try await ContractFetcher.fetched(
        [try diff.granted(source, configuration)], allowsOtherHosts: diff.allowRemoteRefs, nil)[0]
      store = DocumentStore(references: named.reading.references, access: named.access, fetch: named.fetch)
      (path, overlays) = (named.path, named.reading.overlays)
    case .gitFile(let tree, let file):
      store = DocumentStore(references: configuration.reading.references, load: tree.load)
      (path, overlays) = (file, try tree.overlays(diff.overlays(of: file, configuration)))
    case .folder, .gitFolder, .absent:
      throw CommandFailure(.notLoadable, "\(name) is not a contract")
    }
    let (api, diagnostics) = ContractDiff.read(path, overlays: overlays, from: store)
    let problems = (api.map { Linter.checkReferences(of: $0) } ?? diagnostics).filter { $0.severity == .error }
    let broken = problems.filter { $0.rule.id.hasPrefix("spec.ref.") }
    guard let api, broken.isEmpty else {
      diff.common.report(api == nil ? diagnostics : broken)
      throw CommandFailure(
        .notLoadable, "\(VisibleText.line(name)) cannot be compared",
        help: api == nil ? nil : "repair its references first: `understudy lint` lists all findings")
    }
    return api
  }
}
