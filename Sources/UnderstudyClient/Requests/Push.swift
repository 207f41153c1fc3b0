/// A push message that the scenario of a lane has sent, as the service of the platform would deliver it.
public struct Push: Sendable, Hashable {
  /// The name of its file in `fixtures/<contract>/_push`.
  public let name: String
  /// The user that the message is for; `nil` for a scenario with one user.
  public let recipient: String?
  /// The message.
  public let content: JSONValue

  init(_ value: JSONValue) {
    name = value["name"]?.string ?? ""
    recipient = value["recipient"]?.string
    content = value["content"] ?? .null
  }
}
