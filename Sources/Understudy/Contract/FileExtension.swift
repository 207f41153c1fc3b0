/// What a fixture's file extension says about its media type.
package enum FileExtension {
  /// Common extensions; text is UTF-8, since fixtures are.
  private static let types = [
    "json": "application/json", "ndjson": "application/x-ndjson", "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8", "xml": "application/xml", "csv": "text/csv; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "pdf": "application/pdf",
    "zip": "application/zip", "mp3": "audio/mpeg", "mp4": "video/mp4", "bin": "application/octet-stream",
    "form": "application/x-www-form-urlencoded",
  ]

  package static func mediaType(_ fileExtension: String) -> String {
    types[fileExtension] ?? "application/octet-stream"
  }

  /// The extension to give a new fixture of a media type.
  package static func forMediaType(_ mediaType: String) -> String {
    guard let range = MediaRange(mediaType) else { return "bin" }
    if range.syntax == .json { return "json" }
    if range.syntax == .xml { return "xml" }
    let essence = range.essence
    if let known = types.filter({ MediaRange($0.value)?.essence == essence }).keys.sorted().first { return known }
    return range.type == "text" ? "txt" : "bin"
  }

  /// The media type to send for a fixture: what the contract documents, where the extension agrees with it.
  ///
  /// So `200.json` answers as `application/vnd.api+json` where that is the documented type.
  package static func mediaType(_ fileExtension: String, documented: [MediaTypeObject]) -> String {
    let own = mediaType(fileExtension)
    guard let range = MediaRange(own) else { return own }
    let ranges = documented.compactMap { object in MediaRange(object.range).map { (object.range, $0) } }
    if ranges.contains(where: { !$0.1.isRange && $0.1.essence == range.essence && $0.1.parameters.isEmpty }) {
      return own
    }
    if let same = ranges.first(where: { !$0.1.isRange && $0.1.essence == range.essence }) { return same.0 }
    if range.syntax == .json, let json = ranges.first(where: { $0.1.syntax == .json && !$0.1.isRange }) {
      return json.0
    }
    if range.syntax == .xml, let xml = ranges.first(where: { $0.1.syntax == .xml && !$0.1.isRange }) { return xml.0 }
    if fileExtension == "txt", let text = ranges.first(where: { $0.1.type == "text" && !$0.1.isRange }),
      ranges.count == 1
    {
      return text.0
    }
    return own
  }
}
