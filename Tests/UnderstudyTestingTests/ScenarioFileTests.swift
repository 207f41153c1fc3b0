import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyTesting

/// The scenarios of `Tests/Scenarios` that end in a verdict, run in tests of a client.
struct ScenarioFileTests {
  private static let scenarios = Scenario.all.filter { $0.verdict != nil }

  @Test(arguments: scenarios) func `a test of a client ends with the verdict of the scenario`(
    _ scenario: Scenario
  ) async throws {
    func value(of option: String) -> String? {
      scenario.arguments.firstIndex(of: option).map { scenario.arguments[$0 + 1] }
    }
    let check = value(of: "--check")
    let found = try await failures(
      of: .understudy(scenario.arguments[0], fixtures: "fixtures", scenario: value(of: "--scenario"))
    ) {
      let lane = try #require(Lane.current)
      try await lane.stopClock()
      if let check { try await lane.expect(checks: Check(stringLiteral: check)) }
      var kept = Scenario.KeptValues()
      for exchange in scenario.exchanges {
        if let pause = exchange.pause { try await lane.advance(by: try #require(ScenarioDuration.read(pause))) }
        let fields = exchange.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let body = exchange.body.isEmpty ? nil : exchange.body
        let answer = try send(exchange.method, kept.filled(exchange).target, fields, body: body)
        kept.keep(exchange, answer.body)
        #expect(answer.status == exchange.status)
        #expect(exchange.mistakes(in: answer.body) == [])
      }
      let reported = try await lane.verdict().findings.map(\.rule)
      #expect(reported == scenario.verdict)
    }
    let errors = scenario.verdict ?? []
    #expect(found.count == errors.count, "\(found)")
    for (text, rule) in zip(found, errors) { #expect(text.contains("[\(rule)]")) }
  }
}
