import UnderstudySchema
package import UnderstudyText

/// The last events of the clients of a lane, in the order in which the lane has seen them.
package struct ClientEventLog: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    /// The number of the event in its lane, from 1.
    package let number: Int
    /// The number of the connection.
    package let socket: Int
    /// The position of the description of its socket; `nil` for a socket that has left.
    package let description: Int?
    package let namespace: String
    /// `connect` and `disconnect` for clients that come and go.
    package let name: String
    /// A list in JSON; of `connect`, the credentials of the client.
    package let arguments: [UInt8]
    /// The violations of the event.
    package let findings: [Diagnostic]
  }

  package private(set) var entries: [Entry] = []
  private var count = 0
  /// The bytes of the arguments that are held.
  private var held = 0

  /// The maximum number of events that are held.
  package static let limit = 10_000
  /// The maximum size of the arguments of all events, in bytes.
  private static let byteLimit = 4 << 20

  /// - Parameter description: Returns the position of the description of a connected socket.
  mutating func note(_ event: SocketEvent, _ findings: [Diagnostic], description: (Int, String) -> Int?) {
    let (socket, namespace): (Int, String)
    let (position, name, arguments): (Int?, String, [JSON])
    switch event {
    case .connecting(let id, let number, let place, let auth, _):
      (socket, namespace, position, name, arguments) = (id, place, number, "connect", auth.map { [$0] } ?? [])
    case .event(let id, let place, let event, let sent, _):
      (socket, namespace, position, name, arguments) = (id, place, description(id, place), event, sent.values)
    case .disconnected(let id, let place):
      (socket, namespace, position, name, arguments) = (id, place, nil, "disconnect", [])
    case .answered, .command, .time: return
    }
    count += 1
    let entry = Entry(
      number: count, socket: socket, description: position, namespace: namespace, name: name,
      arguments: JSONWriter.bytes(.array(arguments)), findings: findings)
    entries.append(entry)
    held += entry.arguments.count
    guard entries.count > Self.limit || held > Self.byteLimit else { return }
    // Many at a time, and never the last one.
    let surplus = entries.count / 2
    held -= entries[..<surplus].reduce(0) { $0 + $1.arguments.count }
    entries.removeFirst(surplus)
  }
}
