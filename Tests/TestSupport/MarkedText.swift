package import SourceText

/// A text in which arrows mark places: `↓` stands before the first byte of a range, `↑` behind its last.
///
/// A `↑` ends the last range that is open; a `↓` without a `↑` marks a position. The examples of rules are marked in the same way.
package struct MarkedText: Sendable {
  /// The text without its marks.
  package let source: SourceFile
  /// What is marked, in the order of the `↓`; a position is an empty range.
  package let ranges: [Range<Int>]

  /// Takes the marks out of a text.
  package init(_ marked: String, path: String = "text.yaml") {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    var open: [Int] = []
    for scalar in marked.unicodeScalars {
      switch scalar {
      case "↓":
        open.append(ranges.count)
        ranges.append(bytes.count..<bytes.count)
      case "↑":
        if let index = open.popLast() { ranges[index] = ranges[index].lowerBound..<bytes.count }
      default: bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    source = SourceFile(path: path, bytes: bytes)
    self.ranges = ranges
  }

  /// The text without its marks.
  package var text: String { String(decoding: source.bytes, as: UTF8.self) }

  /// Where the marked ranges begin.
  package var offsets: [Int] { ranges.map(\.lowerBound) }
}
