/// A replacement of a range of a text; the rest of the text stays byte for byte.
package struct TextEdit: Sendable, Hashable {
  /// Byte offsets.
  package var range: Range<Int>
  package var replacement: [UInt8]

  package init(_ range: Range<Int>, _ replacement: [UInt8]) {
    self.range = range
    self.replacement = replacement
  }

  /// Applies edits to a text; of overlapping edits only the first by position.
  package static func apply(_ edits: [TextEdit], to text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= position && edit.range.upperBound <= text.count {
      result += text[position..<edit.range.lowerBound]
      result += edit.replacement
      position = edit.range.upperBound
    }
    return result + text[position...]
  }
}
