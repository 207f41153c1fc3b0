/// The position in the text of a pattern.
struct PatternCursor {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The remaining scalars.
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

  /// Steps over the next occurrence of a scalar and returns the text before it; `nil` if there is none.
  mutating func text(upTo scalar: Unicode.Scalar) -> String? {
    guard let end = rest.firstIndex(of: scalar) else { return nil }
    defer { position = end + 1 }
    return String(String.UnicodeScalarView(scalars[position..<end]))
  }

  /// The next decimal digits, without stepping over them.
  var digits: String { String(String.UnicodeScalarView(rest.prefix { "0"..."9" ~= $0 })) }

  /// A quantifier without the `?` of a lazy one.
  struct Quantifier {
    let text: String
    let least: Int
    let most: Int
  }

  /// Steps over `*`, `+`, `?`, `{2}`, `{2,}` or `{2,3}`, if one is next; other braces are not quantifiers.
  mutating func quantifier() -> Quantifier? {
    if skip("*") { return Quantifier(text: "*", least: 0, most: .max) }
    if skip("+") { return Quantifier(text: "+", least: 1, most: .max) }
    if skip("?") { return Quantifier(text: "?", least: 0, most: 1) }
    // `Int` would also read signs.
    let scalars = rest.dropFirst().prefix { "0"..."9" ~= $0 || $0 == "," }
    guard peek == "{", rest.dropFirst(1 + scalars.count).first == "}" else { return nil }
    let body = String(String.UnicodeScalarView(scalars))
    let bounds = body.split(separator: ",", omittingEmptySubsequences: false)
    guard bounds.count <= 2, let least = bounds.first, let most = bounds.last, !least.isEmpty else { return nil }
    skip(scalars.count + 2)
    return Quantifier(text: "{\(body)}", least: Int(least) ?? .max, most: Int(most) ?? .max)
  }
}
