package import HTTPTypes
public import UnderstudyMock

/// A mock that listens on a port of this machine.
public final class MockServer: Sendable {
  /// `http://127.0.0.1:49152`, without the paths of the contract's `servers`.
  public let baseURL: String
  /// The port that was bound.
  public let port: Int
  private let server: HTTPServer
  private let host: MockHost
  private let lanes: LaneServers

  /// Binds a port and serves the mock until `stop()`.
  ///
  /// - Parameters:
  ///   - mock: The mock that answers.
  ///   - host: A name or address of this machine.
  ///   - port: 0 to 65535; 0 lets the system choose a free one.
  /// - Throws: `MockServerError` when the port cannot be bound.
  public convenience init(_ mock: Mock, host: String = "127.0.0.1", port: Int = 0) async throws(MockServerError) {
    guard 0...65535 ~= port else {
      throw MockServerError(description: "`\(port)` is not a valid port: expected 0 to 65535")
    }
    var configuration = ServerConfiguration()
    configuration.host = host
    configuration.port = port
    // A test stops its server when its clients are done.
    configuration.lastCall = .milliseconds(10)
    try await self.init(mock, configuration: configuration)
  }

  /// Binds the port of a configuration and serves the mock until `stop()`.
  ///
  /// - Parameter limits: The limits of the journal, which all lanes share.
  package init(
    _ mock: Mock, configuration: ServerConfiguration, journal limits: Journal.Limits = Journal.Limits()
  ) async throws(MockServerError) {
    var configuration = configuration
    configuration.servesLanes = true
    let served = MockHost(
      lanes: MemoryLanes(mock.newState()), journal: Journal(limits: limits),
      admin: AdminSettings(isLocal: configuration.isLocal))
    self.host = served
    configuration.connections = served.connections
    let observer = ExchangeObserver(
      open: { served.journal.open($0) },
      message: { message, socket, _ in served.journal.traffic.append(message, of: socket) },
      report: { served.journal.append($0, from: $1) })
    server = HTTPServer(responder: served.responder(for: mock), configuration: configuration, observer: observer)
    lanes = LaneServers(of: served, mock, configuration, observer: observer)
    served.lanePorts.use(lanes)
    do {
      let address = try await server.start()
      baseURL = address.url
      self.port = address.port
    } catch {
      throw MockServerError(description: error.description)
    }
  }

  /// Returns the reply of the admin API to a request that no connection carries, which may ask for secrets.
  package func adminReply(_ method: HTTPRequest.Method, _ target: String, _ body: [UInt8], by mock: Mock) async -> Reply
  {
    let address = baseURL.split(separator: "://", maxSplits: 1).map(String.init)
    let request = HTTPRequest(method: method, scheme: address.first, authority: address.last, path: target)
    guard let reply = host.adminReply(to: request, body, by: mock, isFromProcess: true) else { return .unavailable }
    guard let forward = reply.forward else { return reply }
    return await forward.reply(by: { _, _ in throw UpstreamFailure(.closed, "the mock has no upstream") }, body: Body())
  }

  /// Replaces the mock. Answers in progress are finished by the old one. A stateful mock keeps the items of its clients,
  /// except in collections whose seeds or schema have changed.
  public func replace(_ mock: Mock) async {
    await server.replace(responder: host.responder(for: mock))
    await lanes.replace(mock)
  }

  /// Finishes the answers in progress and closes the port.
  public func stop() async {
    host.endStreams()
    await lanes.shutdown()
    await server.shutdown()
  }
}

/// Why a mock could not listen.
public struct MockServerError: Error, Sendable, CustomStringConvertible {
  /// The problem and what to do next.
  public let description: String
}

/// Serves a mock while `body` runs.
///
/// - Parameters:
///   - mock: The mock that answers.
///   - port: 0 to 65535; 0 lets the system choose a free one.
///   - body: Gets the running server, which stops when `body` ends.
/// - Throws: `MockServerError` when the port cannot be bound, and what `body` throws.
public func withMockServer<Result: Sendable>(
  _ mock: Mock, port: Int = 0, _ body: (MockServer) async throws -> Result
) async throws -> Result {
  let server = try await MockServer(mock, port: port)
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}
