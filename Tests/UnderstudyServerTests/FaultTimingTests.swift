import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

/// Slow answers, and faults of some answers only, as a socket sees them.
extension OverSockets {
  struct FaultTimingTests {
    private static let body = #"{"name":"Tom"}"#

    private static func responder(_ fault: Fault) -> Responder {
      let ready = PreparedResponse(
        index: 0, response: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        body: Array(body.utf8))
      return Responder(prepared: [ready]) { request, _ in
        Reply(.prepared(ready), fault: request.path == "/fine" ? nil : fault, reason: "test")
      }
    }

    // MARK: - Pauses

    /// What a client has of a slow answer at the end of the server, and the whole answer.
    ///
    /// The server ends its connections long before the pauses of the answer are over.
    private func start(of fault: Fault) async throws -> (beginning: String, whole: String) {
      var (beginning, whole) = ("", "")
      try await serving(Self.responder(fault)) { port, server in
        let fine = try RawClient(port: port)
        try fine.get("/fine")
        whole = try fine.text(through: Self.body)
        let client = try RawClient(port: port)
        try client.get("/")
        beginning = try client.bytes(1)
        await server.shutdown()
        beginning += try client.rest().text
      }
      return (beginning, whole)
    }

    @Test func `the head of an answer that stalls arrives alone`() async throws {
      let (beginning, whole) = try await start(of: .stall(.seconds(60)))
      #expect(beginning.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(beginning.hasSuffix("\r\n\r\n"))
      #expect(beginning.utf8.count == whole.utf8.count - Self.body.utf8.count)
    }

    @Test func `the first piece of an answer that drips is a twentieth of it`() async throws {
      let (beginning, whole) = try await start(of: .drip(over: .seconds(3600)))
      #expect(beginning.utf8.count == (whole.utf8.count + 19) / 20)
      #expect(whole.hasPrefix(beginning))
    }

    @Test func `of an answer with one byte a second most is still to come`() async throws {
      let (beginning, whole) = try await start(of: .bandwidth(1))
      #expect(beginning.utf8.count < whole.utf8.count / 2)
      #expect(beginning.hasPrefix("H"))
    }

    @Test func `a slow answer that breaks does not break before its pause`() async throws {
      let (beginning, _) = try await start(of: .reset(at: .body).and(.stall(.seconds(60))))
      #expect(beginning.hasSuffix("\r\n\r\n"))
    }

    // MARK: - Conditions

    private static let contract = """
      openapi: 3.1.0
      info: {title: Jobs, version: "1"}
      paths: {/job: {get: {operationId: readJob, responses: {"204": {description: Done}}}}}
      """

    private func mock(
      _ fault: String, seed: String = "0", now: @escaping @Sendable () -> Int = { 0 }
    ) throws -> Mock {
      let rule = try FaultRule.fault("readJob=\(fault)")
      return try ContractFixture(Self.contract).mock { options in
        options.faults = [rule]
        options.seed = seed
        options.now = now
      }
    }

    /// The status of each of some answers, or the end of the connection of one that gets no byte.
    private func answers(_ mock: Mock, _ count: Int, before: (Int) -> Void = { _ in }) async throws -> [String] {
      var answers: [String] = []
      try await serving(mock.responder) { port, _ in
        for number in 0..<count {
          before(number)
          let client = try RawClient(port: port)
          try client.get("/job", "Connection: close\r\n")
          let rest = try client.rest()
          answers.append(rest.text.isEmpty ? "\(rest.end)" : String(rest.text.dropFirst(9).prefix(3)))
        }
      }
      return answers
    }

    @Test func `three good answers and two empty ones come in turn`() async throws {
      let round = ["204", "204", "204", "closed", "closed"]
      #expect(try await answers(try mock("close@flap:3:2"), 10) == round + round)
    }

    @Test func `an outage begins and ends by the clock, in each of its periods`() async throws {
      let start = 1_700_000_000_000_000
      let clock = Awaited(start)
      let steps = [
        (0, "204"), (9_999_999, "204"), (10_000_000, "reset"), (29_999_999, "reset"), (30_000_000, "204"),
        (69_999_999, "204"), (70_000_000, "reset"), (90_000_000, "204"),
      ]
      let mock = try mock("reset@10s..30s/60s") { clock.value }
      let answers = try await answers(mock, steps.count) { number in clock.change { $0 = start + steps[number].0 } }
      #expect(answers == steps.map(\.1))
    }

    @Test func `the seed chooses the answers that a fault by chance is for`() async throws {
      var chosen: [[String]] = []
      for seed in ["0", "1"] {
        let mock = try mock("close@50%", seed: seed)
        var state = mock.newState()
        let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/job")
        let expected = (0..<40).map { _ in
          mock.reply(to: request, in: &state).fault == .close ? "closed" : "204"
        }
        let answers = try await answers(mock, 40)
        #expect(answers == expected)
        #expect(Set(answers) == ["204", "closed"])
        chosen.append(answers)
      }
      #expect(chosen[0] != chosen[1])
    }
  }
}
