import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct MockTests {
  private static func contract(_ name: String, path: String, server: String, extra: String = "") -> String {
    """
    openapi: 3.0.3
    info: {title: \(name), version: "1"}
    servers: [{url: "\(server)"}]
    \(extra)
    paths:
      \(path):
        get:
          operationId: read\(name)
          responses: {"200": {description: OK, content: {text/plain: {example: \(name)}}}}

    """
  }

  private func serving<R>(
    _ contracts: [String], _ basePaths: BasePathPolicy = .servers, _ body: (Mock) throws -> R
  ) throws -> R {
    let files = Dictionary(uniqueKeysWithValues: contracts.enumerated().map { ("c\($0.offset).yaml", $0.element) })
    return try ContractFixture(contracts: files).withMock(basePaths: basePaths, body)
  }

  // MARK: - Contracts and base paths

  @Test func `several contracts answer on one mock`() throws {
    let contracts = [
      Self.contract("A", path: "/a", server: "/one"), Self.contract("B", path: "/b", server: "https://b.example/two"),
    ]
    try serving(contracts) { mock in
      #expect(mock.send("/one/a").text == "A")
      #expect(mock.send("/two/b").text == "B")
      #expect(mock.send("/one/b").status == 404)
      #expect(mock.operations.map(\.compiled.api.name) == ["c0", "c1"])
    }
  }

  @Test func `of two contracts with the same route the first answers`() throws {
    let contracts = [Self.contract("A", path: "/x", server: "/"), Self.contract("B", path: "/x", server: "/")]
    try serving(contracts) { #expect($0.send("/x").text == "A") }
  }

  @Test func `an unknown path is answered as the contract with the nearest one has it, else as the first`() throws {
    let contracts = [
      Self.contract("A", path: "/alpha", server: "/", extra: "x-understudy: {unknown-path: 500}"),
      Self.contract("B", path: "/bravo", server: "/", extra: "x-understudy: {unknown-path: 410}"),
    ]
    try serving(contracts) { mock in
      #expect(mock.send("/alpha/").status == 500)
      #expect(mock.send("/bravo/").status == 410)
      #expect(mock.send("/entirely/else").status == 500)
    }
  }

  @Test func `a miss belongs to the contract of its base path`() throws {
    let contracts = [
      Self.contract("A", path: "/pets", server: "/a", extra: "x-understudy: {unknown-method: 500, unknown-path: 500}"),
      Self.contract("B", path: "/pets", server: "/b", extra: "x-understudy: {unknown-method: 410, unknown-path: 410}"),
    ]
    try serving(contracts) { mock in
      #expect(mock.send(.delete, "/a/pets").status == 500)
      #expect(mock.send(.delete, "/b/pets").status == 410)
      #expect(mock.send("/b/pets/").status == 410)
      #expect(mock.send("/b/pest").status == 410)
      #expect(mock.send("/b/pets").operation?.compiled.api.name == "c1")
    }
  }

  @Test func `base paths may be left out`() throws {
    let contracts = [Self.contract("A", path: "/a", server: "/one")]
    try serving(contracts) { mock in
      #expect(mock.send("/one/a").status == 200)
      #expect(mock.send("/a").status == 404)
      #expect(mock.send("/a").diagnostics.first?.help?.contains("/one/a") == true)
    }
    try serving(contracts, .fixed("")) { mock in
      #expect(mock.send("/a").status == 200)
      #expect(mock.send("/one/a").status == 404)
    }
  }

  @Test func `without a contract every path is unknown`() {
    #expect(Mock(contracts: []).send("/").status == 404)
  }

  // MARK: - Methods

  @Test func `HEAD has the head of GET and no body`() throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.json": "{}"]).withMock { mock in
      let head = mock.send(.head, "/notes/1")
      #expect(head.status == 200)
      #expect(head.omitsBody && head.body.isEmpty)
      #expect(head.header("Content-Type") == "application/json")
      #expect(head.reason == "fixture readNote/200")
      #expect(mock.send(.head, "/nowhere").status == 404)
    }
  }

  @Test(arguments: [HTTPRequest.Method.head, .get, .delete])
  func `an answer to HEAD never has a body`(method: HTTPRequest.Method) throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      #expect(mock.send(method, "/nowhere").body.isEmpty == (method == .head))
    }
  }

  @Test func `an undocumented method is reported with the documented ones`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let reply = mock.send(.delete, "/notes/1")
      #expect(reply.status == 405)
      #expect(reply.header("Allow")?.contains("GET") == true)
      #expect(reply.header("Allow")?.contains("POST") == true)
      #expect(reply.rules == ["req.method.unknown"])
    }
  }

  @Test func `OPTIONS names the methods, also of everything`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let reply = mock.send(.options, "/notes/1")
      #expect(reply.status == 204)
      #expect(reply.header("Allow")?.contains("POST") == true)
      #expect(reply.header("Access-Control-Allow-Methods") == nil)
      #expect(mock.send(.options, "*").status == 204)
      #expect(mock.send(.options, "/nowhere").status == 404)
    }
  }

  @Test func `a preflight is answered unless other origins are shut out`() throws {
    let preflight = ["Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "idtoken, x-a"]
    try ContractFixture(MockContract.notes).withMock { mock in
      let reply = mock.send(.options, "/notes/1", preflight)
      #expect(reply.status == 204)
      #expect(reply.reason == "preflight")
      #expect(reply.header("Access-Control-Allow-Methods")?.contains("POST") == true)
      #expect(reply.header("Access-Control-Allow-Headers") == "idtoken, x-a")
    }
    try ContractFixture(MockContract.notes).withMock {
      $0.allowsCrossOrigin = false
    } _: { mock in
      #expect(mock.send(.options, "/notes/1", preflight).header("Access-Control-Allow-Methods") == nil)
    }
  }

  @Test func `an OPTIONS that the contract documents is the contract's`() throws {
    let contract = Self.contract("A", path: "/a", server: "/").replacing("get:", with: "options:")
    try serving([contract]) { #expect($0.send(.options, "/a").text == "A") }
  }

  // MARK: - Violations

  private static let guarded = """
    openapi: 3.1.0
    info: {title: Guarded, version: "1"}
    x-understudy: {unauthorized: 403, invalid-request: 501, unknown-method: 500, not-acceptable: ignore}
    components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
    security: [{key: []}]
    paths:
      /notes:
        post:
          operationId: write
          parameters: [{name: n, in: query, required: true, schema: {type: integer}}]
          requestBody: {content: {application/json: {schema: {type: array}}}}
          responses:
            "200": {description: OK, content: {text/plain: {example: fine}}}
            "403": {description: Who?, content: {text/plain: {example: who}}}
            "501": {description: What?, content: {text/plain: {example: what}}}
        put:
          operationId: replace
          x-understudy: {unauthorized: ignore, invalid-request: 400}
          parameters: [{name: n, in: query, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK, content: {text/plain: {example: fine}}}}

    """

  @Test func `a violation is answered with the contract's own status, the gravest first`() throws {
    try ContractFixture(Self.guarded).withMock { mock in
      let key = ["X-Key": "k"]
      #expect(mock.send(.post, "/notes").text == "who")
      #expect(mock.send(.post, "/notes").rules == ["req.security.missing", "req.param.missing"])
      #expect(mock.send(.post, "/notes", key).text == "what")
      #expect(mock.send(.post, "/notes?n=x", key).status == 501)
      #expect(mock.send(.post, "/notes?n=1", key).text == "fine")
      #expect(mock.send(.post, "/notes?n=1", ["X-Key": "k", "Accept": "image/png"]).text == "fine")
      // An unsupported media type is an invalid request unless it has a line of its own.
      #expect(mock.send(.post, "/notes?n=1", ["X-Key": "k", "Content-Type": "text/csv"], body: "a").status == 501)
      #expect(mock.send(.get, "/notes").status == 500)
    }
  }

  @Test func `an operation's own mapping wins, and a status that it lacks is a problem`() throws {
    try ContractFixture(Self.guarded).withMock { mock in
      let reply = mock.send(.put, "/notes")
      #expect(reply.status == 400)
      #expect(reply.header("Content-Type") == "application/problem+json")
      #expect(mock.send(.put, "/notes?n=1").text == "fine")
      #expect(mock.send(.put, "/notes?n=1").rules == ["req.security.missing"])
    }
  }

  @Test func `a policy may ask for problems, or for warnings alone`() throws {
    try ContractFixture(Self.guarded).withMock {
      $0.onInvalid = .problem
    } _: { mock in
      let reply = mock.send(.post, "/notes")
      #expect(reply.status == 401)
      #expect(reply.header("Content-Type") == "application/problem+json")
      #expect(mock.send(.post, "/notes", ["X-Key": "k"]).status == 422)
      #expect(mock.send(.get, "/notes").status == 405)
    }
    try ContractFixture(Self.guarded).withMock {
      $0.onInvalid = .warn
    } _: { mock in
      let reply = mock.send(.post, "/notes")
      #expect(reply.text == "fine")
      #expect(reply.rules == ["req.security.missing", "req.param.missing"])
    }
  }

  @Test func `a missing token comes before what a fixture waits for, all else behind it`() throws {
    let files = ["write/200.yaml": "when: {query: {n: {present: true}}}\ntext: met\n"]
    try ContractFixture(Self.guarded, fixtures: files).withMock { mock in
      #expect(mock.send(.post, "/notes?n=x").text == "who")
      #expect(mock.send(.post, "/notes?n=x", ["X-Key": "k"]).text == "met")
    }
  }

  @Test(arguments: [
    ["Prefer": "code=501"], ["prefer": "statusCode=501"], ["x-mock-response-code": "501"], ["Prefer": "code=what"],
    ["Prefer": "code=invalid-request"],
  ])
  func `a preference is met, and the findings are still reported`(headers: [String: String]) throws {
    try ContractFixture(Self.guarded).withMock { mock in
      let reply = mock.send(.post, "/notes", headers)
      #expect(reply.text == "what")
      #expect(reply.rules == ["req.security.missing", "req.param.missing"])
    }
  }

  @Test func `the preferences of a query count as declared parameters`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let reply = mock.send("/notes/1?__code=404&__example=x&__dynamic=true&__seed=1&other=1")
      #expect(reply.rules.filter { $0 == "req.param.undeclared" }.count == 1)
      #expect(mock.send("/notes/1?__code=lost").status == 404)
      #expect(mock.send("/notes/1?__example=second").text == "{\"from\":\"contract\",\"number\":2}")
      #expect(
        mock.send("/notes/1", ["x-mock-response-name": "second"]).reason == "example readNote/200.second (preferred)")
    }
  }

  @Test func `a deprecated operation is reported, and its answer has no date`() throws {
    let contract = MockContract.notes.replacing(
      "operationId: readNote", with: "operationId: readNote\n      deprecated: true")
    try ContractFixture(contract, fixtures: ["readNote/404.txt": "gone"]).withMock { mock in
      #expect(mock.send("/notes/1").header("Deprecation") == nil)
      #expect(mock.send("/notes/1?__code=404").header("Deprecation") == nil)
      #expect(mock.send("/notes/1").rules == ["req.deprecated"])
    }
  }

  @Test func `an answer that a budget does not pay for moves no state, and is made without it`() throws {
    let mock = try ContractFixture(
      ContractFixture.text(
        paths: """
            /samples:
              get:
                operationId: samples
                responses:
                  "200":
                    description: d
                    content:
                      application/json: {schema: {type: array, minItems: 200, items: {type: string, minLength: 5000}}}

          """)
    ).mock()
    for isObserved in [false, true] {
      var state = mock.newState()
      state.isObserved = isObserved
      let lane = Lane(state)
      let request = Mock.request(.get, "/samples?__seed=\(isObserved)")
      #expect(mock.reply(to: request, body: [], in: lane, within: WorkBudget(50_000)) == nil)
      #expect(lane.value == state)
      let reply = mock.reply(to: request, body: [], in: lane)
      #expect(reply.status == 200 && reply.body.count > 1_000_000)
      #expect(lane.value.requests == (isObserved ? 1 : 0))
      // It is there from now on.
      #expect(mock.reply(to: request, body: [], in: lane, within: WorkBudget(50_000)) != nil)
      #expect(lane.value.requests == (isObserved ? 2 : 0))
    }
  }

  @Test func `a choice from outside is made once, also where its answer costs more than the budget`() throws {
    let mock = try ContractFixture(
      ContractFixture.text(
        paths: """
            /samples:
              get:
                operationId: samples
                responses:
                  "200":
                    description: d
                    content:
                      application/json: {schema: {type: array, minItems: 200, items: {type: string, minLength: 5000}}}

          """)
    ).mock()
    var choices = 0
    let reply = mock.reply(
      to: Mock.request(.get, "/samples"), body: [], in: Lane(mock.newState()), within: WorkBudget(50_000)
    ) { _, _ in
      choices += 1
      return ReplyOverride()
    }
    #expect(choices == 1 && reply?.status == 200)
  }

  @Test(arguments: [
    "", "?", "//", "/%", "/%00", "/notes/%FF", "/notes/1?%", "/notes/1?=", "/notes/1#a", "http://a/notes/1", "\u{0}",
  ])
  func `any target is answered`(target: String) throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      for method in [HTTPRequest.Method.get, .post, .head, .options, .trace] {
        #expect(100...599 ~= mock.send(method, target, body: "\u{FFFD}").status)
      }
    }
  }
}
