import UnderstudyVerification

/// The contracts of a folder by their paths in it. Symbolic links to folders are not followed.
struct ContractFolder {
  /// The kind of a document.
  private enum Kind { case contract, messages, unparsable }

  private let kinds: [String: Kind]

  private static let extensions: Set<String> = ["yaml", "yml", "json"]
  /// The maximum depth of folders, and the maximum number of their documents.
  private static let maximumDepth = 32
  private static let maximumDocuments = 100_000

  init(_ version: ContractVersion) throws {
    let names: [String]
    if version.kind == .absent {
      names = []
    } else if let tree = version.tree {
      names = try tree.files(in: version.path).filter(Self.isVisible)
      try tree.prefetch(names.map { Path.join(version.path, $0) })
    } else {
      var found: [String] = []
      Self.find(in: version.path, "", 0, &found)
      names = found
    }
    guard names.count <= Self.maximumDocuments else {
      throw CommandFailure(
        .usage, "\(version.name) has more than \(Self.maximumDocuments) documents", help: "name a folder below it")
    }
    let load = version.tree?.load ?? { DocumentStore().document(at: $0) }
    // The index has a file several times during a merge.
    let kinds = Dictionary(
      names.compactMap { name in Self.kind(of: load(Path.join(version.path, name))).map { (name, $0) } },
      uniquingKeysWith: { first, _ in first })
    // An AsyncAPI document beside a contract is compared with it.
    let companions = Set(kinds.flatMap { $0.value == .contract ? EventDocumentName.candidates(beside: $0.key) : [] })
    self.kinds = kinds.filter { $0.value != .messages || !companions.contains($0.key) }
  }

  static func isDocument(_ path: String) -> Bool { extensions.contains(Path.fileExtension(of: path)) }

  private static func isVisible(_ path: String) -> Bool {
    isDocument(path) && !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "node_modules" }
  }

  private static func find(in root: String, _ folder: String, _ depth: Int, _ found: inout [String]) {
    guard depth < maximumDepth, found.count <= maximumDocuments else { return }
    for entry in (try? FileSystem.list(Path.join(root, folder))) ?? [] {
      let path = Path.join(folder, entry.name)
      if entry.isFolder {
        // As in git, which has links to folders as files.
        guard isVisible(path + ".yaml"), !FileSystem.isLink(Path.join(root, path)) else { continue }
        find(in: root, path, depth + 1, &found)
      } else if isVisible(path) {
        found.append(path)
      }
    }
  }

  private static func kind(of document: Result<JSONDocument, DocumentFailure>) -> Kind? {
    switch document {
    case .success(let document) where ContractDocument.isContract(document.root): .contract
    case .success(let document): document.root["asyncapi"] == nil ? nil : .messages
    case .failure(.unparsable): .unparsable
    case .failure: nil
    }
  }

  // MARK: - Pairs

  /// A contract of one folder or of both.
  struct Pair {
    /// The path in the folders.
    let name: String
    let isOld: Bool
    let isNew: Bool

    var isInBoth: Bool { isOld && isNew }
  }

  /// The contracts of two folders in the order of their paths.
  ///
  /// A document that cannot be parsed counts as a contract where the other folder has one, so that it is reported.
  static func pairs(_ old: ContractFolder, _ new: ContractFolder) -> [Pair] {
    let names = Set(old.kinds.keys).union(new.kinds.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names.compactMap { name in
      let kinds = [old.kinds[name], new.kinds[name]]
      guard kinds.contains(.contract) || kinds.contains(.messages) else { return nil }
      return Pair(name: name, isOld: kinds[0] != nil, isNew: kinds[1] != nil)
    }
  }
}
