/// A line of text with a mark in it.
package struct Excerpt: Sendable, Hashable {
  /// The line, or a window of it: a minified document is one long line. Characters that turn or hide text become
  /// spaces.
  package var text: String
  /// Terminal columns before the mark.
  package var offset: Int
  /// Terminal columns of the mark, at least one.
  package var length: Int

  package init(text: String, offset: Int, length: Int) {
    self.text = text
    self.offset = offset
    self.length = length
  }

  /// `nil` for a location without a text.
  package init?(_ location: Location) {
    guard let source = location.source, let range = location.range, let start = location.start,
      let end = location.end
    else { return nil }
    let width = 100
    let (left, right) = source.surroundings(of: range.lowerBound, limit: width)
    func shown(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
      scalars.map { VisibleText.isHidden($0) ? " " : $0 }
    }
    let before = shown(left.suffix(max(width / 2, width - right.count)))
    let after = shown(right.prefix(width - before.count))
    text = String(String.UnicodeScalarView(before + after))
    let marked = range.isEmpty ? 1 : end.line == start.line ? end.column - start.column : after.count
    length = max(1, after.prefix(max(1, marked)).reduce(0) { $0 + Self.columns($1) })
    offset = before.reduce(0) { $0 + Self.columns($1) }
  }

  /// Terminal columns of a character: CJK and emoji take two, combining marks none.
  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
