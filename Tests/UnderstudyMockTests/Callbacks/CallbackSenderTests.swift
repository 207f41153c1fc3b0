import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudySystem
import UnderstudyTestSupport

/// The sender of callbacks without sockets: the receiver is a closure.
struct CallbackSenderTests {
  private static let fixtures = ["_callbacks/subscribe.onEvent.json": #"{"kind": "made", "by": "file"}"#]

  /// The requests, pauses and reports of a sender.
  private final class Record: Sendable {
    private let state = Lock<([String], [Duration], [ServedRequest], [String])>(([], [], [], []))

    func add(request: String) { state.withLock { $0.0.append(request) } }
    func add(pause: Duration) { state.withLock { $0.1.append(pause) } }
    func add(exchange: ServedRequest) { state.withLock { $0.2.append(exchange) } }
    func add(warning: String) { state.withLock { $0.3.append(warning) } }

    var requests: [String] { state.withLock(\.0) }
    var pauses: [Duration] { state.withLock(\.1) }
    var exchanges: [ServedRequest] { state.withLock(\.2) }
    var warnings: [String] { state.withLock(\.3) }

    var findings: [String] {
      exchanges.flatMap(\.reply.diagnostics).map { "\($0.severity) \($0.rule.id): \($0.message)" }
    }
    var sources: [String] { exchanges.map { "\($0.reply.source)" } }
  }

  private func sender(
    _ record: Record,
    receiver: @escaping @Sendable (HTTPRequest, [UInt8]) async throws -> (HTTPResponse, Body)
  ) -> CallbackSender {
    let sender = CallbackSender()
    var settings = CallbackSender.Settings(
      transport: {
        { request, body in
          var bytes: [UInt8] = []
          for try await piece in body { bytes += piece }
          let text = String(decoding: bytes, as: UTF8.self)
          record.add(
            request:
              "\(request.method) \(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "") \(text)")
          return try await receiver(request, bytes)
        }
      }, report: { exchange in record.add(exchange: exchange) },
      warn: { line in record.add(warning: line) })
    settings.pause = { pause in record.add(pause: pause) }
    sender.use(settings)
    return sender
  }

  private func order(
    _ mock: Mock, _ name: String = "subscribe.onEvent", to url: String = "http://127.0.0.1:1/a", body: JSON? = nil
  ) throws -> CallbackOrder {
    let operation = try #require(mock.sent.first { $0.name == name })
    return CallbackOrder(operation, to: url, body: body, reason: "by admin")
  }

  private static func answering(
    _ status: Int, _ fields: HTTPFields = HTTPFields(), _ body: String = ""
  ) -> @Sendable (HTTPRequest, [UInt8]) async throws -> (HTTPResponse, Body) {
    { _, _ in (HTTPResponse(status: .init(code: status), headerFields: fields), Body(Array(body.utf8))) }
  }

  @Test func `a callback has a body by the contract, of its file, or of the caller`() async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    let sender = sender(record, receiver: Self.answering(204))
    _ = try await sender.send(try order(mock), in: nil)
    _ = try await sender.send(try order(mock, body: .object([("own", true)])), in: "alice")
    _ = try await sender.send(try order(mock, "newPet"), in: nil)
    let written = try CallbackOrderTests.mock(fixtures: Self.fixtures)
    _ = try await self.sender(record, receiver: Self.answering(204)).send(try order(written), in: nil)
    #expect(
      record.requests == [
        #"POST http://127.0.0.1:1/a {"kind":"made"}"#, #"POST http://127.0.0.1:1/a {"own":true}"#,
        #"POST http://127.0.0.1:1/a {"name":"Rex"}"#, #"POST http://127.0.0.1:1/a {"kind":"made","by":"file"}"#,
      ])
    #expect(record.exchanges.map(\.reply.lane) == [nil, "alice", nil, nil])
    #expect(record.sources.first == "receiver of subscribe.onEvent by admin at 127.0.0.1:1")
  }

  @Test func `the response of the receiver is validated by the contract`() async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    _ = try await sender(record, receiver: Self.answering(204)).send(try order(mock), in: nil)
    #expect(record.findings == [])
    _ = try await sender(record, receiver: Self.answering(202)).send(try order(mock), in: nil)
    let json: HTTPFields = [.contentType: "application/json"]
    _ = try await sender(record, receiver: Self.answering(200, json, "{}")).send(try order(mock, "newPet"), in: nil)
    let rules = record.exchanges.map { $0.reply.diagnostics.map { "\($0.owner) \($0.rule.id)" } }
    #expect(rules == [[], ["client resp.status.undocumented"], ["client resp.body.schema"]])
  }

  @Test func `a receiver that fails gets the request again, after growing pauses`() async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    let count = Atomic(0)
    let attempts = try await sender(record) { _, _ in
      switch count.add(1, ordering: .relaxed).newValue {
      case 1: throw UpstreamFailure(.refused, "connection refused")
      case 2: return (HTTPResponse(status: .serviceUnavailable), Body())
      default: return (HTTPResponse(status: .noContent), Body())
      }
    }.send(try order(mock), in: nil)
    #expect(attempts.map(\.status) == [nil, 503, 204])
    #expect(record.pauses == [.milliseconds(500), .seconds(1)])
    #expect(
      record.findings.first == "warning callback.unanswered: no response to `subscribe.onEvent`: connection refused")
    #expect(record.sources.last == "receiver of subscribe.onEvent by admin at 127.0.0.1:1, attempt 3")
  }

  @Test func `a receiver that never responds is given up after four attempts`() async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    let attempts = try await sender(record) { _, _ in throw UpstreamFailure(.timeout, "no response within 10 s") }
      .send(try order(mock), in: nil)
    #expect(attempts.count == CallbackSender.attemptLimit)
    #expect(record.pauses == [.milliseconds(500), .seconds(1), .seconds(2)])
    #expect(
      record.findings.last == "error callback.unanswered: no response to `subscribe.onEvent`: no response within 10 s")
    #expect(
      record.exchanges.last?.reply.diagnostics.map(\.help)
        == ["it was sent 4 times; `understudy ctl webhook` sends it again"])
  }

  @Test func `a redirect is a finding, and nothing follows it`() async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    let fields: HTTPFields = [.location: "http://evil.example/x"]
    _ = try await sender(record, receiver: Self.answering(307, fields)).send(try order(mock), in: nil)
    #expect(record.requests.count == 1)
    #expect(
      record.findings.last
        == "error callback.redirect: the receiver of `subscribe.onEvent` redirects to `http://evil.example/x`, which is not followed"
    )
  }

  @Test func `an endless response is read up to a limit`() async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    let piece = [UInt8](repeating: 0x20, count: 100_000)
    let read = Atomic(0)
    let exchanges = try await sender(record) { _, _ in
      let endless = AsyncStream { () -> [UInt8]? in
        _ = read.add(1, ordering: .relaxed)
        return piece
      }
      return (HTTPResponse(status: .ok), Body(length: nil, endless))
    }.send(try order(mock, "newPet"), in: nil)
    #expect(exchanges.map(\.status) == [200])
    #expect(read.load(ordering: .relaxed) < 20)
    #expect(exchanges.first?.reply.notValidated.map(\.reason) == [Body.tooLong("response")])
  }

  @Test(arguments: [
    "http://evil.example/", "http://2130706433/", "http://[::ffff:127.0.0.1]/", "http://127.0.0.1@evil.example/",
  ])
  func `nothing is sent to another machine, and the reason is in the journal`(url: String) async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    let sender = sender(record, receiver: Self.answering(204))
    let order = try order(mock, to: url)
    await #expect(throws: TextProblem.self) { try await sender.send(order, in: nil) }
    sender.send([order], in: nil)
    for _ in 0..<10_000_000 where record.exchanges.isEmpty { await Task.yield() }
    #expect(record.requests.isEmpty)
    #expect(record.sources == ["receiver of subscribe.onEvent by admin, not sent"])
    #expect(record.findings.first?.hasPrefix("error callback.target: nothing is sent: `\(url)` is not") == true)
  }

  @Test func `ten thousand callbacks at a time are bounded, and those that are not sent are counted`() async throws {
    let record = Record()
    let mock = try CallbackOrderTests.mock()
    let (gate, opening) = AsyncStream.makeStream(of: Never.self)
    let sender = sender(record) { _, _ in
      for await _ in gate {}
      return (HTTPResponse(status: .noContent), Body())
    }
    let order = try order(mock)
    for _ in 0..<10_000 { sender.send([order], in: nil) }
    let warnings = record.warnings
    #expect(warnings.count == 4)
    #expect(
      warnings.last == """
        1000 callbacks not sent, the last of them `subscribe.onEvent`: 1000 wait already
          help: let the receiver respond faster, or cause fewer of them at a time

        """)
    #expect(record.requests.count <= CallbackSender.runningLimit)
    sender.close()
    opening.finish()
  }
}
