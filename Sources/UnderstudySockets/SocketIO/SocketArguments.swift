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

  /// The argument of a binary message.
  init(binary bytes: [UInt8]) {
    self.init([["_placeholder": true, "num": 0]], attachments: [bytes])
  }
}

extension WebSocketMessage {
  /// Creates the message of an event without a protocol above it: the attachment, or the first argument.
  package init(_ arguments: JSONValue, _ attachments: [[UInt8]] = []) {
    self = attachments.first.map { .binary($0) } ?? .text(arguments[0]?.plainText ?? "")
  }

  /// The event of a message without a protocol above it.
  ///
  /// - Parameter key: The member of a JSON message that names its event; `nil` if all messages are strings.
  /// - Returns: The name is `message` for a binary message, for a message that is not JSON and without the member.
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
    do throws(TextProblem) {
      self = try JSONParser.parse(Array(text.utf8)).root
    } catch {
      self = .string(text)
    }
  }
}
