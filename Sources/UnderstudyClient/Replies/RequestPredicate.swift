/// The requests that a reply is for, as data.
public struct RequestPredicate: Sendable, Hashable {
  /// Conditions by names, of each part of a request.
  private var parts: [String: [String: JSONValue]]

  private init(_ part: String, _ name: String, _ value: String) { parts = [part: [name: ["equals": .string(value)]]] }

  /// The `when` of a fixture: `RequestPredicate(when: ["body": ["chat": ["contains": "late"]]])`.
  public init(when conditions: [String: [String: JSONValue]]) { parts = conditions }

  /// A header field has a value.
  public static func header(_ name: String, _ value: String) -> Self { Self("header", name, value) }
  /// A parameter of the path has a decoded value.
  public static func path(_ name: String, _ value: String) -> Self { Self("path", name, value) }
  /// A parameter of the query has a decoded value.
  public static func query(_ name: String, _ value: String) -> Self { Self("query", name, value) }
  /// A form field, or a JSON body at a name, a pointer or a JSONPath, has a value: `.field("chat", "hi")`,
  /// `.field("/user/kind", "a")`, `.field("$.items[*].id", "7")`.
  public static func field(_ name: String, _ value: String) -> Self { Self("body", name, value) }

  /// Both hold.
  public static func && (first: Self, second: Self) -> Self {
    var both = first
    both.parts.merge(second.parts) { $0.merging($1) { _, second in second } }
    return both
  }

  /// The `when` of a reply.
  var value: JSONValue { .object(parts.mapValues { .object($0) }) }
}
