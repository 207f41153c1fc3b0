package import SourceText

/// A text in which arrows show positions: `→` before the first byte of a range, `←` behind its last.
package struct MarkedText {
  package let source: SourceFile
  /// The ranges in the order of their first marks.
  package let ranges: [Range<Int>]

  package init(_ text: String, path: String = "text.yaml") {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    var open: [Int] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "→":
        open.append(ranges.count)
        ranges.append(bytes.count..<bytes.count)
      case "←":
        if let index = open.popLast() { ranges[index] = ranges[index].lowerBound..<bytes.count }
      default: bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    source = SourceFile(path: path, bytes: bytes)
    self.ranges = ranges
  }
}

/// The problem that `body` throws, if it does.
package func problem(_ body: () throws(TextProblem) -> Void) -> TextProblem? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}
