extension Location {
  /// A part of a string in a document, or the whole string where it is written with escapes.
  package init(_ node: JSON, part: Range<Int>) {
    self.init(node)
    guard let source, let whole = range, !part.isEmpty else { return }
    let text = node.bytes
    let written = source.bytes[whole]
    // Between quotation marks.
    let start = whole.lowerBound + (written.count == text.count + 2 ? 1 : 0)
    guard written.dropFirst(start - whole.lowerBound).prefix(text.count).elementsEqual(text),
      written.count == text.count || written.count == text.count + 2
    else { return }
    range = start + part.lowerBound..<start + part.upperBound
  }
}
