package import UnderstudyMock
import UnderstudySystem

/// The servers of the lanes that have ports of their own, beside that of the mock.
package final class LaneServers: Sendable {
  private struct Entry: Sendable {
    let lane: LaneName
    let server: HTTPServer
    let address: ServerAddress
    /// Whether it stays when its lane is closed.
    let isFixed: Bool
  }

  private struct State: Sendable {
    var mock: Mock
    var entries: [Entry] = []
    var opening: Set<LaneName> = []
    var isStopped = false
  }

  /// The most ports; each takes a descriptor, and each of its clients another one.
  package static let limit = 1_000

  private let host: MockHost
  private let configuration: ServerConfiguration
  private let transport: Transport?
  private let tunnels: TunnelTransport?
  private let observer: ExchangeObserver
  private let state: Lock<State>

  /// - Parameters:
  ///   - host: That of the mock.
  ///   - mock: The mock that answers.
  ///   - configuration: That of the mock's own server, whose loops those of lanes do not use.
  ///   - transport: Sends forwarded requests to the upstream.
  ///   - tunnels: Relays WebSockets to the upstream.
  ///   - observer: Gets finished exchanges.
  package init(
    of host: MockHost, _ mock: Mock, _ configuration: ServerConfiguration, transport: Transport? = nil,
    tunnels: TunnelTransport? = nil, observer: ExchangeObserver
  ) {
    var configuration = configuration
    // Many lanes with threads of their own would be more threads than a process may have.
    configuration.sharesLoops = true
    (self.host, self.configuration, self.transport, self.observer) = (host, configuration, transport, observer)
    self.tunnels = tunnels
    state = Lock(State(mock: mock))
  }

  /// The lanes with their addresses, in the order in which they opened.
  package var addresses: [(lane: LaneName, address: ServerAddress)] {
    state.withLock { $0.entries.map { ($0.lane, $0.address) } }
  }

  func port(of lane: LaneName) -> Int? {
    state.withLock { state in state.entries.first { $0.lane == lane }?.address.port }
  }

  /// Begins to serve a lane at a port; 0 asks the system for a free one.
  ///
  /// - Parameter isFixed: Whether the port stays when its lane is closed.
  /// - Throws: Where the port cannot be bound.
  @discardableResult
  package func open(_ lane: LaneName, port: Int, isFixed: Bool) async throws(ServerStartError) -> ServerAddress {
    let mock: Mock? = state.withLock { state in
      guard !state.isStopped, state.entries.count + state.opening.count < Self.limit else { return nil }
      return state.opening.insert(lane).inserted ? state.mock : nil
    }
    guard let mock else {
      throw ServerStartError(
        description:
          "the lane `\(lane)` gets no port: it is getting one, \(Self.limit) lanes have one, or the mock stops")
    }
    var configuration = configuration
    configuration.port = port
    if !isFixed {
      // Whoever closes a lane has its answers.
      configuration.lastCall = .milliseconds(10)
      configuration.shutdownLimit = .seconds(1)
    }
    let server = HTTPServer(
      responder: host.responder(for: mock, in: lane), configuration: configuration, transport: transport,
      tunnels: tunnels, observer: observer)
    do throws(ServerStartError) {
      let address = try await server.start()
      let entry = Entry(lane: lane, server: server, address: address, isFixed: isFixed)
      let isStopped = state.withLock { state in
        state.opening.remove(lane)
        if !state.isStopped { state.entries.append(entry) }
        return state.isStopped
      }
      if isStopped { await server.shutdown() }
      // Files may have changed since.
      let latest = state.withLock { $0.mock }
      if latest !== mock { await server.replace(responder: host.responder(for: latest, in: lane)) }
      return address
    } catch {
      state.withLock { _ = $0.opening.remove(lane) }
      throw error
    }
  }

  /// Takes the port of a lane that was closed; the result ends it, after the answers in progress.
  func close(_ lane: LaneName) -> (@Sendable () async -> Void)? {
    let closed: Entry? = state.withLock { state in
      state.entries.firstIndex { $0.lane == lane && !$0.isFixed }.map { state.entries.remove(at: $0) }
    }
    guard let server = closed?.server else { return nil }
    return { await server.shutdown() }
  }

  package func replace(_ mock: Mock) async {
    let entries = state.withLock { state in
      state.mock = mock
      return state.entries
    }
    for entry in entries { await entry.server.replace(responder: host.responder(for: mock, in: entry.lane)) }
  }

  package func shutdown() async {
    let entries = state.withLock { state in
      state.isStopped = true
      return state.entries
    }
    await withTaskGroup(of: Void.self) { group in
      for entry in entries { group.addTask { await entry.server.shutdown() } }
    }
  }

  package func closeConnections() { for entry in state.withLock(\.entries) { entry.server.closeConnections() } }
}
