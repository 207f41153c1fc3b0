/// A tag with text up to its end tag: `{{#name}}...{{/name}}`, `{{#if name}}...{{else}}...{{/if}}`.
struct TemplateBlock: Sendable {
  let kind: Kind
  let value: TemplateExpression
  let tag: Range<Int>
  /// The names of the item and its position, of `as |item index|`.
  var names: [String] = []

  enum Kind: String, Sendable {
    /// The sections of Mustache, which also end with the name of their value.
    case section, inverted
    case when = "if"
    case unless, each, with
    case `repeat`
  }

  /// The kinds of Handlebars, WireMock and Mockoon, whose tags begin with a word.
  static let words = ["if", "unless", "each", "with", "repeat"]

  /// The maximum number of times of `repeat`.
  static let repetitionLimit = 10_000

  /// Whether names between its tags belong to the value first.
  var opensScope: Bool {
    switch kind {
    case .section, .each, .with: true
    case .inverted, .when, .unless, .repeat: false
    }
  }

  /// Whether its value may be a part of a request as a whole, whose members have names.
  var takesPart: Bool {
    switch kind {
    case .section, .inverted, .with: true
    case .when, .unless, .each, .repeat: false
    }
  }
}
