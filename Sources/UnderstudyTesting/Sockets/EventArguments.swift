public import UnderstudySchema
import UnderstudySockets

/// What a test sends with an event: values, or a file of `_events`.
public struct EventArguments: Sendable {
  let payload: SocketPayload
  /// The name of the file.
  let fixture: String?

  private init(_ payload: SocketPayload, fixture: String? = nil) { (self.payload, self.fixture) = (payload, fixture) }

  /// No argument.
  public static var none: Self { Self(.arguments(.array([]))) }

  /// Values in their order: `.values(["to": "u2"], 7)`.
  public static func values(_ values: JSON...) -> Self { Self(.arguments(.array(values))) }

  /// The file `fixtures/<contract>/_events/<name>.json`, or `.yaml`: `.fixture("chat.withoutId")`.
  public static func fixture(_ name: String) -> Self { Self(.fixture(name), fixture: name) }
}

/// The sockets that a test sends to: a text stands for those that remember it, as in `to: "u2"`.
public struct EventRecipients: Sendable, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral,
  CustomStringConvertible
{
  let rule: SocketRule.Recipients
  /// For messages.
  public let description: String

  private init(_ rule: SocketRule.Recipients, _ description: String) {
    (self.rule, self.description) = (rule, description)
  }

  /// Every socket.
  public static var all: Self { Self(.all, "no socket is connected") }

  /// The sockets that remember a value under any name.
  public init(stringLiteral value: String) { self.init(.knowing(.string(value)), "no socket remembers `\(value)`") }

  /// The sockets that remember a value under any name.
  public static func remembering(_ value: String) -> Self { Self(stringLiteral: value) }

  /// The sockets that remember all of these values: `["uid": "u2"]`.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    let names = elements.map { "`\($0.0)`" }.joined(separator: ", ")
    self.init(.remembering(elements.map { (name: $0.0, value: $0.1) }), "no socket remembers these values of \(names)")
  }
}
