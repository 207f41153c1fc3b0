/// The parts of a multipart form that `curl -F` writes in the same way: printable ASCII, with a name.
struct FormParts {
  struct Part {
    var name: String
    var filename: String?
    var type: String?
    var text: String
  }

  /// Returns `nil` if a part has other bytes or fields, or a text that curl reads in another way.
  static func read(_ bytes: [UInt8], contentType: String) -> [Part]? {
    guard let mark = contentType.firstRange(of: "boundary="),
      bytes.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0D || $0 == 0x0A })
    else { return nil }
    let boundary =
      contentType[mark.upperBound...].split(separator: ";").first.map { $0.replacing("\"", with: "") } ?? ""
    let text = String(decoding: bytes, as: UTF8.self)
    let pieces = text.replacing("\r\n--\(boundary)", with: "\u{0}").replacing("--\(boundary)", with: "\u{0}")
      .split(separator: "\u{0}", omittingEmptySubsequences: true)
    guard !boundary.isEmpty, pieces.last?.hasPrefix("--") == true else { return nil }
    var parts: [Part] = []
    for piece in pieces.dropLast() {
      guard let part = part(String(piece)) else { return nil }
      parts.append(part)
    }
    return parts
  }

  private static func part(_ piece: String) -> Part? {
    guard piece.utf8.starts(with: "\r\n".utf8), let end = piece.firstRange(of: "\r\n\r\n") else { return nil }
    var part = Part(name: "", text: String(piece[end.upperBound...]))
    for line in piece[..<end.lowerBound].split(separator: "\r\n") {
      let field = line.split(separator: ":", maxSplits: 1).map(String.init)
      guard field.count == 2 else { return nil }
      let value = String(field[1].drop { $0 == " " })
      switch FieldSyntax.lowercased(field[0].utf8) {
      case "content-disposition":
        guard value.hasPrefix("form-data"), let name = quoted("name", in: value) else { return nil }
        part.name = name
        part.filename = quoted("filename", in: value)
      case "content-type": part.type = value
      default: return nil
      }
    }
    // curl gives these a meaning.
    let isPlain = part.text.utf8.allSatisfy { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 }
    let isTyped = part.filename != nil || part.type != nil
    guard !part.name.isEmpty, !part.name.contains("="), !isTyped || isPlain, !(part.type?.contains(";") ?? false) else {
      return nil
    }
    return part
  }

  /// `name="value"`
  private static func quoted(_ name: String, in text: String) -> String? {
    guard let start = text.firstRange(of: "; \(name)=\"") else { return nil }
    let rest = text[start.upperBound...]
    return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
  }
}
