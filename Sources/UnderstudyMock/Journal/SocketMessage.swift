package import UnderstudyJSON
package import UnderstudySockets
import UnderstudySystem

/// What a socket has sent or received, decoded: an event, or the beginning or the end of a connection.
package struct SocketMessage: Sendable {
  package enum Kind: String, Sendable {
    /// Joins a namespace; the argument of a client is its auth payload.
    case connect
    case event
    case acknowledgement
    /// A refusal, in place of the response to `connect`.
    case refusal
    case disconnect
    /// Ends the connection: with a close frame, without one, or within an event.
    case close, drop, cut
    /// An event held back until the next event of its socket.
    case held
  }

  /// From 1, of its socket; 0 before it is noted.
  package internal(set) var number = 0
  /// In microseconds since 1970.
  package internal(set) var time = 0
  package let isFromClient: Bool
  package let kind: Kind
  package internal(set) var namespace: String
  package var event: String?
  /// A list in JSON; only the beginning of a long one.
  package private(set) var arguments: [UInt8]
  /// The length of all of it, in bytes.
  package let size: Int
  /// The bytes that placeholders in the arguments stand for; none of a long message.
  package private(set) var attachments: [[UInt8]]
  /// The number of an acknowledgement, or of the one that an event asks for.
  package var acknowledgement: Int?
  package var findings: [Diagnostic] = []

  /// The longest list of arguments that is held whole, in bytes, unless it is recorded.
  package static let limit = 16 << 10
  /// The longest list of arguments that is held whole in a recording, in bytes.
  package static let recordingLimit = 1 << 20

  /// - Parameter limit: The longest list of arguments that is held whole, in bytes.
  package init(
    _ kind: Kind, isFromClient: Bool, in namespace: String, event: String? = nil, _ arguments: [UInt8],
    attachments: [[UInt8]] = [], limit: Int = Self.limit
  ) {
    (self.kind, self.isFromClient, self.namespace, self.event) = (kind, isFromClient, namespace, event)
    let attached = attachments.reduce(0) { $0 + $1.count }
    size = arguments.count + attached
    self.arguments = arguments.count > limit ? Array(arguments.prefix(limit)) : arguments
    self.attachments = attached > limit ? [] : attachments
  }

  package var isWhole: Bool { size == held }

  /// In bytes.
  var held: Int { attachments.reduce(arguments.count) { $0 + $1.count } }

  func shortened(to count: Int) -> SocketMessage {
    var copy = self
    if arguments.count > count { copy.arguments = Array(arguments.prefix(count)) }
    copy.attachments = []
    return copy
  }
}

package final class SocketIdentity: Sendable {
  /// The number by which the admin API lists the socket.
  package let id: Int
  /// `nil` for the lane without a name.
  package let lane: String?
  package let description: SocketDescription
  /// `socketio`, `websocket` or `engineio`.
  package var transport: String { description.kind.rawValue }
  /// The request of the handshake: messages may repeat its secrets.
  let request: SharedRequest?
  /// When the head of the handshake arrived, in microseconds since 1970.
  package let startedAt: Int
  /// The last values that the socket has remembered under each name.
  private let remembered = Lock<[String: [JSONValue]]>([:])

  private static let valueLimit = 16

  package init(_ id: Int, lane: String?, _ description: SocketDescription, _ handshake: ServedRequest) {
    (self.id, self.lane, self.description) = (id, lane, description)
    (request, startedAt) = (handshake.sharedRequest, handshake.startedAt)
  }

  /// Notes a value that the socket remembers: a message that repeats it may show a secret.
  package func remember(_ value: JSONValue, as name: String) {
    remembered.withLock { remembered in
      guard !remembered[name, default: []].contains(value) else { return }
      remembered[name, default: []].append(value)
      if remembered[name, default: []].count > Self.valueLimit { remembered[name]?.removeFirst() }
    }
  }

  /// Lets a redactor find the secrets among the remembered values by their names.
  func teach(_ redactor: inout Redactor) {
    for (name, values) in remembered.withLock({ $0.sorted { $0.key < $1.key } }) {
      for value in values { _ = redactor.redact(text: JSONValue.object([JSONValue.Member(name, value)]).text) }
    }
  }
}
