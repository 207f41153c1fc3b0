import UnderstudyVerification

/// The files of a fetched contract and of the documents that it refers to. References are changed to lead to the files, and
/// JSON on a single line is indented; everything else stays as the server sent it.
struct SavedContract {
  struct File {
    let path: String
    let bytes: [UInt8]
  }

  /// The contract first.
  let files: [File]

  /// - Parameters:
  ///   - documents: The documents by URL.
  ///   - path: The file for the contract.
  init(_ url: String, _ documents: [String: JSONDocument], as path: String) {
    let places = Self.places(url, documents.keys.sorted(), path)
    let order = [url] + documents.keys.filter { $0 != url }.sorted()
    files = order.compactMap { url in
      guard let document = documents[url], let place = places[url], let source = document.source else { return nil }
      return File(path: place, bytes: Self.laidOut(Self.relinked(document, source.bytes, at: url, places)))
    }
  }

  // MARK: - Places

  /// The files of the documents. URLs below that of the contract keep their place; others go to a folder of their own.
  private static func places(_ url: String, _ urls: [String], _ path: String) -> [String: String] {
    let root = URIReference(url)
    let folder = Path.folder(of: path)
    var places = [url: path]
    var taken: Set<String> = [path]
    for other in urls where other != url {
      let reference = URIReference(other)
      var place = Path.join(folder, Path.stem(of: path) + ".refs/")
      let above = Path.folder(of: root.path)
      let prefix = above.hasSuffix("/") ? above : above + "/"
      if reference.isSameOrigin(as: root), reference.query == nil, reference.path.hasPrefix(prefix),
        let inner = segments(reference.path.dropFirst(prefix.count))
      {
        place = Path.join(folder, inner)
      } else {
        let host = (reference.authority ?? "").replacing(":", with: "-")
        place += Path.join(host, segments(reference.path.drop { $0 == "/" }) ?? name(of: other))
        if reference.query != nil { place = Path.join(Path.folder(of: place), name(of: other)) }
      }
      if !taken.insert(place).inserted {
        place = Path.join(folder, Path.stem(of: path) + ".refs/" + name(of: other))
        taken.insert(place)
      }
      places[other] = place
    }
    return places
  }

  /// The decoded path; `nil` if a segment could lead out of the folder.
  private static func segments(_ path: some StringProtocol) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.decode($0) }
    let isSafe = parts.allSatisfy { part in
      guard let part, !part.isEmpty, part != ".", part != ".." else { return false }
      return part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
    }
    return isSafe ? parts.compactMap(\.self).joined(separator: "/") : nil
  }

  /// A name from the hash of a URL, for documents whose path is not a valid file name.
  private static func name(of url: String) -> String {
    let ending = Path.fileExtension(of: URIReference(url).path)
    let known = ["json", "yaml", "yml"].contains(ending)
    return String(StableHash.of([url]), radix: 16) + (known ? "." + ending : "")
  }

  // MARK: - Texts

  private static func relinked(
    _ document: JSONDocument, _ bytes: [UInt8], at url: String, _ places: [String: String]
  ) -> [UInt8] {
    var edits: [TextEdit] = []
    for reference in DocumentReferences.all(in: document) {
      let uri = URIReference(reference.text)
      guard let target = ReferenceResolver.location(of: uri, from: url), let place = places[target],
        let own = places[url], let range = reference.range
      else { continue }
      let fragment = uri.fragment.map { "#" + $0 } ?? ""
      let text = place == own && !fragment.isEmpty ? fragment : relative(place, to: own) + fragment
      if text != reference.text { edits.append(TextEdit(range, JSONWriter.bytes(.string(text)))) }
    }
    return TextEdit.apply(edits, to: bytes)
  }

  /// The relative URI reference from one file to another.
  private static func relative(_ path: String, to base: String) -> String {
    PercentEncoding.encode(Path.relative(path, to: Path.folder(of: base)), keeping: "/@+=,")
  }

  private static func laidOut(_ bytes: [UInt8]) -> [UInt8] {
    let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    guard !line.contains(UInt8(ascii: "\n")), let document = try? JSONParser.parse(Array(line)) else { return bytes }
    return JSONWriter.bytes(document.root, .pretty) + [UInt8(ascii: "\n")]
  }
}
