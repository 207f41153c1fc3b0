/// The shape of a message: what is left when names, numbers and quoted values are taken out.
///
/// Messages of one cause differ in these parts only.
package enum MessageShape {
  /// The longest text that is looked at, in bytes.
  private static let limit = 2_000

  /// The shape of a text, without the words in `names`.
  package static func of(_ text: String, without names: [String] = []) -> String {
    var words: [String] = []
    var word: [UInt8] = []
    var quote: UInt8?
    func end() {
      defer { word = [] }
      guard !word.isEmpty else { return }
      let text = String(decoding: word, as: UTF8.self)
      let isName = word.contains { 48...57 ~= $0 }
      if !isName {
        words.append(words.last == "_" ? singular(text) : text)
      } else if words.last != "_" {
        words.append("_")
      }
    }
    // Ids may have any characters.
    let text = names.filter { $0.utf8.count > 2 }.reduce(text) { $0.replacing($1, with: "_") }
    for byte in text.utf8.prefix(limit) {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "`"), UInt8(ascii: "\""):
        end()
        quote = byte
        if words.last != "_" { words.append("_") }
      case 48...57, 65...90, 97...122, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        word.append(byte)
      default: end()
      }
    }
    end()
    return words.joined(separator: " ")
  }

  /// The word after a number: `1 byte` and `20 bytes` are one shape.
  private static func singular(_ word: String) -> String {
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    return word.utf8.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
  }
}
