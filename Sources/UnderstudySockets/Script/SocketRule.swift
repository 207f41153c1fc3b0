package import UnderstudySchema

/// A rule of a script: at an event, if its conditions hold, these actions.
package struct SocketRule: Sendable {
  package enum Trigger: Sendable, Hashable {
    case connect, disconnect
    case event(String)
    /// A response of an operation: with a status such as `200` or `2XX`, or with any.
    case operation(String, status: String?)
    case timer(Duration)
  }

  package enum Recipients: Sendable {
    /// The socket of the event; for other triggers all.
    case own
    /// All sockets but that of the event.
    case others
    case all
    /// The sockets that remember these values.
    case remembering([(name: String, value: JSON)])
    /// The sockets that remember a value under any name.
    case knowing(JSON)
    case socket(Int, String)
  }

  package enum Action: Sendable {
    case emit(String, SocketPayload, to: Recipients)
    case acknowledge(SocketPayload)
    /// Leaves the namespace: the client does not connect again.
    case disconnect(to: Recipients)
    case close(WebSocketCloseCode, String, to: Recipients)
    /// Ends the connection without a close frame.
    case drop(to: Recipients)
    case wait(Duration)
    /// Refuses to connect: `CONNECT_ERROR`, or 403.
    case refuse(message: String, data: JSON?)
    /// Part of an event, and then the end of the connection.
    case cut(String, SocketPayload, to: Recipients)
  }

  package var trigger: Trigger
  /// The values of templates that it asks for.
  package var conditions: [(path: String, value: JSON)] = []
  package var remembers: [(name: String, value: JSON)] = []
  package var actions: [Action] = []
  /// The number of times that the rule applies; `nil` without a limit.
  package var times: Int?
  /// Whether its actions precede the response to the operation.
  package var isBeforeResponse = false
  /// Whether the actions that earlier rules have left for the socket precede the actions of the rule, without their pauses.
  package var flushes = false
  package var node: JSON

  package var fixtures: [String] {
    actions.compactMap { action in
      switch action {
      case .emit(_, .fixture(let name), _), .cut(_, .fixture(let name), _), .acknowledge(.fixture(let name)): name
      default: nil
      }
    }
  }

  package init(_ trigger: Trigger, at node: JSON) { (self.trigger, self.node) = (trigger, node) }
}

/// The arguments of an action, before their templates are filled.
package enum SocketPayload: Sendable {
  /// A list, or a template of one.
  case arguments(JSON)
  /// The content of a file in `_events`, by its name without extension.
  case fixture(String)
}
