import Testing
import UnderstudyMock
import UnderstudyReport
import UnderstudyTestSupport

struct CoverageTests {
  static let contract = """
    openapi: 3.1.0
    info: {title: Notes, version: "1"}
    paths:
      /notes:
        post:
          operationId: addNote
          requestBody:
            content:
              application/json: {schema: {type: object}}
              text/plain: {schema: {type: string}}
          responses:
            "200":
              description: Added.
              content:
                application/json: {schema: {type: object}, example: {a: 1}}
                text/plain: {schema: {type: string}}
            "415": {description: No.}
            4XX: {description: Bad.}
      /chat/{to}:
        get:
          operationId: readChat
          deprecated: true
          parameters: [{name: to, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: The chat.}, "404": {x-meaning: lost, description: None.}}

    """

  private static func tally(
    _ fixtures: [String: String] = [:], _ body: (inout CoverageTally) -> Void = { _ in }
  ) throws -> Coverage {
    try ContractFixture(contract, fixtures: fixtures).withMock { (mock) throws in
      var tally = CoverageTally(mock.contracts.map(\.compiled))
      tally.markFixtures(of: mock.contracts, rules: RuleSettings())
      body(&tally)
      return tally.finished()
    }
  }

  private static func served(_ coverage: Coverage) -> [String] {
    coverage.rows.filter { $0.marks.contains(.served) }.map(\.title)
  }

