/// A client check, as `serve --check` takes it: `"retry-after-401"`, `"retry-storm=3"`, `"poll-interval:readQueueState=5s"`,
/// `"kept-fields: {fields: [name]}"`.
public struct Check: Sendable, Hashable, ExpressibleByStringLiteral {
  let text: String

  /// Creates a check; the mock refuses unknown names and settings with a suggestion.
  public init(stringLiteral text: String) { self.text = text }
}
