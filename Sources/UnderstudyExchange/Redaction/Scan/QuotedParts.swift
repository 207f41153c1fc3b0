/// The parts of a message that quote something: `` `name` `` and `"value"`. The rest are words of this program.
struct QuotedParts {
  private var ranges: [Range<Int>] = []

  init(_ message: [UInt8]) {
    var position = 0
    while let start = message[position...].firstIndex(where: Self.isQuote) {
      // A quote that is not closed reaches to the end: a value may have been cut.
      let end = message[(start + 1)...].firstIndex(of: message[start]) ?? message.count
      ranges.append(start..<end)
      position = min(end + 1, message.count)
    }
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "`") || byte == UInt8(ascii: "\"") }

  /// A byte of a word of prose.
  static func isWord(_ byte: UInt8) -> Bool { 65...90 ~= byte || 97...122 ~= byte || byte == UInt8(ascii: "-") }

  func contain(_ range: Range<Int>) -> Bool {
    ranges.contains { $0.lowerBound < range.lowerBound && range.upperBound <= $0.upperBound }
  }
}
