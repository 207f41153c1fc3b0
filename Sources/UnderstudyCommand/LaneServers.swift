import UnderstudyServer
import UnderstudyVerification

/// The servers of the lanes that have ports of their own, beside that of the mock.
struct LaneServers {
  private var servers: [(lane: LaneName, server: HTTPServer, address: ServerAddress)] = []
  private let host: MockHost

  /// Begins to serve each lane at its port.
  /// - Throws: Where a port cannot be bound; then none is.
  init(
    _ ports: [LanePort], of host: MockHost, _ mock: Mock, _ configuration: ServerConfiguration, _ transport: Transport?,
    _ observer: ExchangeObserver
  ) async throws(ServerStartError) {
    self.host = host
    for port in ports {
      var configuration = configuration
      configuration.port = port.port
      let server = HTTPServer(
        responder: host.responder(for: mock, in: port.lane), configuration: configuration, transport: transport,
        observer: observer)
      do throws(ServerStartError) {
        servers.append((port.lane, server, try await server.start()))
      } catch {
        await shutdown()
        throw error.about("--lane-port \(port.lane)=\(port.port)")
      }
    }
  }

  /// For the banner: a line for each lane.
  func text(_ style: TerminalStyle) -> String {
    servers.map { "  lane \($0.lane): \(style.cyan($0.address.url))\n" }.joined()
  }

  /// Answers by another mock.
  func replace(_ mock: Mock) async {
    for (lane, server, _) in servers { await server.replace(responder: host.responder(for: mock, in: lane)) }
  }

  func shutdown() async { for (_, server, _) in servers { await server.shutdown() } }

  func closeConnections() { for (_, server, _) in servers { server.closeConnections() } }
}
