/// Something wrong with a text as such: syntax, encoding, a limit; it knows bytes, not contracts.
package struct TextProblem: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The text breaks the grammar of its format.
    case syntax
    /// The bytes are not UTF-8.
    case encoding
    /// The same key stands twice in one object.
    case duplicateKey
    /// A named limit (depth, size, alias expansion) was passed.
    case limit
  }

  package var kind: Kind
  /// The problem and the expected text, without a position.
  package var message: String
  /// Byte offsets in the text.
  package var range: Range<Int>
  /// Advice, where the fix is not obvious.
  package var help: String?

  package init(_ kind: Kind, _ message: String, at range: Range<Int>, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.range = range
    self.help = help
  }
}
