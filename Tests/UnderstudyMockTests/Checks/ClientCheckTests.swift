import HTTPTypes
import Synchronization
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
    let clock = Clock()
    var places: [String] = []
    func note(_ number: Int, _ reply: Reply) {
      guard reply.rules.contains(script.check.rule) else { return }
      places.append("request \(number + 1)")
      // The two requests prove it.
      for found in reply.diagnostics where found.rule.id == script.check.rule { #expect(found.notes.count == 2) }
    }
    let steps = try script.exchange.request.split(separator: "\n").map { try Step(String($0)) }
    var replies: [Int: Reply] = [:]
    let events = steps.enumerated().flatMap {
      [($0.element.time, $0.offset, false), ($0.element.end, $0.offset, true)]
    }
    for (time, number, isEnd) in events.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      clock.time.store(time, ordering: .relaxed)
      if isEnd {
        guard var reply = replies.removeValue(forKey: number), reply.changesAtEnd else { continue }
        let hasEnded = reply.end(within: .unlimited)
        #expect(hasEnded)
        note(number, reply)
      } else {
        let step = steps[number]
        let now = LaneTime { clock.time.load(ordering: .relaxed) }
        let reply = mock.reply(to: step.request, body: step.body, in: lane, at: now) { _, _ in
          ReplyOverride(.response(step.response, body: [], description: "script"), delay: step.delay)
        }
        #expect(reply.operation != nil)
        note(number, reply)
        replies[number] = reply
      }
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

  private final class Clock: Sendable {
    let time = Atomic(0)
  }

  /// `1.5s GET /pets, Authorization: a, {"name": "Tom"} -> 200, Retry-After: 2`; `-> 200 after 2s`, `-> left after 2s`
  private struct Step {
    let time: Int
    /// When the client has the answer, or leaves.
    let end: Int
    let delay: Duration
    let request: HTTPRequest
    let body: [UInt8]
    let response: HTTPResponse

    init(_ line: String) throws {
      let sides = line.split(separator: " -> ")
      let parts = String(try #require(sides.first)).split(separator: ", ").map(String.init)
      let words = parts[0].split(separator: " ").map(String.init)
      time = 1_000_000_000_000 + (try Self.microseconds(words[0]))
      var headers: [String: String] = [:]
      var text = ""
      for part in parts.dropFirst() {
        if part.hasPrefix("{") { text = part } else { (headers[try Self.name(part)]) = try Self.value(part) }
      }
      if !text.isEmpty { headers["Content-Type"] = "application/json" }
      body = Array(text.utf8)
      request = Mock.request(try #require(HTTPRequest.Method(words[1])), words[2], headers, body: text)
      let last = String(try #require(sides.last))
      let late = last.firstRange(of: " after ").map { (last[..<$0.lowerBound], String(last[$0.upperBound...])) }
      let wait = try late.map { try Self.microseconds($0.1) } ?? 0
      end = time + wait
      // A client that leaves does not wait for the answer.
      delay = late?.0 == "left" ? .seconds(3600) : .microseconds(wait)
      let answer = (late?.0 == "left" ? "200" : late.map { String($0.0) } ?? last).split(separator: ", ").map(
        String.init)
      var fields = HTTPFields()
      for part in answer.dropFirst() {
        fields[try #require(HTTPField.Name(try Self.name(part)))] = try Self.value(part)
      }
      response = HTTPResponse(status: .init(code: try #require(Int(answer[0]))), headerFields: fields)
    }

    private static func microseconds(_ text: String) throws -> Int {
      Int((try #require(Double(text.dropLast())) * 1_000_000).rounded())
    }

    private static func name(_ part: String) throws -> String { String(try #require(part.split(separator: ":").first)) }

    private static func value(_ part: String) throws -> String {
      String(part[try #require(part.firstRange(of: ": ")).upperBound...])
    }
  }
}
