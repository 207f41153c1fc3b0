/// A text without one kind of escapes, and where each of its bytes is in the text with them.
struct UnescapedText {
  enum Escape {
    /// `%2F`
    case percent
    /// `&amp;`, `&#38;`, `&#x26;` (HTML, 13.5)
    case markup
  }

  private(set) var bytes: [UInt8] = []
  /// The place of each byte, and of the end.
  private(set) var positions: [Int] = []

  init(_ text: [UInt8], without escape: Escape) {
    bytes.reserveCapacity(text.count)
    positions.reserveCapacity(text.count + 1)
    let mark = UInt8(ascii: escape == .percent ? "%" : "&")
    var position = 0
    while position < text.count {
      // Most bytes stand for themselves, and need no array.
      guard text[position] == mark,
        let (plain, length) = escape == .percent ? Self.octet(text, position) : Self.entity(text, position)
      else {
        bytes.append(text[position])
        positions.append(position)
        position += 1
        continue
      }
      for byte in plain {
        bytes.append(byte)
        positions.append(position)
      }
      position += length
    }
    positions.append(position)
  }

  private static func octet(_ text: [UInt8], _ start: Int) -> (plain: [UInt8], length: Int)? {
    guard start + 2 < text.count, let high = PercentEncoding.hexValue(text[start + 1]),
      let low = PercentEncoding.hexValue(text[start + 2])
    else { return nil }
    return ([high << 4 | low], 3)
  }

  /// The longest entity is `&#x10FFFF;`.
  private static let entityLimit = 10
  private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]

  private static func entity(_ text: [UInt8], _ start: Int) -> (plain: [UInt8], length: Int)? {
    guard let end = text[start...].prefix(entityLimit).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: text[(start + 1)..<end], as: UTF8.self)
    let length = end + 1 - start
    if let character = entities[name] { return (Array(character.utf8), length) }
    guard name.utf8.first == UInt8(ascii: "#") else { return nil }
    let isHexadecimal = ["x", "X"].contains(name.dropFirst().prefix(1))
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init) else { return nil }
    return (Array(String(Character(scalar)).utf8), length)
  }
}
