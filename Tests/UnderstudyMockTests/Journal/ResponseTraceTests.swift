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
      let exchange = ServedExchange(
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
