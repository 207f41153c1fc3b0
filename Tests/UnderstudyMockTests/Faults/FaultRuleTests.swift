import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct FaultRuleTests {
  private static let fixtures = ["readNote/200.slow.yaml": "delay: 3s\nfault: close\nbody: {}\n"]

  private func failing<R>(_ rules: [FaultRule], _ body: (Mock) throws -> R) throws -> R {
    try ContractFixture(MockContract.notes, fixtures: Self.fixtures).withMock(
      configure: { $0.faults = rules }, body)
  }

  @Test func `a delay and a fault apply to every answer of the operation`() throws {
    try failing([.delay("readNote=2s"), .fault("readNote=reset")]) { mock in
      #expect(mock.diagnostics.isEmpty)
      for headers in [[:], ["Prefer": "code=404"], ["Prefer": "code=418"], ["Prefer": "example=slow"]] {
        let reply = mock.send("/notes/1", headers)
        #expect(reply.delay == .seconds(2), "\(headers)")
        #expect(reply.fault == .reset, "\(headers)")
      }
      let other = mock.send(.post, "/notes/1")
      #expect(other.delay == .zero)
      #expect(other.fault == nil)
    }
  }

  @Test func `the star applies to all operations, and the last rule for an operation holds`() throws {
    try failing([.delay("*=2s"), .delay("readNote=10ms")]) { mock in
      #expect(mock.send(.post, "/notes/1").delay == .seconds(2))
      #expect(mock.send("/notes/1").delay == .milliseconds(10))
      // There is no operation to delay.
      #expect(mock.send("/elsewhere").delay == .zero)
    }
  }

  @Test func `without a rule the fixture has its own delay and fault`() throws {
    try failing([]) { mock in
      let reply = mock.send("/notes/1", ["Prefer": "example=slow"])
      #expect(reply.delay == .seconds(3))
      #expect(reply.fault == .close)
    }
  }

  @Test func `a request may prefer a delay, which replaces every other one`() throws {
    try failing([.delay("*=2s")]) { mock in
      #expect(mock.send("/notes/1", ["Prefer": "delay=50ms"]).delay == .milliseconds(50))
      #expect(mock.send("/notes/1", ["Prefer": "code=404, delay=1s"]).delay == .seconds(1))
      #expect(mock.send("/notes/1?__delay=250").delay == .milliseconds(250))
      #expect(mock.send("/notes/1", ["Prefer": "code=200"]).delay == .seconds(2))
    }
  }

  @Test(arguments: ["delay=soon", "delay=61s", "delay", "delay="])
  func `a delay that cannot be met is refused`(preference: String) throws {
    try failing([]) { mock in
      let reply = mock.send("/notes/1", ["Prefer": preference])
      #expect(reply.status == 422)
      #expect(reply.text.contains("expected a duration such as `250ms` or `2s`, at most 60 s"))
    }
  }

  @Test func `an unknown operation is reported with a similar one`() throws {
    try failing([.delay("raedNote=2s"), .fault("nothing=reset")]) { mock in
      #expect(
        mock.diagnostics.map(\.message) == [
          "--delay names the operation `raedNote`, which no contract has",
          "--fault names the operation `nothing`, which no contract has",
        ])
      #expect(
        mock.diagnostics.map(\.help) == ["did you mean `readNote`?", "`understudy routes` lists them"])
    }
  }

  @Test func `a rule that cannot be read is reported with what was expected`() {
    let delay = #expect(throws: TextProblem.self) { try FaultRule.delay("readNote=soon") }
    #expect(delay?.message == "`soon` is not a delay")
    let fault = #expect(throws: TextProblem.self) { try FaultRule.fault("readNote=resett") }
    #expect(fault?.help == "did you mean `reset`?")
    let incomplete = #expect(throws: TextProblem.self) { try FaultRule.fault("reset") }
    #expect(incomplete?.message == "`reset` is incomplete")
  }

  // MARK: - Cells

  @Test func `a rule for a cell is for its answers only`() throws {
    let rules: [FaultRule] = try [
      .fault("readNote/404=reset"), .fault("readNote/5XX=hang"), .fault("readNote/found=html"),
      .fault("GET /notes/{id}/200.second=truncate"),
    ]
    try failing(rules) { mock in
      #expect(mock.diagnostics.isEmpty)
      #expect(mock.send("/notes/1", ["Prefer": "code=404"]).fault == .reset)
      #expect(mock.send("/notes/1", ["Prefer": "code=503"]).fault == .hang)
      #expect(mock.send("/notes/1").fault == .html)
      #expect(mock.send("/notes/1", ["Prefer": "example=second"]).fault == .truncate)
      #expect(mock.send(.post, "/notes/1").fault == nil)
    }
  }

  @Test func `a rule for a fixture takes precedence over what the fixture says itself`() throws {
    try failing([.fault("readNote/200.slow=reset")]) { mock in
      #expect(mock.send("/notes/1", ["Prefer": "example=slow"]).fault == .reset)
      #expect(mock.send("/notes/1").fault == nil)
    }
  }

  @Test func `a star with a range is for those answers of all operations`() throws {
    try failing([.fault("*/4XX=close")]) { mock in
      #expect(mock.send("/notes/1", ["Prefer": "code=404"]).fault == .close)
      #expect(mock.send(.post, "/notes/1", ["Prefer": "code=409"]).fault == .close)
      #expect(mock.send("/notes/1").fault == nil)
    }
  }

  @Test func `everything includes requests that reach no operation`() throws {
    try failing([.fault("everything=reset"), .delay("readNote=1s")]) { mock in
      #expect(mock.send("/elsewhere").fault == .reset)
      #expect(mock.send(.delete, "/notes/1").fault == .reset)
      let routed = mock.send("/notes/1")
      #expect(routed.fault == .reset)
      #expect(routed.delay == .seconds(1))
    }
  }

  @Test func `rules that do not exclude each other add up`() throws {
    try failing([.fault("*=bandwidth:10k"), .fault("readNote=reset:body"), .delay("*=5ms")]) { mock in
      let reply = mock.send("/notes/1")
      #expect(reply.fault == .reset(at: .body).and(.bandwidth(10_000)))
      #expect(reply.delay == .milliseconds(5))
    }
  }

  @Test func `an unknown answer is reported with a similar one`() throws {
    try failing([.fault("readNote/fuond=reset"), .fault("readNote/200.none=reset")]) { mock in
      #expect(
        mock.diagnostics.map(\.message) == [
          "--fault names the answer `fuond`, which `readNote` does not have",
          "--fault names the answer `200.none`, which `readNote` does not have",
        ])
      #expect(mock.diagnostics.first?.help == "did you mean `found`?")
    }
  }

  // MARK: - Conditions

  @Test func `a rule counts the answers that it is for`() throws {
    try failing([.fault("readNote=close@first:2")]) { mock in
      let client = LaneClient(mock)
      _ = client.send(.post, "/notes/1")
      #expect((0..<4).map { _ in client.send("/notes/1").fault } == [.close, .close, nil, nil])
      #expect(LaneClient(mock).send("/notes/1").fault == .close, "another lane counts by itself")
    }
  }

  @Test func `two mocks with one seed fail the same requests`() throws {
    func faults(seed: String) throws -> [Bool] {
      let rule = try FaultRule.fault("readNote=reset@50%")
      return try ContractFixture(MockContract.notes).withMock {
        $0.faults = [rule]
        $0.seed = seed
      } _: { mock in
        let client = LaneClient(mock)
        return (0..<64).map { _ in client.send("/notes/1").fault != nil }
      }
    }
    let first = try faults(seed: "7")
    #expect(try faults(seed: "7") == first)
    #expect(try faults(seed: "8") != first)
    #expect(16...48 ~= first.count { $0 })
  }

  @Test func `an outage follows the clock of the mock`() throws {
    let rule = try FaultRule.fault("readNote=close@10s..20s")
    try ContractFixture(MockContract.notes).withMock {
      $0.faults = [rule]
      $0.now = { 1_000_000_000 }
    } _: { mock in
      let client = LaneClient(mock)
      var faults: [Fault?] = []
      for _ in 0..<5 {
        faults.append(client.send("/notes/1").fault)
        client.advance(by: 5)
      }
      #expect(faults == [nil, nil, .close, .close, nil])
    }
  }

  // MARK: - Requests

  @Test func `a request may ask for a fault, which takes precedence`() throws {
    try failing([.fault("*=reset")]) { mock in
      #expect(mock.send("/notes/1", ["Prefer": "fault=hang:head"]).fault == .hang(at: .head))
      #expect(mock.send("/notes/1", ["Prefer": "code=404, fault=\"html+delay:20ms\""]).fault == .html)
      #expect(mock.send("/notes/1?__fault=truncate").fault == .truncate)
      #expect(mock.send("/notes/1?__fault=delay:20ms").delay == .milliseconds(20))
    }
  }

  @Test(arguments: [
    ("fault=rest", "did you mean `reset`?"), ("fault=reset@20%", "leave the condition out"),
    ("fault=delay:61s", "at most 60 s"), ("fault", "expected a fault such as `reset`"),
  ])
  func `a fault that a request cannot have is refused`(preference: String, help: String) throws {
    try failing([]) { mock in
      let reply = mock.send("/notes/1", ["Prefer": preference])
      #expect(reply.status == 422)
      #expect(reply.text.contains(help), "\(reply.text)")
    }
  }
}
