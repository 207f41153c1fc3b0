import UnderstudySockets
import UnderstudySystem

/// The last messages of all sockets, in the order in which they were noted.
package final class SocketTraffic: Sendable {
  package struct Entry: Sendable {
    /// From 1, of all sockets.
    package let number: Int
    package let message: SocketMessage
    package let socket: SocketIdentity
  }

  private struct State {
    var entries: [Entry] = []
    /// How often declared events came; clients choose other names.
    var events: [EventKey: Int] = [:]
    var held = 0
    var count = 0
  }

  private struct EventKey: Hashable {
    let path: String
    let name: String
    let isFromClient: Bool
  }

  private let state = Lock(State())

  package static let limit = 1_000
  /// The most bytes of all of them.
  package static let byteLimit = 4 << 20

  /// Adds a message, and drops the oldest ones beyond the limits, many at a time.
  package func append(_ message: SocketMessage, of socket: SocketIdentity) {
    state.withLock { state in
      state.count += 1
      if message.kind == .event, let name = message.event,
        socket.description.declares(name, isFromClient: message.isFromClient)
      {
        let key = EventKey(path: socket.description.path, name: name, isFromClient: message.isFromClient)
        state.events[key, default: 0] += 1
      }
      state.held += message.held
      state.entries.append(Entry(number: state.count, message: message, socket: socket))
      guard state.entries.count > 2 * Self.limit || state.held > Self.byteLimit else { return }
      var surplus = max(0, state.entries.count - Self.limit)
      state.held -= state.entries[..<surplus].reduce(0) { $0 + $1.message.held }
      while state.held > Self.byteLimit / 2, surplus < state.entries.count - 1 {
        state.held -= state.entries[surplus].message.held
        surplus += 1
      }
      state.entries.removeFirst(surplus)
    }
  }

  /// The messages that are held, the oldest first.
  ///
  /// - Parameter number: Only those after the one with this number.
  package func entries(after number: Int = 0) -> [Entry] {
    state.withLock { state in
      guard number < state.count else { return [] }
      return Array(state.entries.suffix(min(Self.limit, state.count - number)))
    }
  }

  package func count(of cell: EventCell) -> Int {
    state.withLock { $0.events[EventKey(path: cell.path, name: cell.event, isFromClient: cell.isFromClient)] ?? 0 }
  }

  package var newest: Int { state.withLock(\.count) }
}
