package import UnderstudyJSON
package import UnderstudySchema
import UnderstudyText

/// The arguments of an event or of an acknowledgement that a client has sent.
package struct SocketArguments: Sendable, Equatable {
  /// Binary ones, and those within others, are placeholders: `{"_placeholder":true,"num":0}`.
  package var values: [JSON]
  package var attachments: [[UInt8]]

  package init(_ values: [JSON] = [], attachments: [[UInt8]] = []) {
    (self.values, self.attachments) = (values, attachments)
  }

  init(binary bytes: [UInt8]) { self.init([["_placeholder": true, "num": 0]], attachments: [bytes]) }
}

extension WebSocketMessage {
  /// Creates the message of an event without a protocol above it: the attachment, or the first argument.
  package init(_ arguments: JSONValue, _ attachments: [[UInt8]] = []) {
    self = attachments.first.map { .binary($0) } ?? .text(arguments[0]?.plainText ?? "")
  }

  /// The event of a message without a protocol above it; `key` is the member of JSON that names it, `nil` if all
  /// messages are strings. The name is `message` for a binary message, one that is not JSON, or one without it.
  package func event(key: String?) -> (name: String, arguments: SocketArguments) {
    switch self {
    case .binary(let bytes): return ("message", SocketArguments(binary: bytes))
    case .text(let text):
      guard let key else { return ("message", SocketArguments([.string(text)])) }
      let value = JSON(messageText: text)
      return (value[key]?.string ?? "message", SocketArguments([value]))
    }
  }
}

extension JSON {
  /// The value of a text message: its JSON, or the text as a string if it is not JSON.
  package init(messageText text: String) {
    do throws(TextProblem) { self = try JSONParser.parse(Array(text.utf8)).root } catch { self = .string(text) }
  }
}
