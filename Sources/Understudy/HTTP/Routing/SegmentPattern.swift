/// A path segment that is partly text: `{id}.json`, `a-{x}-{y}`, `users({id})`.
///
/// Expressions stand between the literals and take at least one character. Each takes as little as it can, the last one
/// whatever is left; since the text at the end is fixed first, no backtracking is needed.
struct SegmentPattern: Hashable {
  /// One more than there are expressions; the first and last, and those between adjacent expressions, may be empty.
  let literals: [[UInt8]]

  var literalCount: Int { literals.reduce(0) { $0 + $1.count } }
  var captureCount: Int { literals.count - 1 }

  /// Hands the ranges of the expressions to `capture`, in order; `false` when the segment, in normal form, differs.
  func match(_ segment: UnsafeBufferPointer<UInt8>, _ capture: (Range<Int>) -> Void) -> Bool {
    guard let first = literals.first, let last = literals.last, segment.starts(with: first) else { return false }
    let end = segment.count - last.count
    guard end >= first.count, !isInsideTriplet(end, of: segment), segment[end...].elementsEqual(last) else {
      return false
    }
    var start = first.count
    for literal in literals.dropFirst().dropLast() {
      guard let found = find(literal, in: segment, from: start + 1, upTo: end) else { return false }
      capture(start..<found)
      start = found + literal.count
    }
    guard start < end else { return false }
    capture(start..<end)
    return true
  }

  private func find(_ literal: [UInt8], in segment: UnsafeBufferPointer<UInt8>, from: Int, upTo end: Int) -> Int? {
    var position = from
    while position + literal.count <= end {
      if !isInsideTriplet(position, of: segment), segment[position..<position + literal.count].elementsEqual(literal) {
        return position
      }
      position += 1
    }
    return nil
  }

  /// Whether a position cuts `%XX` in two: the text `2` does not stand in `%2F`.
  private func isInsideTriplet(_ position: Int, of segment: UnsafeBufferPointer<UInt8>) -> Bool {
    (position >= 1 && position < segment.count && segment[position - 1] == UInt8(ascii: "%"))
      || (position >= 2 && position < segment.count && segment[position - 2] == UInt8(ascii: "%"))
  }
}
