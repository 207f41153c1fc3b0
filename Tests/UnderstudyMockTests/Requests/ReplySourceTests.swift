import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ReplySourceTests {
  private static let key = ResponseName(operation: "readPet", status: .code(200), name: "a b")

  private static let texts: [(ReplySource, String)] = [
    (ReplySource(.fixture(key)), "fixture readPet/200.a b"),
    (ReplySource(.example(key), by: .forcedInLane), "example readPet/200.a b (forced in the lane)"),
    (ReplySource(.sample(key), by: .forced), "sample readPet/200.a b (forced)"),
    (ReplySource(.contract(key), by: .preferred), "contract readPet/200.a b (preferred)"),
    (ReplySource(.plain(503), by: .when), "plain 503 (when)"),
    (ReplySource(.fixture(key), by: .refusal(.unauthorized)), "fixture readPet/200.a b (unauthorized)"),
    (ReplySource(.plain(404), by: .scenario("a (b)", .step(2, of: 3))), "scenario a (b) step 2/3, plain 404"),
    (ReplySource(.plain(404), by: .scenario("s", .state("x", machine: ""))), "scenario s state x, plain 404"),
    (ReplySource(.plain(404), by: .scenario("s", .state("x", machine: "m"))), "scenario s state x of m, plain 404"),
    (ReplySource(.items, by: .resource("created pets/1")), "resource created pets/1"),
    (
      ReplySource(.sample(key), by: .resource("/pets/1 was deleted")),
      "resource /pets/1 was deleted, sample readPet/200.a b"
    ),
    (ReplySource(.upstream), "upstream"),
    (ReplySource(.problem(status: 404, title: "no such path", detail: nil)), "problem 404 no such path"),
    (ReplySource(.problem(status: 409, title: "conflict", detail: "why")), "problem 409 conflict: why"),
    (ReplySource(.noUpstream(status: 502, "it is gone")), "problem 502 upstream: it is gone"),
    (ReplySource(.written("reply x/418 of the test")), "reply x/418 of the test"),
    (ReplySource(.unread("the limit is 1 bytes")), "refused: the limit is 1 bytes"),
    (ReplySource(.about(.preflight)), "preflight"),
  ]

  @Test func `each source has its text`() {
    for (source, text) in Self.texts { #expect("\(source)" == text) }
    var broken = ReplySource(.upstream)
    broken.fallback = "no answer"
    broken.breakOff = "the client left"
    #expect("\(broken)" == "upstream (fallback: no answer), broken off: the client left")
  }

  @Test func `only sources without an answer of the contract are problems`() {
    let problems = Self.texts.filter(\.0.isProblem).map(\.1)
    #expect(
      problems == [
        "problem 404 no such path", "problem 409 conflict: why", "problem 502 upstream: it is gone",
        "refused: the limit is 1 bytes",
      ])
  }

  /// Names that a search in the text of a source would take for something else.
  private static let names = ["a b", "a (when)", "ä ö", "upstream: x", "(forced)", "scenario x step 1"]
  /// An example may have a slash in its name, a file cannot.
  private static let exampleNames = names + ["a/b", "a/200.b (preferred)"]

  private static let contract = """
    openapi: 3.1.0
    info: {title: T, version: "1"}
    paths:
      /pets:
        get:
          operationId: readPet
          parameters: [{name: q, in: query, schema: {type: string}}]
          responses:
            "200":
              description: d
              content:
                application/json:
                  schema: {type: object}
                  examples:
    \(exampleNames.map { "                \"\($0)\": {value: {}}" }.joined(separator: "\n"))
    """

  private static let scenarioNames = ["chat (forced)", "ä b", "upstream"]

  private func mock(_ configure: (inout Mock.Options) -> Void = { _ in }) throws -> Mock {
    var fixtures = Dictionary(
      uniqueKeysWithValues: Self.names.map { ("readPet/200.\($0).json", "{}") })
    fixtures["readPet/200.a (when).yaml"] = "when: {query: {q: x}}\nbody: {}\n"
    fixtures["readPet/200.a (when).json"] = nil
    for name in Self.scenarioNames {
      fixtures["_scenarios/\(name).yaml"] = "sequence: {readPet: [\"200.ä ö\", \"200.(forced)\"]}\n"
    }
    return try ContractFixture(Self.contract, fixtures: fixtures).mock(configure: configure)
  }

  private func steps(_ reply: Reply, _ request: HTTPRequest, _ mock: Mock) throws -> [String] {
    let exchange = ServedRequest(
      startedAt: 0, microseconds: 1, request: SharedRequest(request), body: [], reply: reply, status: reply.status)
    return try #require(ResponseTrace(of: exchange, by: mock)).steps.filter { $0.outcome == .decided }.map(\.rule)
  }

  @Test(arguments: exampleNames)
  func `a preferred answer of any name is found by its faults, its header and its steps`(name: String) throws {
    let target = name == "a (when)" ? "readPet/200.a (when)" : "readPet/200.\(name)"
    let mock = try mock { $0.faults = try! [FaultRule.fault("\(target)=reset")] }
    #expect(mock.diagnostics.isEmpty, "\(mock.diagnostics.map(\.message))")
    let request = Mock.request(.get, "/pets", ["Prefer": "example=\"\(name)\""])
    let reply = mock.reply(to: request)
    #expect(reply.source.rule == .preferred && "\(reply.fault.map { "\($0)" } ?? "")" == "reset", "\(reply.source)")
    let field = try #require(reply.response.headerFields[.understudyReply])
    #expect(PercentEncoding.decode(field)?.hasSuffix("readPet/200.\(name)") == true, "\(field)")
    #expect(field.utf8.allSatisfy { $0 < 0x80 })
    #expect(try steps(reply, request, mock) == ["preferred"])
    // Another answer has no fault.
    let other = Self.exampleNames.first { $0 != name } ?? ""
    #expect(mock.reply(to: Mock.request(.get, "/pets", ["Prefer": "example=\"\(other)\""])).fault == nil)
  }

  @Test func `a fixture that its conditions chose is the step that decided`() throws {
    let mock = try mock()
    let request = Mock.request(.get, "/pets?q=x")
    let reply = mock.reply(to: request)
    #expect("\(reply.source)" == "fixture readPet/200.a (when) (when)")
    #expect(try steps(reply, request, mock) == ["fixture readPet/200.a (when)"])
  }

  @Test(arguments: scenarioNames)
  func `a scenario of any name is the step that decided`(name: String) throws {
    let mock = try mock { $0.scenario = name }
    #expect(mock.diagnostics.isEmpty, "\(mock.diagnostics.map(\.message))")
    var state = mock.newState()
    let request = Mock.request(.get, "/pets")
    for text in [
      "scenario \(name) step 1/2, fixture readPet/200.ä ö", "scenario \(name) step 2/2, fixture readPet/200.(forced)",
    ] {
      let reply = mock.reply(to: request, in: &state)
      #expect("\(reply.source)" == text)
      #expect(try steps(reply, request, mock) == ["scenario"])
    }
  }
}
