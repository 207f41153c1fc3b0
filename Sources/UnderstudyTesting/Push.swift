import UnderstudyMock
public import UnderstudySchema
import UnderstudySockets

/// A push message that the scenario of a test has sent, as the service of the platform would deliver it.
public struct Push: Sendable, CustomStringConvertible {
  /// The name of its file in `fixtures/<contract>/_push`.
  public let name: String
  /// The user that the message is for; `nil` for a scenario with one user.
  public let recipient: String?
  /// The body of the message.
  public let content: JSON

  /// `matched to u2: {"matched":"1"}`
  public var description: String {
    "\(name)\(recipient.map { " to \($0)" } ?? ""): \(JSONWriter.text(content))"
  }

  init(_ push: LanePush) { (name, recipient, content) = (push.name, push.recipient, JSON(push.content)) }
}

extension Understudy {
  /// The push messages that the scenario has sent in the test so far, the oldest first.
  public var pushes: [Push] { session.mock.pushes(of: session.lane.value).map(Push.init) }
}
