import TestSupport
import Testing

/// The scenarios of `Tests/Scenarios`, run by curl against a live port.
struct LiveScenarioTests {
  @Test(arguments: Scenario.all) func `a live mock answers curl as in the scenario`(_ scenario: Scenario) throws {
    let mock = try ServedMock(scenario.arguments)
    defer { mock.stop() }
    for exchange in scenario.exchanges {
      let answer = try Curl.send(exchange, to: mock.url)
      #expect(answer.status == exchange.status)
      for (name, value) in exchange.expectedHeaders { #expect(answer.headers[name.lowercased()] == value) }
      if let body = exchange.expectedBody { #expect(answer.body == String(decoding: body, as: UTF8.self)) }
      for text in exchange.log + (exchange.rules ?? []).map({ "[\($0)]" }) {
        #expect(mock.waits(for: text), "the log holds: \(mock.printed)")
      }
    }
  }
}
