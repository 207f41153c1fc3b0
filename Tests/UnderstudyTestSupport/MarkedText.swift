package import UnderstudySchema

/// A text with arrows that mark places: `↓` before the first byte of a range, `↑` after its last.
///
/// A `↑` ends the last open range; a `↓` without a `↑` marks a position. The examples of rules have the same marks.
package struct MarkedText: Sendable {
  /// The text without its marks.
  package let source: SourceFile
  /// The marked ranges in the order of the `↓`; a position is an empty range.
  package let ranges: [Range<Int>]

  /// Removes the marks from a text.
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

  /// The starts of the marked ranges.
  package var offsets: [Int] { ranges.map(\.lowerBound) }
}
