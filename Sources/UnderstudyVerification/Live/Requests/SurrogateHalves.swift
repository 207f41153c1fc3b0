/// The half of a surrogate pair that the run sends to every server, in bodies that give it back. No reader takes them
/// (RFC 8259, 8.2). The rest is validated and used all the same: a list has what earlier runs created.
enum SurrogateHalves {
  /// What the run sends in a text.
  static let sent = #"\ud800"#
  private static let escape = Array(#"\u"#.utf8)

  /// A body of the same length with a replacement character in place of each half; `nil` without one.
  static func replaced(in body: [UInt8]) -> [UInt8]? {
    guard body.firstRange(of: escape) != nil else { return nil }
    var replaced = body
    var isChanged = false
    var position = 0
    while position + 6 <= body.count {
      guard body[position] == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      guard let unit = unit(of: body, at: position) else {
        position += 2
        continue
      }
      let hasOther = unit == "d800" && self.unit(of: body, at: position + 6).map { "dc00"..."dfff" ~= $0 } == true
      if unit == "d800", !hasOther {
        replaced.replaceSubrange((position + 2)..<(position + 6), with: "fffd".utf8)
        isChanged = true
      }
      position += hasOther ? 12 : 6
    }
    return isChanged ? replaced : nil
  }

  /// The lowercase digits of an escape such as `\u00e9`.
  private static func unit(of body: [UInt8], at position: Int) -> String? {
    guard position + 6 <= body.count, body[position..<(position + 2)].elementsEqual(escape) else { return nil }
    return FieldSyntax.lowercased(body[(position + 2)..<(position + 6)])
  }
}
