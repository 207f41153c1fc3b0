import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The client scripts of the checks, which `understudy explain` shows.
struct ClientCheckTests {
  private struct Script: Sendable, CustomTestStringConvertible {
    let check: ClientCheckSettings
    let exchange: Rule.ExchangeExample
    var testDescription: String { "\(check.name): \(exchange.request)" }
  }

  private static let scripts = ClientChecks.all.flatMap { check in
    check.rule.exchanges.map { Script(check: check.defaults, exchange: $0) }
  }

  @Test(arguments: scripts) private func `a check reports the requests that break it, and no others`(
    _ script: Script
  ) throws {
    let mock = try ContractFixture(Rule.exampleContract).mock()
    var state = mock.newState()
    state.checks = [script.check]
    let lane = Lane(state)
    var places: [String] = []
    try ClientScript(script.exchange.request).play(on: mock, in: lane) { number, _, reply in
      #expect(reply.operation != nil)
      guard reply.rules.contains(script.check.rule) else { return }
      places.append("request \(number + 1)")
      // The two requests prove it.
      for found in reply.diagnostics where found.rule.id == script.check.rule { #expect(found.notes.count == 2) }
    }
    #expect(places == script.exchange.places)
    #expect(lane.value.findings.filter { $0.diagnostic.rule.id == script.check.rule }.isEmpty == places.isEmpty)
  }

  @Test func `every check but those that need settings has a client that breaks it and one that keeps it`() {
    // Those of sockets are about events.
    let checks = ClientChecks.all.filter { !($0 is any SocketCheck.Type) }
    for check in checks where !["check.kept-fields", "check.offered-values"].contains(check.rule.id) {
      #expect(check.rule.exchanges.contains { $0.places.isEmpty }, "\(check.rule.id)")
      #expect(check.rule.exchanges.contains { !$0.places.isEmpty }, "\(check.rule.id)")
    }
  }

  @Test(
    arguments: [
      (nil, 9, true), (nil, 10, false), ("Sun, 06 Nov 1994 08:49:27 GMT", 19, true),
      ("Sun, 06 Nov 1994 08:49:27 GMT", 20, false),
    ] as [(String?, Int, Bool)])
  func `a date in Retry-After counts from the Date of the answer, else from its time`(
    date: String?, seconds: Int, isEarly: Bool
  ) throws {
    let settings = try ClientCheckSettings(argument: "retry-after")
    let mock = try ContractFixture(Rule.exampleContract).mock { $0.checks = [settings] }
    let lane = Lane(mock.newState())
    var fields: HTTPFields = [.retryAfter: "Sun, 06 Nov 1994 08:49:47 GMT"]
    fields[.date] = date
    let response = HTTPResponse(status: .tooManyRequests, headerFields: fields)
    let rules = [0, seconds].map { wait in
      // Sun, 06 Nov 1994 08:49:37 GMT
      let time = (784_111_777 + wait) * 1_000_000
      let reply = mock.reply(to: Mock.request(.get, "/pets"), body: [], in: lane, at: LaneTime { time }) { _, _ in
        ReplyOverride(.response(response, body: [], description: "script"))
      }
      return reply.rules.filter { $0.hasPrefix("check.") }
    }
    let expected: [[String]] = [[], isEarly ? ["check.retry-after"] : []]
    #expect(rules == expected)
  }

  @Test func `a check that is off reports nothing`() throws {
    let mock = try ContractFixture(Rule.exampleContract).mock()
    let lane = Lane(mock.newState())
    for _ in 0..<20 {
      let reply = mock.reply(to: Mock.request(.get, "/pets"), body: [], in: lane) { _, _ in
        ReplyOverride(.response(HTTPResponse(status: .serviceUnavailable), body: [], description: "script"))
      }
      #expect(reply.rules.filter { $0.hasPrefix("check.") } == [])
    }
  }

  /// The severities of the findings of `retry-storm` for three requests that fail.
  private func severities(_ rules: RuleSettings, isNamed: Bool) throws -> [Severity] {
    let mock = try ContractFixture(Rule.exampleContract).mock {
      if isNamed { $0.checks = [RetryStorm.settings] }
      $0.rules = rules
    }
    var state = mock.newState()
    state.add([RetryStorm.settings])
    let lane = Lane(state)
    return (0..<3).flatMap { _ in
      mock.reply(to: Mock.request(.get, "/pets"), body: [], in: lane) { _, _ in
        ReplyOverride(.response(HTTPResponse(status: .serviceUnavailable), body: [], description: "script"))
      }
      .diagnostics.filter { $0.rule == RetryStorm.rule }.map(\.severity)
    }
  }

  @Test(arguments: RuleSettings.Level.allCases)
  func `the configuration sets the severity of a check as of any rule`(level: RuleSettings.Level) throws {
    let severity = Severity(rawValue: level.rawValue)
    let found = try severities(RuleSettings(levels: [RetryStorm.rule: level]), isNamed: false)
    #expect(found == (severity.map { [$0, $0] } ?? []))
  }

  @Test(arguments: RuleSettings.Level.allCases)
  func `a check that the command line names is an error at any severity of the configuration`(
    level: RuleSettings.Level
  ) throws {
    let rules = RuleSettings(
      levels: [RetryStorm.rule: level],
      scopes: [RuleSettings.Scope(operationId: "GET_pets", levels: [RetryStorm.rule: level])])
    #expect(try severities(rules, isNamed: true) == [.error, .error])
  }

  @Test(arguments: [
    ("?=", "req.param.undeclared"), ("?limt=1", "req.param.undeclared"), ("?=", "req.param.undeclared:GET_pets"),
  ])
  func `a rule about requests that is checked by name is an error, and the response stays`(
    query: String, check: String
  ) throws {
    let settings = try ClientCheckSettings(argument: check)
    let plain = try ContractFixture(Rule.exampleContract).mock()
    let checked = try ContractFixture(Rule.exampleContract).mock { $0.checks = [settings] }
    let request = Mock.request(.get, "/pets\(query)")
    let (before, after) = (plain.reply(to: request), checked.reply(to: request, body: [], in: Lane(checked.newState())))
    #expect(before.diagnostics.map(\.severity) == [.warning] && after.diagnostics.map(\.severity) == [.error])
    #expect(before.status == after.status && before.text == after.text && before.reason == after.reason)
  }

  @Test func `a rule that is off by default is checked in a mock, and in no lane`() throws {
    let settings = try ClientCheckSettings(argument: "req.header.undeclared")
    let mock = try ContractFixture(Rule.exampleContract).mock { $0.checks = [settings] }
    let reply = mock.reply(to: Mock.request(.get, "/pets", ["X-Mood": "good"]), body: [], in: Lane(mock.newState()))
    #expect(reply.rules == ["req.header.undeclared"] && reply.diagnostics[0].severity == .error)
    let problem = #expect(throws: LaneProblem.self) {
      try LaneOpeningReader.read(Array(#"{"checks": ["req.header.undeclared"]}"#.utf8), for: mock)
    }
    #expect(problem?.message.contains("`req.header.undeclared` is off by default") == true)
  }

  @Test(arguments: [
    ("req.param.undeclard", "did you mean `req.param.undeclared`?"), ("retry-stom", "did you mean `retry-storm`?"),
  ])
  func `a misspelt check gets a suggestion`(name: String, help: String) {
    let problem = #expect(throws: UsageProblem.self) { try ClientCheckSettings(argument: name) }
    #expect(problem?.message == "`\(name)` is not the name of a check" && problem?.help == help)
  }

  @Test func `a rule about requests takes operations alone`() throws {
    let settings = try ClientCheckSettings(argument: "req.param.undeclared:a,b")
    #expect(settings.operations == ["a", "b"] && settings.name == "req.param.undeclared")
    let problem = #expect(throws: UsageProblem.self) { try ClientCheckSettings(argument: "req.param.undeclared=5") }
    #expect(problem?.help == "it has none: `req.param.undeclared`")
  }

  private enum RetryStorm {
    static let rule = Rule.check.first { $0.id == "check.retry-storm" } ?? .checkMissingRequest
    static let settings = ClientCheckSettings(rule, limit: 0)
  }
}
