import Foundation
import Testing
import UnderstudyTestSupport

/// The scenarios of `Tests/Scenarios`, run by curl against a live port.
@Suite(.waitsForProcesses)
struct LiveScenarioTests {
  @Test(arguments: Scenario.all) func `a live mock answers curl as in the scenario`(_ scenario: Scenario) throws {
    let mock = try ServedMock(scenario.arguments)
    defer { mock.stop() }
    if scenario.verdict != nil { try Self.direct(mock, #"{"stopClock": true}"#) }
    var kept = Scenario.KeptValues()
    for exchange in scenario.exchanges {
      if let pause = exchange.pause { try Self.direct(mock, #"{"advance": "\#(pause)"}"#) }
      let answer = try Curl.send(kept.filled(exchange), to: mock.url)
      kept.keep(exchange, answer.body)
      #expect(answer.status == exchange.status)
      #expect(exchange.mistakes(in: answer.body) == [], "\(answer.body)")
      for (name, value) in exchange.expectedHeaders { #expect(answer.headers[name.lowercased()] == value) }
      if let body = exchange.expectedBody { #expect(answer.body == String(decoding: body, as: UTF8.self)) }
      for text in exchange.log + (exchange.rules ?? []).map({ "[\($0)]" }) {
        #expect(mock.waits(for: text), "the log holds: \(mock.printed)")
      }
    }
    guard let verdict = scenario.verdict else { return }
    let lane = try Curl.send(Scenario.Exchange(method: "GET", target: "/__admin/lanes/default"), to: mock.url)
    let read = try JSONDecoder().decode(Lane.self, from: Data(lane.body.utf8))
    #expect(read.verdict.findings.map(\.rule) == verdict)
    #expect(read.verdict.verdict == (verdict.isEmpty ? "passed" : "failed"))
  }

  private struct Lane: Decodable {
    let verdict: Verdict

    struct Verdict: Decodable {
      let verdict: String
      let findings: [FoundRule]
    }

    struct FoundRule: Decodable { let rule: String }
  }

  /// Changes the lane without a name.
  private static func direct(_ mock: ServedMock, _ body: String) throws {
    let change = Scenario.Exchange(
      method: "PATCH", target: "/__admin/lanes/default", headers: [("Content-Type", "application/json")], body: body)
    #expect(try Curl.send(change, to: mock.url).status == 200)
  }
}
