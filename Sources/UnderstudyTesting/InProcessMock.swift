import Foundation
import UnderstudyClient
import UnderstudyMock
import UnderstudyServer
import UnderstudySystem

/// A mock in the process of its tests, which call its admin API without a connection.
final class InProcessMock: AdminTransport {
  private let mock: UnderstudyMock.Mock
  private let server: MockServer
  let usesTLS: Bool

  /// Binds a port for the mock; each lane may have another one of its own.
  init(_ mock: UnderstudyMock.Mock, usesTLS: Bool) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.sharesLoops = true
    // Clients of HTTP close their output when they give up.
    configuration.allowsHalfClosure = false
    // A test ends when its clients are done: no request is on its way.
    configuration.lastCall = .zero
    // When the test has ended, an answer that is still under way has no receiver.
    configuration.shutdownLimit = .milliseconds(50)
    if usesTLS { configuration.security = try TestSecurity.shared() }
    self.mock = mock
    self.usesTLS = usesTLS
    server = try await MockServer(mock, configuration: configuration)
  }

  /// The mock as lanes name it.
  func running() throws -> RunningMock {
    guard let url = URL(string: server.baseURL) else { throw UnderstudyError("\(server.baseURL) is not a URL") }
    return RunningMock(baseURL: url, transport: self)
  }

  func send(_ request: AdminRequest, within limit: Duration) async throws -> AdminResponse {
    guard let method = HTTPRequest.Method(request.method) else { throw URLError(.badURL) }
    let reply = await server.adminReply(method, request.target, Array(request.body ?? Data()), by: mock)
    return AdminResponse(
      status: reply.status, type: reply.response.headerFields[.contentType] ?? "", body: Data(reply.body))
  }

  func stop() async { await server.stop() }
}

/// The mocks of this process that tests share: one for each contract.
actor SharedMocks {
  static let all = SharedMocks()

  private var known: [ObjectIdentifier: Task<RunningMock, any Error>] = [:]

  func running(_ mock: UnderstudyMock.Mock, usesTLS: Bool) async throws -> RunningMock {
    let task = known[ObjectIdentifier(mock)] ?? Task { try await InProcessMock(mock, usesTLS: usesTLS).running() }
    known[ObjectIdentifier(mock)] = task
    return try await task.value
  }
}
