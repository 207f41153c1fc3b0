package import UnderstudyJSON

/// A push message that a scenario has sent in a lane.
package struct LanePush: Codable, Sendable, Hashable {
  /// The name of its file in `_push`.
  package let name: String
  /// The user that the message is for; `nil` for a scenario with one user.
  package let recipient: String?
  package let content: JSONValue
  /// The URL of its schema: `#/components/schemas/Push`.
  package let schema: String?
  /// The number of the request whose response led to the message.
  package let request: Int
  /// The time by the clock of the lane, in microseconds since 1970.
  package let time: Int
}

/// The push messages of a lane, the oldest first.
package struct LanePushes: Codable, Sendable, Hashable {
  /// The maximum number of messages that are stored.
  static let limit = 200

  package private(set) var messages: [LanePush] = []

  mutating func append(_ message: LanePush) {
    messages.append(message)
    if messages.count > Self.limit { messages.removeFirst() }
  }

  /// The names of the messages that a request led to.
  func names(of request: Int) -> [String] { messages.filter { $0.request == request }.map(\.name) }

  init() {}

  package init(from decoder: any Decoder) throws {
    messages = try decoder.singleValueContainer().decode([LanePush].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(messages)
  }
}

extension KeyedDecodingContainer {
  /// Decodes the push messages, which a state without any lacks.
  func decode(_ type: LanePushes.Type, forKey key: Key) throws -> LanePushes {
    try decodeIfPresent(type, forKey: key) ?? LanePushes()
  }
}

extension KeyedEncodingContainer {
  /// Encodes the push messages unless there are none, so that earlier versions read the state.
  mutating func encode(_ value: LanePushes, forKey key: Key) throws {
    try encodeIfPresent(value.messages.isEmpty ? nil : value, forKey: key)
  }
}
