/// Path templates that are learnt from paths: `/pets/7` and `/pets/8` are `/pets/{petId}`.
enum PathDraft {
  /// Siblings that differ in one segment are one template from this number on.
  static let variationLimit = 4

  /// The segments of a path, with `nil` for an id by its shape.
  static func segments(of path: String) -> [String?] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
      let text = PercentEncoding.decode(String(segment)) ?? String(segment)
      return isId(text) ? nil : String(segment)
    }
  }

  /// Whether a segment is an id and not a name: a number, UUID, hash or token, or a long mix of letters and digits.
  static func isId(_ text: String) -> Bool {
    let bytes = text.utf8
    let digits = bytes.count { 48...57 ~= $0 }
    if bytes.isEmpty { return false }
    if digits == bytes.count || VolatileText.isUUID(text) || VolatileText.isHash(text) { return true }
    // A JSON Web Token starts with the base64 of `{"`.
    return bytes.count >= 12 && (digits >= 3 && !text.contains(".") || text.hasPrefix("eyJ"))
  }

  /// The template of segments, with a name for each expression after the segment before it.
  static func template(_ segments: [String?]) -> (path: String, names: [String]) {
    var names: [String] = []
    var path = ""
    for (index, segment) in segments.enumerated() {
      if let segment {
        path += "/" + segment
        continue
      }
      let before = index > 0 ? segments[index - 1] : nil
      let base = before.map { singular($0) + "Id" } ?? "id"
      let name = names.contains(base) ? "\(base)\(names.count + 1)" : base
      names.append(name)
      path += "/{\(name)}"
    }
    return (path.isEmpty ? "/" : path, names)
  }

  private static func singular(_ word: String) -> String {
    let text = String(word.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") })
    guard !text.isEmpty else { return "item" }
    if text.hasSuffix("ies") { return text.dropLast(3) + "y" }
    return text.hasSuffix("s") && !text.hasSuffix("ss") ? String(text.dropLast()) : text
  }
}
