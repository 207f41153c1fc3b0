/// The position in the text of a pattern.
struct PatternCursor {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The scalars that are left.
  var rest: ArraySlice<Unicode.Scalar> { scalars[position...] }

  var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func next() -> Unicode.Scalar? {
    guard position < scalars.count else { return nil }
    position += 1
    return scalars[position - 1]
  }

  mutating func skip(_ count: Int) { position = min(position + count, scalars.count) }

  /// Steps over a text, if it is next.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  /// The text before the next occurrence of a scalar, which is stepped over; `nil` when there is none.
  mutating func text(upTo scalar: Unicode.Scalar) -> String? {
    guard let end = rest.firstIndex(of: scalar) else { return nil }
    defer { position = end + 1 }
    return String(String.UnicodeScalarView(scalars[position..<end]))
  }

  /// The decimal digits that are next; they are not stepped over.
  var digits: String { String(String.UnicodeScalarView(rest.prefix { "0"..."9" ~= $0 })) }
}
