import Dispatch
import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// The log of a server, which event loops append to.
struct LineQueueTests {
  /// A queue whose thread waits with its first text, `first`, until the gate is open.
  private struct HeldQueue {
    let queue: LineQueue
    let gate: Awaited<Bool>
    let written: Awaited<String>

    init() throws {
      let (gate, written) = (Awaited(false), Awaited(""))
      queue = LineQueue { text in
        written.change { $0 += text }
        _ = gate.waits { $0 }
      }
      (self.gate, self.written) = (gate, written)
      queue.notify("first\n")
      try #require(written.waits { $0 == "first\n" })
    }

    /// Everything that was written.
    func finished() -> String {
      gate.change { $0 = true }
      queue.finish("last\n")
      return written.value
    }
  }

  private static func redacted(_ text: String) -> Redacted<String> {
    var redactor = Redactor()
    return redactor.redact(text: text)
  }

  @Test func `a text that takes work is made by the thread of the log, in its place`() {
    let written = Awaited("")
    let gate = DispatchSemaphore(value: 0)
    let queue = LineQueue { text in written.change { $0 += text } }
    queue.notify("first\n")
    queue.append(size: 10, lines: 1) {
      Self.redacted(gate.wait(timeout: .now() + 20) == .success ? "second\n" : "too late\n")
    }
    queue.notify("third\n")
    gate.signal()
    queue.finish("last\n")
    #expect(written.value == "first\nsecond\nthird\nlast\n")
  }

  @Test func `what waiting texts hold is bounded, and the lines beyond are counted`() throws {
    let held = try HeldQueue()
    held.queue.append(size: 30 << 20, lines: 1) { Self.redacted("long\n") }
    held.queue.append(size: 10 << 20, lines: 3) { Self.redacted("longer\n") }
    #expect(
      held.finished() == "first\nlong\n3 lines lost: they were not read as fast as they were printed\nlast\n")
  }

  @Test func `an exchange of any size is logged where nothing waits`() throws {
    let held = try HeldQueue()
    held.queue.append(size: 100 << 20, lines: 1) { Self.redacted("long\n") }
    held.queue.notify("short\n")
    #expect(held.finished() == "first\nlong\nshort\nlast\n")
  }

  private static func mock() throws -> Mock {
    try ContractFixture(
      ContractFixture.text(
        paths: """
            /notes:
              get:
                operationId: listNotes
                parameters: [{name: token, in: query, schema: {type: integer}}]
                responses: {"200": {description: d}}

          """)
    ).mock()
  }

  private static func log(_ mock: Mock, _ reasons: UnvalidatedReasons = UnvalidatedReasons()) -> RequestLog {
    RequestLog(
      style: .plain, redactor: Redactor(mock.contracts.map(\.compiled.secrets), style: .marker), showsOwner: false,
      showsUnvalidated: false, reasons: reasons)
  }

  /// An exchange with a reply that is changed before it is logged.
  private static func exchange(_ target: String, by mock: Mock, _ change: (inout Reply) -> Void) -> ServedRequest {
    let request = HTTPRequest(method: .get, scheme: "http", authority: "t", path: target)
    var reply = mock.reply(to: request, body: [])
    change(&reply)
    return ServedRequest(
      startedAt: 0, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: reply.status)
  }

  @Test func `no line of the log is begun by a name or a value`() throws {
    let forged = "a\n::stop-commands::b\r\n##[error]c"
    let mock = try Self.mock()
    let exchange = Self.exchange("/notes?x=%0A::stop-commands::b", by: mock) { reply in
      reply.source = ReplySource(.written("fixture \(forged)"))
      reply.diagnostics = [
        Diagnostic(
          .requestPathUnknown, forged, at: Location(exchange: "/body"), notes: [Diagnostic.Note(forged)], help: forged)
      ]
      reply.notValidated = [ValidationResult.NotValidated(pointer: forged, reason: forged)]
    }
    let held = try HeldQueue()
    Self.log(mock).write(exchange, to: held.queue)
    let lines = held.finished().split(separator: "\n")
    #expect(lines.count == 7, "\(lines)")
    #expect(lines.allSatisfy { !$0.hasPrefix("::") && !$0.hasPrefix("##[") }, "\(lines)")
  }

  /// The findings of an exchange are searched for its secrets, which reads its bodies.
  @Test func `the secrets of an exchange with findings are hidden by the thread of the log`() throws {
    let mock = try Self.mock()
    let exchange = Self.exchange("/notes?token=qs3cret", by: mock) { reply in
      reply.notValidated = [ValidationResult.NotValidated(pointer: "/body", reason: "a reason")]
    }
    #expect(!exchange.reply.diagnostics.isEmpty)
    let reasons = UnvalidatedReasons()
    let held = try HeldQueue()
    Self.log(mock, reasons).write(exchange, to: held.queue)
    // The text would have taken the reason.
    #expect(reasons.new(in: exchange.reply.notValidated).count == 1)
    let text = held.finished()
    #expect(text.contains("GET /notes?token=") && text.contains("req."))
    #expect(!text.contains("qs3cret"), "\(text)")
  }
}
