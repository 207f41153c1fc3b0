import Foundation

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
  /// A form field, or a member of a JSON body, has a value.
  public static func field(_ name: String, _ value: String) -> Self { Self("body", name, value) }

  /// A JSON body has a value at a path: `.json("$.user.kind", "a")`, `.json("$.items[0].id", "7")`.
  public static func json(_ path: String, _ value: String) -> Self {
    let names = path.replacingOccurrences(of: "[", with: ".").replacingOccurrences(of: "]", with: "")
    let pointer = names.split(separator: ".").dropFirst().map { name in
      "/" + name.replacingOccurrences(of: "~", with: "~0").replacingOccurrences(of: "/", with: "~1")
    }
    // The mock refuses an invalid pointer.
    return Self("body", path.hasPrefix("$") ? pointer.joined() : path, value)
  }

  /// Both hold.
  public static func && (first: Self, second: Self) -> Self {
    var both = first
    both.parts.merge(second.parts) { $0.merging($1) { _, second in second } }
    return both
  }

  /// The `when` of a reply.
  var value: JSONValue { .object(parts.mapValues { .object($0) }) }
}
