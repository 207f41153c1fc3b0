/// Local files in place of documents on other machines: `references` of `understudy.yaml`.
package struct ReferenceMap: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    let url: String
    let file: String
  }

  /// The longest URL first, since the nearest folder counts.
  private let entries: [Entry]

  /// - Parameter files: Files by URL; a URL that ends with a slash stands for all below it, and its file is a folder.
  package init(_ files: [(url: String, file: String)] = []) {
    entries = files.map { Entry(url: URIReference($0.url).withoutFragment.description, file: $0.file) }
      .sorted { $0.url.utf8.count > $1.url.utf8.count }
  }

  /// The files and folders.
  package var files: [String] { entries.map(\.file) }

  /// The place of a document: its file, if it has one here.
  package func place(of url: String) -> String {
    for entry in entries {
      if entry.url.utf8Equals(url) { return entry.file }
      guard entry.url.utf8.last == UInt8(ascii: "/"), url.utf8.starts(with: entry.url.utf8) else { continue }
      return Path.join(entry.file, String(decoding: url.utf8.dropFirst(entry.url.utf8.count), as: UTF8.self))
    }
    return url
  }
}
