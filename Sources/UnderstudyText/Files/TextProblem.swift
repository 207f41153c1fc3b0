/// A problem of a text in its format: syntax, encoding, a duplicate key, or a limit (depth, size, alias expansion).
package struct TextProblem: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case syntax, encoding, duplicateKey, limit }

  package var kind: Kind
  /// The problem and the expected text, without a position.
  package var message: String
  /// Byte offsets in the text.
  package var range: Range<Int>
  /// Advice, if the fix is not obvious.
  package var help: String?
  /// A tab behind the indentation of a block scalar's first line, which libyaml refuses and YAML 1.2 allows.
  package var isTabInBlockScalar = false

  package init(_ kind: Kind, _ message: String, at range: Range<Int>, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.range = range
    self.help = help
  }
}
