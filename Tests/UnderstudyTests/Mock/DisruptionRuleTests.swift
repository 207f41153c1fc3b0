import HTTPTypes
import TestSupport
import Testing
import Understudy

struct DisruptionRuleTests {
  private static let fixtures = ["readNote/200.slow.yaml": "delay: 3s\nfault: close\nbody: {}\n"]

  private func disrupting<R>(_ rules: [DisruptionRule], _ body: (Mock) throws -> R) throws -> R {
    try ContractFixture(MockContract.notes, fixtures: Self.fixtures).withMock(
      configure: { $0.disruptions = rules }, body)
  }

  @Test func `a delay and a fault apply to every answer of the operation`() throws {
    try disrupting([.delay("readNote=2s"), .fault("readNote=reset")]) { mock in
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
    try disrupting([.delay("*=2s"), .delay("readNote=10ms")]) { mock in
      #expect(mock.send(.post, "/notes/1").delay == .seconds(2))
      #expect(mock.send("/notes/1").delay == .milliseconds(10))
      // There is no operation to delay.
      #expect(mock.send("/elsewhere").delay == .zero)
    }
  }

  @Test func `without a rule the fixture has its own delay and fault`() throws {
    try disrupting([]) { mock in
      let reply = mock.send("/notes/1", ["Prefer": "example=slow"])
      #expect(reply.delay == .seconds(3))
      #expect(reply.fault == .close)
    }
  }

  @Test func `a request may prefer a delay, which replaces every other one`() throws {
    try disrupting([.delay("*=2s")]) { mock in
      #expect(mock.send("/notes/1", ["Prefer": "delay=50ms"]).delay == .milliseconds(50))
      #expect(mock.send("/notes/1", ["Prefer": "code=404, delay=1s"]).delay == .seconds(1))
      #expect(mock.send("/notes/1?__delay=250").delay == .milliseconds(250))
      #expect(mock.send("/notes/1", ["Prefer": "code=200"]).delay == .seconds(2))
    }
  }

  @Test(arguments: ["delay=soon", "delay=61s", "delay", "delay="])
  func `a delay that cannot be met is refused`(preference: String) throws {
    try disrupting([]) { mock in
      let reply = mock.send("/notes/1", ["Prefer": preference])
      #expect(reply.status == 422)
      #expect(reply.text.contains("expected a duration such as `250ms` or `2s`, at most 60 s"))
    }
  }

  @Test func `an unknown operation is reported with a similar one`() throws {
    try disrupting([.delay("raedNote=2s"), .fault("nothing=reset")]) { mock in
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
    let delay = #expect(throws: UsageProblem.self) { try DisruptionRule.delay("readNote=soon") }
    #expect(delay?.message == "`soon` is not a delay")
    let fault = #expect(throws: UsageProblem.self) { try DisruptionRule.fault("readNote=resett") }
    #expect(fault?.help == "did you mean `reset`?")
    let incomplete = #expect(throws: UsageProblem.self) { try DisruptionRule.fault("reset") }
    #expect(incomplete?.message == "`reset` is incomplete")
  }
}
