import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Why an operation answered as it did.
struct ResponseTraceTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Notes, version: "1"}
    paths:
      /notes:
        get:
          operationId: listNotes
          parameters: [{name: page, in: query, schema: {type: integer}}]
          responses:
            "200": {description: Some, content: {application/json: {schema: {type: array}}}}
            "400": {description: Bad}
    """
  private static let fixtures = [
    "listNotes/200.json": "[1]", "listNotes/200.second.yaml": "when: {query: {page: '2'}}\nbody: []\n",
    "listNotes/200.third.yaml": "when: {query: {page: '3', sort: up}}\nbody: []\n",
  ]

  private func steps(
    _ path: String, _ fields: [String: String] = [:], forced: String? = nil
  ) throws -> [ResponseTrace.Step] {
    let rules = try forced.map { [try #require(ForcingRule($0))] } ?? []
    return try ContractFixture(Self.contract, fixtures: Self.fixtures).withMock(configure: { $0.forced = rules }) {
      mock in
      let request = Mock.request(.get, path, fields)
      let reply = mock.reply(to: request, body: [])
      let exchange = ServedRequest(
        startedAt: 0, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: reply.status)
      return try #require(ResponseTrace(of: exchange, by: mock)).steps
    }
  }

  private func decided(_ steps: [ResponseTrace.Step]) -> [String] {
    steps.filter { $0.outcome == .decided }.map(\.rule)
  }

  @Test func `exactly one rule decides`() throws {
    #expect(decided(try steps("/notes")) == ["default"])
    #expect(decided(try steps("/notes?page=2")) == ["fixture listNotes/200.second"])
    #expect(decided(try steps("/notes?page=x")) == ["refusal"])
    #expect(decided(try steps("/notes", ["Prefer": "code=400"])) == ["preferred"])
    #expect(decided(try steps("/notes?page=2", forced: "listNotes=400")) == ["forced"])
  }

  @Test func `each unmet condition is explained, of alternatives the nearest`() throws {
    let fixtures = [
      "listNotes/200.a.yaml": """
      when:
        cookie: {session: a}
        body: {$.x: 1, $: {equalsJson: {x: 1}}}
        any: [{query: {page: '1', sort: up}}, {query: {page: '2'}}]
        not: {header: {X-Debug: {present: true}}}
      body: []

      """
    ]
    try ContractFixture(Self.contract, fixtures: fixtures).withMock { mock in
      let request = Mock.request(.get, "/notes", ["X-Debug": "1", "Content-Type": "application/json"])
      let body = Array(#"{"x": 2}"#.utf8)
      let reply = mock.reply(to: request, body: body)
      let exchange = ServedRequest(
        startedAt: 0, microseconds: 0, request: SharedRequest(request), body: body, reply: reply, status: reply.status)
      let steps = try #require(ResponseTrace(of: exchange, by: mock)).steps
      #expect(
        steps.first { $0.rule == "fixture listNotes/200.a" }?.text
          == "cookie `session` is absent, expected `a`; body `$.x` is `2`, expected `1`; "
          + "body `$` is `{\"x\":2}`, expected JSON equal to `{\"x\":1}`; "
          + "none of `any` holds: query `page` is absent, expected `2`; the conditions of `not` hold")
    }
  }

  @Test func `a reply of the lane is asked first, and decides`() throws {
    let first = try #require(try steps("/notes").first)
    #expect(first.rule == "reply" && first.outcome == .passed)
    let mock = try ContractFixture(Self.contract, fixtures: Self.fixtures).mock {
      $0.forced = [ForcingRule("listNotes=400*1")].compactMap(\.self)
    }
    let operation = try #require(mock.operations.first)
    var cell = LaneReply.Step()
    cell.cell = "200"
    var written = LaneReply.Step()
    written.response = LaneReply.Response(status: 418, headers: [], body: [])
    var state = mock.newState()
    for step in [cell, written] { state.add(LaneReply(to: operation, steps: [step], times: 1)) }
    for text in ["reply listNotes/418 of the lane", "fixture listNotes/200 (forced)"] {
      let request = Mock.request(.get, "/notes", ["Prefer": "code=400"])
      let reply = mock.reply(to: request, in: &state, at: Mock.Instant(microsecondsSince1970: 0))
      let exchange = ServedRequest(
        startedAt: 0, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: reply.status)
      let steps = try #require(ResponseTrace(of: exchange, by: mock)).steps
      #expect(decided(steps) == ["reply"])
      #expect(steps[0].text == text)
      #expect(steps.dropFirst().allSatisfy { $0.outcome == .unasked })
    }
  }

  @Test func `fixtures that came near say which condition failed, the nearest first`() throws {
    let fixtures = try steps("/notes?page=4").filter { $0.rule.hasPrefix("fixture") }
    #expect(fixtures.map(\.rule) == ["fixture listNotes/200.second", "fixture listNotes/200.third"])
    #expect(fixtures[0].text == "query `page` is `4`, expected `2`")
    #expect(fixtures[1].text == "query `page` is `4`, expected `3`; query `sort` is absent, expected `up`")
    #expect(fixtures.allSatisfy { $0.outcome == .passed })
  }

  @Test(arguments: [
    ("/notes?__code=400", [:], "the request has `__code=400` in its query"),
    ("/notes", ["x-mock-response-code": "400"], "the request has `x-mock-response-code: 400`"),
    ("/notes", ["Prefer": "code=400"], "the request has `Prefer: code=400`"),
  ]) func `a preference is named where the request has it`(
    path: String, fields: [String: String], text: String
  ) throws {
    #expect(try steps(path, fields).first { $0.outcome == .decided }?.text == text)
  }

  @Test func `rules behind the one that decided are not asked`() throws {
    let steps = try steps("/notes?page=2")
    #expect(steps.last?.outcome == .unasked && steps.last?.rule == "default")
  }
}
