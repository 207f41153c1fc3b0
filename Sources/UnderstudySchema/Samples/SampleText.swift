/// Texts of a given length, and texts that differ from each other.
enum SampleText {
  /// The text, cut or extended to a length in the bounds.
  static func fit(_ text: String, _ least: Int, _ most: Int) -> String {
    let scalars = text.unicodeScalars
    if scalars.count > most { return trimmed(String(String.UnicodeScalarView(scalars.prefix(most))), least) }
    guard scalars.count < least else { return text }
    // Mail addresses grow at the start, other texts at the end.
    let missing = least - scalars.count
    if text.utf8.contains(UInt8(ascii: "@")) { return String(repeating: "a", count: missing) + text }
    let period = (text.utf8.contains(UInt8(ascii: " ")) ? " " : "") + (text.isEmpty ? "text" : text)
    let (turns, rest) = missing.quotientAndRemainder(dividingBy: period.unicodeScalars.count)
    return text + String(repeating: period, count: turns) + String(period.unicodeScalars.prefix(rest))
  }

  /// Removes spaces at the end that the length does not need.
  private static func trimmed(_ text: String, _ least: Int) -> String {
    var text = text
    while text.utf8.last == UInt8(ascii: " "), text.unicodeScalars.count > least { text.removeLast() }
    return text
  }

  /// The text with a length in the bounds; from the fifth of a series on with its number.
  static func serial(_ text: String, _ serial: Int, _ lengths: ClosedRange<Int>) -> String {
    guard serial > 3 else { return fit(text, lengths.lowerBound, lengths.upperBound) }
    let number = String(serial)
    if text.unicodeScalars.count + number.utf8.count <= lengths.upperBound {
      return fit(text, max(0, lengths.lowerBound - number.utf8.count), lengths.upperBound) + number
    }
    // The shortest form of the number: in the base of all readable characters.
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)
    var left = serial
    var scalars: [Unicode.Scalar] = []
    repeat {
      scalars.insert(digits[left % digits.count], at: 0)
      left /= digits.count
    } while left > 0
    let missing = max(0, lengths.lowerBound - scalars.count)
    let code = String(repeating: "a", count: missing) + String(String.UnicodeScalarView(scalars))
    return fit(code, lengths.lowerBound, lengths.upperBound)
  }

  static func variants(of text: String, _ serial: Int) -> [String] {
    ["\(text)\(serial)", "n\(serial)\(text)", "n\(serial).\(text)", "\(serial)"]
  }

  /// Every printable character of ASCII, alone and after another text.
  static func ascii(behind text: String) -> [String] {
    (0x20...0x7E as ClosedRange<UInt8>).flatMap { byte in
      let character = String(Unicode.Scalar(byte))
      return [text + character, character]
    }
  }
}
