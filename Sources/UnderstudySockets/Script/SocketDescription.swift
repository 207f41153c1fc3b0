package import UnderstudySchema

/// A socket or a stream that a contract declares in `x-understudy-events`, or the AsyncAPI document beside it.
package struct SocketDescription: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case socketio, websocket, sse, ndjson
    /// Engine.IO without Socket.IO: messages without names.
    case engineio

    /// Whether a client sends on it too.
    package var isTwoWay: Bool { self != .sse && self != .ndjson }
  }

  package var kind = Kind.socketio
  package var path = "/socket.io/"
  /// The namespaces of Socket.IO; other transports have only `/`.
  package var namespaces = ["/"]
  package var operation: String?
  /// The values of the request that it asks for.
  package var conditions: [(path: String, value: JSON)] = []
  package var engine = EngineSettings()
  package var transports: Set<EngineTransport> = [.polling, .websocket]
  /// The time that a client of Socket.IO has to join a namespace.
  package var connectTimeout: Duration = .seconds(45)
  /// The time between two comments of a silent stream, or two pings of a WebSocket; `nil` for none.
  package var heartbeat: Duration?
  /// Whether server-sent events have numbers, which go on after the `Last-Event-ID` of a client.
  package var hasIDs = false
  /// The time before a client of server-sent events connects again; `nil` to leave it to the client.
  package var retry: Duration?
  package var subprotocols: [String] = []
  /// The member of a message that names its event on a WebSocket; `nil` where all are called `message`.
  package var eventKey: String?
  package var events: [Event] = []
  package var rules: [SocketRule] = []

  package init() {}

  package var encoder: StreamEncoder { StreamEncoder(isSSE: kind == .sse) }

  package struct Event: Sendable {
    package var name: String
    package var isFromClient: Bool
    /// The schemas of its arguments, as nodes of the contract.
    package var arguments: [JSON]
    /// Whether the declaration has them, if only an empty list.
    package var hasArguments: Bool
    package var node: JSON

    /// - Parameter arguments: `nil` for any arguments.
    package init(name: String, isFromClient: Bool, arguments: [JSON]?, node: JSON) {
      (self.name, self.isFromClient, self.node) = (name, isFromClient, node)
      (self.arguments, hasArguments) = (arguments ?? [], arguments != nil)
    }
  }

  /// Whether the path has parameters: `/market/{symbol}`.
  package var hasParameters: Bool { path.utf8.contains(UInt8(ascii: "{")) }

  /// Whether a path leads to it. Clients differ in the slash at the end.
  package func answers(_ path: String) -> Bool { parameters(of: path) != nil }

  /// The values of whole, non-empty path segments that are parameters; `nil` if the path leads elsewhere.
  package func parameters(of path: String) -> [(name: String, value: String)]? {
    guard operation == nil else { return nil }
    guard hasParameters else { return Self.bare(path) == Self.bare(self.path) ? [] : nil }
    let segments = Self.bare(path).split(separator: "/", omittingEmptySubsequences: false)
    let template = Self.bare(self.path).split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == template.count else { return nil }
    var values: [(name: String, value: String)] = []
    for (segment, expected) in zip(segments, template) {
      if expected.hasPrefix("{"), expected.hasSuffix("}") {
        guard !segment.isEmpty else { return nil }
        values.append((String(expected.dropFirst().dropLast()), String(segment)))
      } else if segment != expected {
        return nil
      }
    }
    return values
  }

  package func declares(_ event: String, isFromClient: Bool) -> Bool {
    kind.isTwoWay && events.contains { $0.isFromClient == isFromClient && $0.name == event }
  }

  private static func bare(_ path: String) -> Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }
}
