import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The requests that fixtures answer are asked of a running server as well.
struct FixtureRequestsTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    paths:
      /chats/{uid}:
        get:
          operationId: readChat
          parameters:
            - {name: uid, in: path, required: true, schema: {type: string}}
            - {name: since, in: query, schema: {type: string, format: date-time}}
            - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}
            - {name: X-Mood, in: header, schema: {type: string, minLength: 2}}
          responses: {"200": {description: OK}, "400": {description: No}, "404": {description: None}, "500": {description: Down}}
      /orders:
        post:
          operationId: order
          security: [{key: []}]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [item]
                  properties:
                    item: {type: string, pattern: "^[a-z]+$"}
                    count: {type: integer, minimum: 1}
                    tags: {type: array, items: {type: string}}
                    user: {type: object, required: [nick], properties: {nick: {type: string}, age: {type: integer}}}
          responses: {"201": {description: Made}, "400": {description: No}, "401": {description: Who}, "409": {description: Gone}}
      /notes:
        post:
          operationId: note
          requestBody:
            content:
              application/x-www-form-urlencoded:
                schema: {type: object, properties: {text: {type: string}, stars: {type: integer}}}
          responses: {"201": {description: Made}, "400": {description: No}}
    components:
      securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
    """

  /// What a server gets and answers.
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    /// A server that answers every operation with one status, by method.
    func server(get: Int = 200, post: Int = 201) -> LocalServer {
      { request, body in
        let mood = request.headerFields.first(named: "X-Mood").map { " mood=\($0)" } ?? ""
        let mark = request.headerFields.first(named: "X-Mark").map { " mark=\($0)" } ?? ""
        let key = request.headerFields.first(named: "X-Key").map { " key=\($0)" } ?? ""
        let line = "\(request.method.rawValue) \(request.path ?? "")\(mood)\(mark)\(key)"
        self.lines.withLock { $0.append(line + " " + String(decoding: body, as: UTF8.self)) }
        return (HTTPResponse(status: .init(code: request.method == .post ? post : get)), [])
      }
    }
  }

  /// The report on a server, and what was asked of it, with some fixtures.
  private static func run(
    _ fixtures: [String: String], of contract: String = contract, get: Int = 200, post: Int = 201,
    configure: (inout LiveSettings) -> Void = { _ in }
  ) async throws -> (report: Report, requests: [String]) {
    let contract = try ContractFixture(contract, fixtures: fixtures).contract()
    let log = Log()
    let report = try await live([contract], on: log.server(get: get, post: post)) { settings in
      settings.count = 1
      configure(&settings)
    }
    return (report, log.all)
  }

  /// What is asked with a fixture and is not without it.
  private static func requests(_ fixture: String, when: String) async throws -> (added: [String], report: Report) {
    let (report, with) = try await run([fixture: "when: \(when)\n"]) { $0.mode = .positive }
    let without = try await run([:]) { $0.mode = .positive }.requests
    return (with.filter { !without.contains($0) }, report)
  }

  // MARK: - What is asked

  @Test(
    arguments: [
      ("readChat/200.a.yaml", "{path: {uid: ann}}", "GET /chats/ann"),
      ("readChat/200.a.yaml", #"{path: {uid: {contains: "?since="}}}"#, "%3Fsince%3D"),
      ("readChat/200.a.yaml", #"{query: {since: "2024-05-06T07:08:09Z"}}"#, "since=2024-05-06T07%3A08%3A09Z"),
      ("readChat/200.a.yaml", "{query: {limit: {oneOf: [99, 7]}}}", "limit=7"),
      ("readChat/200.a.yaml", #"{query: {limit: {matches: "^4[0-9]$"}}}"#, "limit=4"),
      ("readChat/200.a.yaml", "{query: {limit: null, since: {present: true}}}", "?since="),
      ("readChat/200.a.yaml", "{query: {extra: 5}}", "extra=5"),
      ("readChat/200.a.yaml", "{header: {x-mood: angry}}", "mood=angry"),
      ("readChat/200.a.yaml", "{header: {X-Mark: red}}", "mark=red"),
      ("order/201.a.yaml", "{body: {item: lamp}}", #""item":"lamp""#),
      ("order/201.a.yaml", "{body: {count: 12}}", #""count":12"#),
      ("order/201.a.yaml", "{body: {/user/nick: ann}}", #""nick":"ann""#),
      ("order/201.a.yaml", "{body: {tags: new}}", #""tags":["new"]"#),
      ("order/201.a.yaml", "{body: {tags: {equals: [new, old]}}}", #""tags":["new","old"]"#),
      ("order/201.a.yaml", "{body: {user: null, count: null, tags: null, item: mug}}", #" {"item":"mug"}"#),
      ("order/201.a.yaml", "{body: {colour: blue}}", #""colour":"blue""#),
      ("order/201.a.yaml", "{body: {$.user.nick: ann}}", #""nick":"ann""#),
      ("order/201.a.yaml", "{body: {$.user: {equalsJson: {nick: bo, age: 3}}}}", #""user":{"nick":"bo","age":3}"#),
      (
        "order/201.a.yaml", "{any: [{body: {item: lamp}}, {body: {item: mug}}], not: {body: {item: cup}}}",
        #""item":"lamp""#
      ),
      ("note/201.a.yaml", "{body: {stars: 5, text: lamp}}", "text=lamp&stars=5"),
    ])
  func `the request of a fixture is a valid one, changed to match its matcher`(
    fixture: String, when: String, expected: String
  ) async throws {
    let (added, report) = try await Self.requests(fixture, when: when)
    #expect(added.contains { $0.contains(expected) }, "\(added)")
    #expect(report.findings.isEmpty, "\(report.explained)")
    #expect(!report.notValidated.contains { $0.reason.contains("of a fixture") })
  }

  @Test(
    arguments: [
      ("{query: {limit: 7}}", "limit=7"), ("{query: {limit: {oneOf: [7, 8]}}}", "limit=7"),
      ("{header: {x-mood: angry}}", "mood=angry"),
    ])
  func `the values that a fixture has for parameters are sent in other requests as well`(
    when: String, expected: String
  ) async throws {
    let (added, _) = try await Self.requests("readChat/200.a.yaml", when: when)
    // Its own request has no other parameter.
    #expect(added.contains { $0.contains(expected) && $0.contains("since=") }, "\(added)")
  }

  @Test func `a fixture without a matcher adds neither requests nor findings`() async throws {
    let with = try await Self.run(["readChat/200.json": "", "order/201.yaml": "text: made\n"])
    let without = try await Self.run([:])
    #expect(with.requests == without.requests)
    #expect(with.report.notValidated == without.report.notValidated)
  }

  @Test(
    arguments: [
      // Credentials are the run's own.
      ("order/201.a.yaml", "when: {header: {X-Key: nobodys}}", "matches the `when` of a fixture"),
      // The length of a body is what it is.
      ("order/201.a.yaml", "when: {header: {Content-Length: 9000}}", "matches the `when` of a fixture"),
      // Nothing matches.
      ("readChat/200.a.yaml", "when: {query: {limit: {matches: '^(?!x)x'}}}", "matches the `when` of a fixture"),
      ("readChat/200.a.yaml", "when: {body: {item: lamp}}", "matches the `when` of a fixture"),
      ("readChat/200.a.yaml", "fault: reset\nwhen: {path: {uid: ann}}", "of a fixture with a fault"),
    ])
  func `a fixture whose request cannot be made is counted as not validated`(
    fixture: String, text: String, reason: String
  ) async throws {
    let (report, _) = try await Self.run([fixture: text])
    #expect(report.notValidated.contains { $0.reason.contains(reason) && $0.count == 1 }, "\(report.notValidated)")
  }

  @Test func `methods that change data wait for permission here too`() async throws {
    let (_, requests) = try await Self.run(["order/201.a.yaml": "when: {body: {item: lamp}}"]) {
      $0.allowsUnsafe = false
    }
    #expect(Set(requests.map { $0.prefix(4) }) == ["GET ", "OPTI"])
  }

  @Test func `requests that break the contract belong to one mode`() async throws {
    let fixtures = [
      "readChat/200.good.yaml": "when: {path: {uid: ann}}", "readChat/400.bad.yaml": "when: {query: {limit: 77}}",
    ]
    func sends(_ mode: LiveSettings.Mode) async throws -> [Bool] {
      let requests = try await Self.run(fixtures) { $0.mode = mode }.requests
      return ["/chats/ann", "limit=77"].map { part in requests.contains { $0.contains(part) } }
    }
    #expect(try await sends(.positive) == [true, false])
    // The other mode starts from requests that the server accepts.
    #expect(try await sends(.negative) == [true, true])
  }

  // MARK: - Findings

  @Test func `a valid request that is refused for its form is reported with its fixture`() async throws {
    let (report, _) = try await Self.run(["readChat/200.ann.yaml": "when: {path: {uid: ann}}"], get: 400) {
      $0.selection.operations = ["readChat"]
      $0.mode = .positive
    }
    let finding = try #require(report.findings.first { $0.rule == "prov.valid-rejected" })
    #expect(finding.subject.operation == "readChat")
    let alone = try await Self.run([:], get: 400) {
      $0.selection.operations = ["readChat"]
      $0.mode = .positive
    }
    #expect(try #require(alone.report.findings.first { $0.rule == "prov.valid-rejected" }).count == finding.count - 1)
  }

  @Test func `a good request that the fixture has refused is not expected to be let in`() async throws {
    let fixture = ["order/409.gone.yaml": "when: {body: {item: gone}}"]
    let (report, requests) = try await Self.run(fixture, post: 409) { $0.selection.operations = ["order"] }
    #expect(requests.contains { $0.contains(#""item":"gone""#) })
    #expect(report.remarks.allSatisfy { !$0.contains("of fixtures") })
    let refusing = try await Self.run(fixture, post: 400) {
      $0.selection.operations = ["order"]
      $0.mode = .positive
    }
    let without = try await Self.run([:], post: 400) {
      $0.selection.operations = ["order"]
      $0.mode = .positive
    }
    #expect(refusing.report.findings.map(\.count) == without.report.findings.map(\.count))
  }

  @Test func `only a failure other than the fixture's is reported`() async throws {
    func rules(_ fixtures: [String: String]) async throws -> [String] {
      let contract = try await Self.run(fixtures, get: 503) {
        $0.selection.operations = ["readChat"]
        $0.mode = .negative
        $0.count = 1
      }
      return contract.report.findings.filter { $0.rule == "resp.server-error" }.map { "\($0.count)" }
    }
    let alone = try await rules([:])
    #expect(try await rules(["readChat/503.bad.yaml": "when: {query: {limit: 77}}"]) == alone)
    #expect(try await rules(["readChat/400.bad.yaml": "when: {query: {limit: 77}}"]) != alone)
  }

  @Test func `a request that breaks the contract is one more bad one`() async throws {
    let (report, _) = try await Self.run(["readChat/400.bad.yaml": "when: {query: {limit: 77}}"]) { settings in
      settings.selection.operations = ["readChat"]
      settings.mode = .negative
    }
    let finding = try #require(report.findings.first { $0.message.contains("fixture") }, "\(report.explained)")
    #expect(finding.rule == "prov.invalid-accepted")
    #expect(finding.message.contains("the request of fixture readChat/400.bad.yaml"))
  }

  @Test func `a server that ignores unknown keys has no finding here either`() async throws {
    let closed = Self.contract.replacing("required: [item]", with: "additionalProperties: false")
    let (report, requests) = try await Self.run(["order/400.bad.yaml": "when: {body: {colour: blue}}"], of: closed) {
      $0.selection.operations = ["order"]
    }
    #expect(requests.contains { $0.contains("blue") })
    #expect(!report.findings.contains { $0.message.contains("fixture") }, "\(report.explained)")
  }

  @Test func `a fixture for who comes without credentials takes them away`() async throws {
    let (report, requests) = try await Self.run([
      "order/401.who.yaml": "when: {header: {X-Key: null}, body: {item: lamp}}"
    ])
    #expect(requests.contains { $0.contains(#""item":"lamp""#) && !$0.contains("key=") })
    #expect(report.findings.contains { $0.rule == "prov.auth.ignored" })
  }

  @Test func `another status than that of the fixture is a remark, not a finding`() async throws {
    let fixtures = [
      "readChat/404.none.yaml": "when: {path: {uid: ann}}", "readChat/200.all.yaml": "when: {path: {uid: bob}}",
    ]
    let (report, _) = try await Self.run(fixtures) { $0.mode = .positive }
    #expect(report.findings.isEmpty, "\(report.explained)")
    #expect(
      report.remarks.contains(
        "1 of 2 requests of fixtures got another status than the fixture has: readChat/404.none.yaml got 200"),
      "\(report.remarks)")
  }
}
