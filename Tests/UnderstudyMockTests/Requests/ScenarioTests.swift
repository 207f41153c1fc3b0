import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The scenarios of `Tests/Scenarios`, run against the mock.
struct ScenarioTests {
  @Test(arguments: Scenario.all) func `the mock answers as the scenario has it`(_ scenario: Scenario) throws {
    let mock = try #require(Engines.make(scenario.arguments))
    #expect(mock.diagnostics.map(\.message) == [])
    var state = mock.newState()
    state.clock.stopped = 1_670_324_535_120_000
    var whole = state
    let start = Mock.Instant(microsecondsSince1970: 0)
    var kept = Scenario.KeptValues()
    for exchange in scenario.exchanges {
      var fields = HTTPFields()
      for (name, value) in exchange.headers {
        fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
      }
      let method = try #require(HTTPRequest.Method(rawValue: exchange.method))
      let request = HTTPRequest(
        method: method, scheme: "http", authority: "localhost", path: kept.filled(exchange).target,
        headerFields: fields)
      if let pause = exchange.pause {
        let time = try #require(ScenarioDuration.read(pause))
        state.clock.advance(by: time)
        whole.clock.advance(by: time)
      }
      let reply = mock.reply(to: request, body: Array(exchange.body.utf8), in: &state, at: start)
      #expect(reply.status == exchange.status, "\(reply.reason) \(reply.diagnostics.map(\.message))")
      kept.keep(exchange, reply.text)
      #expect(exchange.mistakes(in: reply.text) == [], "\(reply.text)")
      for (name, value) in exchange.expectedHeaders {
        #expect(reply.header(name) == value)
      }
      if let body = exchange.expectedBody {
        #expect(String(decoding: reply.body, as: UTF8.self) == String(decoding: body, as: UTF8.self))
      }
      let findings = reply.diagnostics.map { finding in
        ([finding.message, finding.help ?? ""] + finding.notes.map(\.message)).joined(separator: " ")
      }.joined(separator: "\n")
      for text in exchange.log { #expect(findings.contains(text)) }
      if let rules = exchange.rules { #expect(reply.rules == rules) }
      // What is kept of a lane is all that matters for its next request.
      let expected = mock.reply(to: request, body: Array(exchange.body.utf8), in: &whole, at: start)
      #expect(reply.reason == expected.reason)
      #expect(reply.text == expected.text)
      #expect(reply.rules == expected.rules)
      #expect(state == whole)
      state = try JSONDecoder().decode(LaneState.self, from: try JSONEncoder().encode(state))
    }
    if let verdict = scenario.verdict { #expect(mock.verdict(of: state).findings.map(\.diagnostic.rule.id) == verdict) }
  }
}

/// Engines made from the arguments of `serve`, once for each.
enum Engines {
  static func make(_ arguments: [String]) -> Mock? {
    var contracts: [Contract] = []
    var paths: [String] = []
    var basePaths = BasePathPolicy.servers
    var options = Mock.Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--force": options.forced += rest.popFirst().flatMap { ForcingRule($0) }.map { [$0] } ?? []
      case "--on-invalid": options.onInvalid = rest.popFirst().flatMap { .init(rawValue: $0) } ?? .contract
      case "--no-base-path": basePaths = .fixed("")
      case "--dynamic": options.isDynamic = true
      case "--stateful": options.isStateful = true
      case "--scenario": options.scenario = rest.popFirst()
      case "--check":
        options.checks += rest.popFirst().flatMap { try? ClientCheckSettings(argument: $0) }.map { [$0] } ?? []
      case "--seed": options.seed = rest.popFirst() ?? "0"
      default:
        paths.append(argument)
      }
    }
    for path in paths {
      let loaded = Contract.load(Project.path(path), fixtures: Project.path("fixtures"), basePaths: basePaths)
      guard let contract = loaded.contract else { return nil }
      contracts.append(contract)
    }
    return Mock(contracts: contracts, options: options)
  }
}
