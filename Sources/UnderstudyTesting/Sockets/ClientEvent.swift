import UnderstudyMock
public import UnderstudySchema
import UnderstudySockets

/// An event that a client of a socket sent.
public struct ClientEvent: Sendable, CustomStringConvertible {
  /// The name; `connect` and `disconnect` of a client that comes and goes.
  public let name: String
  /// In their order; of `connect`, what the client sends to be let in.
  public let arguments: [JSON]
  /// The namespace of Socket.IO: `/`.
  public let namespace: String
  /// The number of the connection.
  public let socket: Int
  /// What the event breaks.
  public let findings: [Finding]

  /// The first argument.
  public var argument: JSON? { arguments.first }

  /// `changesocketid "u2"`
  public var description: String { ([name] + arguments.map { JSONWriter.text($0) }).joined(separator: " ") }

  init?(_ event: SocketEvent, _ found: [Diagnostic]) {
    switch event {
    case .connecting(let id, _, let namespace, let auth, _):
      (socket, self.namespace, name, arguments) = (id, namespace, "connect", auth.map { [$0] } ?? [])
    case .event(let id, let namespace, let name, let sent, _):
      (socket, self.namespace, self.name, arguments) = (id, namespace, name, sent.values)
    case .disconnected(let id, let namespace):
      (socket, self.namespace, name, arguments) = (id, namespace, "disconnect", [])
    case .answered, .command, .time: return nil
    }
    findings = found.filter { $0.owner == .client }.map(Finding.init)
  }
}
