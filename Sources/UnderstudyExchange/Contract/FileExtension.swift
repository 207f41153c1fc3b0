package enum FileExtension {
  /// Text is UTF-8, since fixtures are.
  private static let types = [
    "json": "application/json", "ndjson": "application/x-ndjson", "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8", "xml": "application/xml", "csv": "text/csv; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "pdf": "application/pdf", "zip": "application/zip", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "bin": "application/octet-stream",
    "form": "application/x-www-form-urlencoded",
  ]

  /// The first extension of each media type, by the alphabet.
  private static let extensions = Dictionary(
    types.compactMap { fileExtension, type in MediaRange(type).map { ($0.essence, fileExtension) } },
    uniquingKeysWith: min)

  package static func mediaType(_ fileExtension: String) -> String {
    types[fileExtension] ?? "application/octet-stream"
  }

  package static func forMediaType(_ mediaType: String) -> String {
    guard let range = MediaRange(mediaType) else { return "bin" }
    if range.syntax == .json { return "json" }
    if range.syntax == .xml { return "xml" }
    return extensions[range.essence] ?? (range.type == "text" ? "txt" : "bin")
  }

  /// The media type of a fixture: the documented media type with the same extension, so `200.json` may be `application/vnd.api+json`.
  package static func mediaType(_ fileExtension: String, documented: [MediaTypeObject]) -> String {
    let own = mediaType(fileExtension)
    guard let range = MediaRange(own) else { return own }
    let ranges = documented.compactMap { object in MediaRange(object.range).map { (text: object.range, range: $0) } }
    let types = ranges.filter { !$0.range.isRange }
    let same = types.filter { $0.range.essence == range.essence }
    if same.contains(where: \.range.parameters.isEmpty) { return own }
    let isText = fileExtension == "txt" && ranges.count == 1
    let alike = types.first {
      switch range.syntax {
      case .json, .xml: $0.range.syntax == range.syntax
      default: isText && $0.range.type == "text"
      }
    }
    // `txt` and `bin` mean the first type that has no other extension.
    let rest =
      ["txt", "bin"].contains(fileExtension)
      ? types.first { $0.range.syntax != .multipart && forMediaType($0.text) == fileExtension } : nil
    return (same.first ?? rest ?? alike)?.text ?? own
  }
}
