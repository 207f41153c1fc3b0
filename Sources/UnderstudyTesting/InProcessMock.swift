import UnderstudyClient
import UnderstudyMock
import UnderstudyServer
import UnderstudySystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A mock in the process of its tests, which call its admin API without a connection. Its port closes when nothing refers to it.
final class InProcessMock: AdminTransport {
  let mock: UnderstudyMock.Mock
  let usesTLS: Bool
  var showsSecrets: Bool { true }
  private let server: MockServer

  /// Binds a port for the mock; a lane may have a port of its own.
  init(_ mock: UnderstudyMock.Mock, usesTLS: Bool) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.sharesLoops = true
    // Clients of HTTP close their output when they give up.
    configuration.allowsHalfClosure = false
    // A test ends when its clients are done: no request is on its way.
    configuration.lastCall = .zero
    // When the test has ended, a response that is still being sent has no receiver.
    configuration.shutdownLimit = .milliseconds(50)
    if usesTLS { configuration.security = try TestSecurity.shared() }
    self.mock = mock
    self.usesTLS = usesTLS
    server = try await MockServer(mock, configuration: configuration, journal: Self.limits)
  }

  /// Many tests share the journal, sweeps with long bodies among them, and each asks for all requests of its lane.
  private static var limits: Journal.Limits {
    var limits = Journal.Limits()
    (limits.exchanges, limits.bytes) = (20_000, 256 << 20)
    return limits
  }

  deinit {
    Task { [server] in await server.stop() }
  }

  /// The mock as lanes name it.
  func running() throws -> RunningMock {
    guard let url = URL(string: server.baseURL) else {
      throw UnderstudyError(.unreachable, "\(server.baseURL) is not a URL")
    }
    return RunningMock(baseURL: url, transport: self)
  }

  func note(_ sweep: Sweep) throws { try CoverageFolder.current?.write(sweep) }

  func send(_ request: AdminRequest, within limit: Duration) async throws -> AdminResponse {
    guard let method = HTTPRequest.Method(request.method) else {
      throw UnderstudyError(.misused, "`\(request.method)` is not an HTTP method")
    }
    let reply = await server.adminReply(method, request.target, Array(request.body ?? Data()), by: mock)
    return AdminResponse(
      status: reply.status, type: reply.response.headerFields[.contentType] ?? "", body: Data(reply.body))
  }
}

extension UnderstudyClient.Lane {
  /// The mock of this process that has the lane; `nil` for a lane of a mock that runs elsewhere.
  var inProcess: InProcessMock? { mock.transport as? InProcessMock }
}