  @Test func `every operation, request type, status and answer type has a row`() throws {
    let coverage = try Self.tally()
    #expect(
      coverage.rows.map(\.title) == [
        "POST /notes (application/json) 200 application/json",
        "POST /notes (application/json) 200 text/plain",
        "POST /notes (application/json) 415", "POST /notes (application/json) 4XX",
        "POST /notes (text/plain) 200 application/json", "POST /notes (text/plain) 200 text/plain",
        "POST /notes (text/plain) 415", "POST /notes (text/plain) 4XX", "GET /chat/{to} 200",
        "GET /chat/{to} 404 lost",
      ])
    #expect(coverage.neverTried.count == 8)
    #expect(coverage.share(of: .served).count == 0)
    #expect(coverage.share(of: .served).total == 8)
  }

  @Test func `the matrix has no names that the contract does not give`() throws {
    let contract = try ContractFixture(MockContract.notes.replacing("x-meaning", with: "x-note")).contract()
    let rows = CoverageTally([contract.compiled]).finished().rows
    #expect(!rows.isEmpty && rows.allSatisfy { $0.meaning == nil })
  }

  @Test func `an exchange counts only for the row of its types`() throws {
    let coverage = try Self.tally { tally in
      tally.count(
        operation: 0, requestType: MediaRange("text/plain; charset=utf-8"), status: 200,
        responseType: MediaRange("application/json"), holds: true)
      tally.count(operation: 1, requestType: nil, status: 404, responseType: nil, holds: false)
    }
    #expect(
      Self.served(coverage) == ["POST /notes (text/plain) 200 application/json", "GET /chat/{to} 404 lost"])
    #expect(coverage.rows.filter { $0.marks.contains(.asserted) }.count == 1)
    #expect(coverage.neverTried.count == 3)
    #expect(coverage.neverSeen.map(\.status) == ["415", "4XX", "200"])
  }

  @Test func `a request without a documented type counts for every type`() throws {
    let coverage = try Self.tally { tally in
      tally.count(operation: 0, requestType: MediaRange("image/png"), status: 415, responseType: nil, holds: false)
      tally.count(operation: 0, requestType: nil, status: 400, responseType: nil, holds: false)
    }
    #expect(Self.served(coverage).count == 4)
  }

  @Test func `undocumented answers are listed and do not count`() throws {
    let coverage = try Self.tally { tally in
      tally.count(operation: 1, requestType: nil, status: 500, responseType: nil, holds: false)
      tally.count(operation: 1, requestType: nil, status: 500, responseType: nil, holds: false)
      tally.count(undocumented: 404, "GET", "/nope", contract: "api")
    }
    #expect(
      coverage.undocumented.map { "\($0.method) \($0.path) \($0.status) \($0.count)" } == [
        "GET /chat/{to} 500 2", "GET /nope 404 1",
      ])
    #expect(coverage.share(of: .served).total == 8)
  }

  @Test func `fixtures and examples mark their rows, and a broken one is not valid`() throws {
    let coverage = try Self.tally([
      "readChat/200.txt": "", "addNote/200.bad.json": "[]", "readChat/404.txt": "a body that is not documented",
    ])
    let marks = coverage.rows.map { row in
      "\(row.status) \(row.responseType ?? "-") \(row.marks.contains(.fixture) ? "f" : "")\(row.marks.contains(.valid) ? "v" : "")"
    }
    #expect(marks[0] == "200 application/json f")
    #expect(marks[1] == "200 text/plain ")
    // A body that is not documented is a warning.
    #expect(marks[8...] == ["200 - fv", "404 - fv"])
  }

  // MARK: - Gates

  @Test(
    arguments: [
      ("80", ["served 80"]), ("served=80,asserted=5", ["served 80", "asserted 5"]), ("valid=0", ["valid 0"]),
    ])
  func `shares are read`(_ text: String, _ expected: [String]) throws {
    let gates = try CoverageGate.shares(text).map { gate -> String in
      if case .share(let mark, let percent) = gate { "\(mark.rawValue) \(percent)" } else { "" }
    }
    #expect(gates == expected)
  }

  @Test(
    arguments: [
      ("", "`` is not a share"), ("101", "`101` is not a share"), ("seved=80", "`seved` is not a mark"),
      ("served=80,", "`` is not a share"), ("served=eighty", "`served=eighty` is not a share"),
    ])
  func `an invalid share is refused`(_ text: String, _ message: String) {
    let problem = #expect(throws: UsageProblem.self) { try CoverageGate.shares(text) }
    #expect(problem?.message == message)
  }

  @Test(
    arguments: [
      ("readChat:200,404", ["GET /chat/{to} 404 lost"]), ("chat/*:404", ["GET /chat/{to} 404 lost"]),
      ("GET */{to}:lost", ["GET /chat/{to} 404 lost"]),
      ("*:200", ["POST /notes (application/json) 200"]),
      ("read*t:200", []), ("/chat/{to}:200", []),
      (
        "*:*",
        [
          "POST /notes (application/json) 200", "POST /notes (application/json) 415",
          "POST /notes (application/json) 4XX", "GET /chat/{to} 404 lost",
        ]
      ),
    ])
  func `cells that are missing are named, each once`(_ text: String, _ missing: [String]) throws {
    let coverage = try Self.tally { tally in
      tally.count(operation: 1, requestType: nil, status: 200, responseType: nil, holds: false)
    }
    let result = try CoverageGate(cells: text).evaluate(coverage)
    #expect(result.missing.map(\.title) == missing)
    #expect(result.isPassed == missing.isEmpty)
  }

  @Test(
    arguments: [
      ("readCat:200", "`readCat` matches no operation"), ("readChat:201", "no operation of `readChat` documents `201`"),
      ("chat*o:200", "`chat*o` matches no operation"),
    ])
  func `a gate that could never fail is refused`(_ text: String, _ message: String) throws {
    let coverage = try Self.tally()
    let problem = #expect(throws: UsageProblem.self) { try CoverageGate(cells: text).evaluate(coverage) }
    #expect(problem?.message == message)
  }

  @Test(arguments: ["", ":200", "readChat", "readChat:", "a:,"]) func `a requirement has two sides`(_ text: String) {
    #expect(throws: UsageProblem.self) { try CoverageGate(cells: text) }
  }

  @Test func `a share is rounded down, and one of nothing is not reached`() throws {
    var coverage = try Self.tally { tally in
      tally.count(operation: 1, requestType: nil, status: 200, responseType: nil, holds: false)
    }
    #expect(try CoverageGate.share(.served, percent: 12).evaluate(coverage).isPassed)
    #expect(try !CoverageGate.share(.served, percent: 13).evaluate(coverage).isPassed)
    #expect(coverage.withoutDeprecated.rows.count == 8)
    coverage.rows = []
    #expect(try !CoverageGate.share(.served, percent: 0).evaluate(coverage).isPassed)
  }

  // MARK: - Matrix

  @Test func `the matrix shows missing marks`() throws {
    let coverage = try Self.tally(["readChat/200.txt": ""]) { tally in
      tally.count(operation: 1, requestType: nil, status: 200, responseType: nil, holds: true)
      tally.count(operation: 1, requestType: nil, status: 500, responseType: nil, holds: false)
      tally.count(
        operation: 0, requestType: MediaRange("text/plain"), status: 400, responseType: nil, holds: false)
    }
    #expect(
      CoverageMatrix(coverage, style: .plain).text == """
        api            200  404  415  500  4XX
        POST /notes    FV··      ····      ··s·
        GET /chat/{to} FVSA ····      !

        capital letter: every media type of the request; small: some; ·: none; !: seen, not documented

        F fixture      3 of 8   37 %
        V valid        3 of 8   37 %
        S served       2 of 8   25 %
        A asserted     1 of 8   12 %
        8 answers in 5 cells: one for each media type of a request

        documented, never tried: 3
          POST /notes (application/json) 200
          POST /notes (application/json) 415
          POST /notes (application/json) 4XX

        tried, never seen: 3
          POST /notes (text/plain) 200
          POST /notes (text/plain) 415
          GET /chat/{to} 404 lost

        seen, not documented: 1
          GET /chat/{to} 500 (1 time)

        """)
  }

  @Test func `no line of the matrix is wider than 100 columns`() throws {
    let responses = (400..<460).map { "\"\($0)\": {description: \(String(repeating: "long ", count: 40))}" }
    let contract = """
      openapi: 3.1.0
      info: {title: Wide, version: "1"}
      paths:
        /\(String(repeating: "ü", count: 150)):
          get: {responses: {\(responses.joined(separator: ", "))}}

      """
    try ContractFixture(contract).withMock { (mock) throws in
      let text = CoverageMatrix(
        CoverageTally(mock.contracts.map(\.compiled)).finished(), style: .plain, glyphs: .ascii
      ).text
      let lines = text.split(separator: "\n")
      #expect(lines.allSatisfy { $0.unicodeScalars.count <= CoverageMatrix.width })
      #expect(lines.contains { $0.contains(" .... ....") })
    }
  }
}
