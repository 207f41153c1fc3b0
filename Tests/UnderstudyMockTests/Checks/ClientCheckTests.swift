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

  @Test func `the severity of a check is set like that of any rule`() throws {
    let mock = try ContractFixture(Rule.exampleContract).mock {
      $0.checks = [RetryStorm.settings]
      $0.rules = RuleSettings(levels: [RetryStorm.rule: .off])
    }
    let lane = Lane(mock.newState())
    for _ in 0..<3 {
      let reply = mock.reply(to: Mock.request(.get, "/pets"), body: [], in: lane) { _, _ in
        ReplyOverride(.response(HTTPResponse(status: .serviceUnavailable), body: [], description: "script"))
      }
      #expect(reply.rules.filter { $0.hasPrefix("check.") } == [])
    }
  }

  private enum RetryStorm {
    static let rule = Rule.check.first { $0.id == "check.retry-storm" } ?? .checkMissingRequest
    static let settings = ClientCheckSettings(rule, limit: 0)
  }
}
