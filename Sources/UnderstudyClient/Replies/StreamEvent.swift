/// A step of a stream that a test writes; a text stands for an event with this data.
public struct StreamEvent: Sendable, Hashable, ExpressibleByStringLiteral {
  let json: JSONValue

  private init(_ members: [String: JSONValue]) { json = .object(members) }

  /// An event `message` with a text.
  public init(stringLiteral text: String) { json = .string(text) }

  /// An event `message`; of data other than text, the JSON.
  public static func data(_ data: JSONValue) -> Self { Self(["data": data]) }

  /// An event of a type, which lines of JSON do not have.
  public static func event(_ type: String, _ data: JSONValue) -> Self { Self(["event": .string(type), "data": data]) }

  /// Data as they are, which may not be JSON although the client expects it.
  public static func text(_ text: String) -> Self { Self(["text": .string(text)]) }

  /// Nothing for a time.
  public static func pause(_ time: Duration) -> Self { Self(["pause": .string(time.text)]) }

  /// A comment, or an empty line of JSON lines, which clients ignore.
  public static var comment: Self { Self(["comment": .bool(true)]) }

  /// The stream stays open, and nothing follows.
  public static var stall: Self { Self(["end": .string("stall")]) }

  /// Half of an event, and the end of the connection.
  public static func cut(_ data: JSONValue) -> Self { Self(["cut": data]) }

  /// The end of the connection, between two events.
  public static var drop: Self { Self(["end": .string("drop")]) }
}
