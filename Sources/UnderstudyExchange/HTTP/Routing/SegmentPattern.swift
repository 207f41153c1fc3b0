/// A path segment that is partly text: `{id}.json`, `a-{x}-{y}`, `users({id})`.
///
/// Expressions are between the literals and match at least one character. Each matches as little as possible, the last one
/// the rest; since the text at the end is fixed first, no backtracking is needed.
struct SegmentPattern: Hashable {
  /// One more than the expressions; the first and last, and those between adjacent expressions, may be empty.
  let literals: [[UInt8]]
  /// The regular expressions that the values match as a whole; empty without any.
  var patterns: [String?] = []

  var literalCount: Int { literals.reduce(0) { $0 + $1.count } }

  /// Passes the ranges of the expressions to `capture`, in order; `false` if the segment, in normal form, does not match.
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

  /// Whether a position is inside `%XX`: the text `2` does not occur in `%2F`.
  private func isInsideTriplet(_ position: Int, of segment: UnsafeBufferPointer<UInt8>) -> Bool {
    (position >= 1 && position < segment.count && segment[position - 1] == UInt8(ascii: "%"))
      || (position >= 2 && position < segment.count && segment[position - 2] == UInt8(ascii: "%"))
  }
}
