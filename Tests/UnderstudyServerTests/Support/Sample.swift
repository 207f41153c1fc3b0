import HTTPTypes
import UnderstudyMock
import UnderstudyServer
import UnderstudySystem
import UnderstudyTestSupport

/// A responder whose answers depend on the path.
enum Sample {
  static let ready = PreparedResponse(
    index: 0,
    response: HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain", .eTag: "\"1\""]),
    body: Array("ready".utf8))
  static let long = PreparedResponse(
    index: 1, response: HTTPResponse(status: .ok),
    body: [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000))

  /// - `/ready`, `/long`: prepared
  /// - `/status/204`: that status, with a body that may not be sent
  /// - `/fault/reset`: that fault
  /// - `/delay/50`: after as many milliseconds
  /// - all else: the method, the path and the body of the request
  static func responder(validated: @escaping @Sendable (HTTPRequest) -> Void = { _ in }) -> Responder {
    Responder(prepared: [ready, long]) { request, body in
      validated(request)
      let path = request.path ?? "?"
      let parts = path.prefix { $0 != "?" }.split(separator: "/")
      switch (parts.first, parts.last) {
      case ("ready", _): return Reply(.prepared(ready), reason: "ready")
      case ("long", _): return Reply(.prepared(long), reason: "long")
      case ("status", let code?):
        let response = HTTPResponse(status: .init(code: Int(code) ?? 0))
        return Reply(.made(response, body: Array("body".utf8)), reason: "status")
      case ("fault", let name?):
        return Reply(.prepared(ready), fault: try? FaultReader.read(String(name)).fault, reason: "fault")
      case ("delay", let milliseconds?):
        return Reply(.prepared(ready), delay: .milliseconds(Int(milliseconds) ?? 0), reason: "delay")
      default:
        let text = "\(request.method) \(path) \(String(decoding: body, as: UTF8.self))"
        return Reply(.made(HTTPResponse(status: .ok), body: Array(text.utf8)), reason: "echo")
      }
    }
  }
}

/// Lets SwiftNIO end the tests where a server calls an event loop after its end, instead of printing a line about it.
private let strictness: Void = { _ = setenv("SWIFTNIO_STRICT", "1", 1) }()

/// Runs `body` against a server on a free port, with two loops and limits for tests.
func serving(
  _ responder: Responder = Sample.responder(), configure: (inout ServerConfiguration) -> Void = { _ in },
  transport: Transport? = nil, open: @escaping @Sendable (ServedRequest) -> OpenStream? = { _ in nil },
  observer: (@Sendable (ServedRequest) -> Void)? = nil,
  reporting: (@Sendable (ServedRequest, _ loop: Int) -> Void)? = nil,
  _ body: (Int, HTTPServer) async throws -> Void
) async throws {
  _ = strictness
  var configuration = ServerConfiguration()
  configuration.port = 0
  configuration.loops = 2
  configuration.shutdownLimit = .milliseconds(200)
  configuration.lastCall = .milliseconds(5)
  configure(&configuration)
  let server = HTTPServer(
    responder: responder, configuration: configuration, transport: transport,
    observer: reporting.map { ExchangeObserver(open: open, report: $0) }
      ?? observer.map { report in ExchangeObserver(open: open) { exchange, _ in report(exchange) } })
  let address = try await server.start()
  do {
    try await body(address.port, server)
  } catch {
    await server.shutdown()
    throw error
  }
  await server.shutdown()
}
