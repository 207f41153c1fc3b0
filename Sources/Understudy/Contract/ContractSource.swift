/// Where a contract is read from, and the name that it goes by.
package struct ContractSource: Sendable {
  /// A file, or an http(s) URL whose document `fetch` has.
  package let path: String
  /// Names the folder of its fixtures.
  package let name: String
  /// Has the documents at http(s) URLs; without it there are none.
  package let fetch: DocumentStore.Load?

  /// - Parameter name: by default made from the path.
  package init(_ path: String, name: String? = nil, fetch: DocumentStore.Load? = nil) {
    self.path = path
    self.name = name ?? Self.name(of: path)
    self.fetch = fetch
  }

  /// Whether it is read from another machine: nothing there can be watched.
  package var isRemote: Bool { URIReference(path).isRemote }

  /// The file name without its last extension; of a URL the last segment of its path, else the host.
  package static func name(of path: String) -> String {
    let reference = URIReference(path)
    guard reference.isRemote else { return Path.stem(of: path) }
    let segments = reference.path.split(separator: "/").map(String.init)
    let stem = segments.last.map { Path.stem(of: PercentEncoding.decode($0.utf8) ?? $0) }
    // What names a folder has no slash and is not hidden.
    guard let stem, !stem.hasPrefix("."), !stem.utf8.contains(UInt8(ascii: "/")) else {
      return String((reference.authority ?? "").prefix { $0 != ":" })
    }
    return stem
  }
}
