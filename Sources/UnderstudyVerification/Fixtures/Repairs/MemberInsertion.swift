/// The edit that adds members to a JSON object in the layout of the others.
enum MemberInsertion {
  /// `nil` where the object has no position in a text.
  static func edit(_ members: [(name: String, value: JSON)], into object: JSON, in text: [UInt8]) -> TextEdit? {
    guard let range = object.range, range.count >= 2, !members.isEmpty else { return nil }
    let known = Array(object.members)
    guard let last = known.last, let end = last.value.range?.upperBound, let keyStart = last.key.range?.lowerBound
    else {
      return TextEdit(range, Array("{\(members.map { written($0, indent: nil) }.joined(separator: ", "))}".utf8))
    }
    // The white space before the last key is the layout, except for a single member on the line of its object.
    var start = keyStart
    while start > range.lowerBound + 1, isBlank(text[start - 1]) { start -= 1 }
    var blank = String(decoding: text[start..<keyStart], as: UTF8.self)
    if known.count == 1, blank.isEmpty { blank = " " }
    // In bytes, since Swift takes CR LF for one character.
    let lineStart = blank.utf8.lastIndex(of: UInt8(ascii: "\n")).map { blank.utf8.index(after: $0) }
    let indent = lineStart.map { String(blank[$0...]) }
    let parts = members.map { "," + blank + written($0, indent: indent) }
    return TextEdit(end..<end, Array(parts.joined().utf8))
  }

  /// `"name": value`; a container spans several lines where the members have their own lines.
  private static func written(_ member: (name: String, value: JSON), indent: String?) -> String {
    var name: [UInt8] = []
    JSONWriter.quote(member.name.utf8, into: &name)
    let text = JSONWriter.text(member.value, indent == nil ? .compact : .pretty)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + (indent ?? ""))
    return String(decoding: name, as: UTF8.self) + ": " + lines
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
