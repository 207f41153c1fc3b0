import UnderstudyJSON
import UnderstudyMock
public import UnderstudySchema
import UnderstudySockets

/// A step of a stream that a test writes; a text stands for an event with this data.
public struct StreamEvent: Sendable, ExpressibleByStringLiteral {
  let step: EventStreamScript.Step

  private init(_ step: EventStreamScript.Step) { self.step = step }

  /// An event `message` with a text.
  public init(stringLiteral text: String) { self.init(.event(nil, .string(text))) }

  /// An event `message`; of data other than text, the JSON.
  public static func data(_ data: JSON) -> Self { Self(.event(nil, JSONValue(data))) }

  /// An event of a type, which lines of JSON do not have.
  public static func event(_ type: String, _ data: JSON) -> Self { Self(.event(type, JSONValue(data))) }

  /// Data as they are, which may not be JSON although the client expects it.
  public static func text(_ text: String) -> Self { Self(.text(nil, text)) }

  /// Nothing for a time.
  public static func pause(_ time: Duration) -> Self { Self(.wait(time)) }

  /// A comment, or an empty line of JSON lines, which clients ignore.
  public static var comment: Self { Self(.comment) }

  /// The stream stays open, and nothing follows.
  public static var stall: Self { Self(.stall) }

  /// Half of an event, and the end of the connection.
  public static func cut(_ data: JSON) -> Self { Self(.cut(nil, JSONValue(data))) }

  /// The end of the connection, between two events.
  public static var drop: Self { Self(.drop) }
}
