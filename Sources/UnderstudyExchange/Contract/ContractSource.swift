package struct ContractSource: Sendable {
  /// A file, or an http(s) URL, which `fetch` resolves.
  package let path: String
  package let name: String
  /// Returns the documents at http(s) URLs; `nil` refuses them.
  package let fetch: DocumentStore.Load?
  package var reading: ContractReading
  /// The document, in place of that at `path`.
  let contents: [UInt8]?
  /// Whether a client of the mock sent the document, which then names no file.
  private let isFromClient: Bool

  /// - Parameter name: Derived from the path by default.
  package init(
    _ path: String, name: String? = nil, reading: ContractReading = ContractReading(),
    fetch: DocumentStore.Load? = nil, contents: [UInt8]? = nil, isFromClient: Bool = false
  ) {
    self.path = path
    self.name = name ?? Self.name(of: path)
    self.reading = reading
    self.contents = contents
    self.isFromClient = isFromClient
    self.fetch = fetch
  }

  /// The files that the contract and its fixtures may name: in its folder, the working directory and the settings.
  package var access: FileAccess {
    if isFromClient { return .none }
    var access = reading.access
    access.allowProject("")
    if !isRemote, contents == nil {
      access.allowProject(of: path)
      if FileSystem.isFolder(path) { access.allowProject(path) }
    }
    for file in reading.references.files { access.allow(file) }
    return access
  }

  /// A copy whose fixtures are in a folder that the user names.
  package func withFixtures(in folder: String?) -> ContractSource {
    var source = self
    if let folder { source.reading.access.allow(folder, isShared: false) }
    return source
  }

  /// Whether it is a document in memory, and no file or URL.
  package var isInMemory: Bool { contents != nil }

  /// Whether it is a URL, which cannot be watched for changes.
  package var isRemote: Bool { URIReference(path).isRemote }

  /// The file name without its last extension; for a URL that of its path, else the host.
  package static func name(of path: String) -> String {
    let reference = URIReference(path)
    guard reference.isRemote else {
      // A folder of data may be written with a slash.
      let isFolder = path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/")
      return isFolder ? name(of: String(path.dropLast())) : Path.stem(of: path)
    }
    let segments = reference.path.split(separator: "/").map(String.init)
    let stem = segments.last.map { Path.stem(of: PercentEncoding.decode($0) ?? $0) }
    // The name of a folder has no slash and is not hidden.
    guard let stem, !stem.hasPrefix("."), !stem.utf8.contains(UInt8(ascii: "/")) else {
      return String((reference.authority ?? "").prefix { $0 != ":" })
    }
    return stem
  }
}
