public import UnderstudyClient

/// The arguments of an event: values, or a file of `_events`.
public struct EventArguments: Sendable {
  /// A member of the action.
  let member: JSONValue.Member

  /// No argument.
  public static var none: Self { Self(member: .init("arguments", [])) }

  /// Values in their order: `.values(["to": "u2"], 7)`.
  public static func values(_ values: JSONValue...) -> Self { Self(member: .init("arguments", .array(values))) }

  /// The file `fixtures/<contract>/_events/<name>.json`, or `.yaml`: `.fixture("chat.withoutId")`.
  public static func fixture(_ name: String) -> Self { Self(member: .init("fixture", .string(name))) }
}

/// The sockets that a test sends to: a string stands for the sockets that remember it, as in `to: "u2"`.
public struct EventRecipients: Sendable, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  /// The recipients as an action of the admin API has them.
  let value: JSONValue
  /// The problem to report if no socket is a recipient.
  let absence: String

  private init(_ value: JSONValue, _ absence: String) { (self.value, self.absence) = (value, absence) }

  /// Every socket.
  public static var all: Self { Self("all", "no socket is connected") }

  /// The sockets that remember a value under any name.
  public init(stringLiteral value: String) { self.init(["*": .string(value)], "no socket remembers `\(value)`") }

  /// The sockets that remember a value under any name.
  public static func remembering(_ value: String) -> Self { Self(stringLiteral: value) }

  /// The sockets that remember all of these values: `["uid": "u2"]`.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    let names = elements.map { "`\($0.0)`" }.joined(separator: ", ")
    self.init(
      .object(elements.map { JSONValue.Member($0.0, $0.1) }), "no socket remembers these values of \(names)")
  }
}
