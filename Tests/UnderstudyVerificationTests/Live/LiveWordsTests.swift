import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The response's own words separate causes, and every operation keeps its reproduction.
struct LiveWordsTests {
  private typealias Base = LiveBaseTests

  private static func contract(_ names: [String]) throws -> Contract {
    try Base.contract(
      names.map { "/\($0):\n  get: {operationId: \($0), responses: {\"200\": {description: OK}}}" }
        .joined(separator: "\n"))
  }

  private static let names = ["a", "b", "c", "d", "e", "f"]

  @Test func `operations that fail for different reasons are different findings`() async throws {
    let reasons = ["division", "a key", "null", "late", "encoding", "disk"]
    let report = try await live([Self.contract(Self.names)]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      let name = Base.parts(request).path.dropFirst()
      let index = Self.names.firstIndex { $0 == name } ?? 0
      return Base.answer(500, #"{"error": "\#(reasons[index])"}"#)
    }
    #expect(report.findings.map(\.rule) == Array(repeating: "resp.server-error", count: 6), "\(report.explained)")
    #expect(report.causes.count == report.findings.count)
    for (finding, reason) in zip(report.findings, reasons) { #expect(finding.help?.contains(reason) == true) }
  }

  @Test func `operations that fail for one reason are one finding, each with its reproduction`() async throws {
    let report = try await live([Self.contract(Self.names)]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      let name = Base.parts(request).path.dropFirst()
      return Base.answer(500, #"{"error": "no table 'x\#(name)' in database 17"}"#)
    }
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1, "\(report.explained)")
    #expect(
      finding.others.map(\.reproduction) == Self.names.dropFirst().map { "curl -i http://localhost:8080/\($0)" })
    let text = report.text()
    #expect(text.components(containing: "curl -i http://localhost:8080/") == 3, "\(text)")
  }

  @Test func `a valid request that fails leads, and is no part of what invalid ones show`() async throws {
    let contract = try Base.contract(
      """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [n], properties: {n: {type: integer, minimum: 0, maximum: 90}}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard let number = (try? JSONParser.parse(body).root)?["n"]?.int else { return Base.answer(500) }
      return Base.answer(number == 90 ? 500 : 0...90 ~= number ? 200 : 400)
    }
    let failures = report.findings.filter { $0.rule == "resp.server-error" }
    #expect(failures.count == 2, "\(report.explained)")
    #expect(failures.first?.reproduction?.contains(#"{"n":90}"#) == true, "\(report.explained)")
    #expect(report.causes.filter { $0.first.rule == "resp.server-error" }.count == 2)
  }

  @Test func `one operation that fails in two ways has two findings`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{name: n, in: query, schema: {type: integer, minimum: 0, maximum: 90}}]
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      switch Base.parts(request).query {
      case "n=90": return Base.answer(500, #"{"error": "division by zero"}"#)
      case "n=0": return Base.answer(500, #"{"error": "no such row"}"#)
      case let query where query.isEmpty || Int(query.dropFirst(2)).map({ 1..<90 ~= $0 }) == true:
        return Base.answer(200)
      default: return Base.answer(400)
      }
    }
    #expect(report.findings.count { $0.rule == "resp.server-error" } == 2, "\(report.explained)")
  }

  @Test func `a complaint about every item of a list is one cause`() async throws {
    let contract = try Base.contract(
      """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content: {application/json: {schema: {type: array, items: {type: string}, minItems: 1}}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard request.method == .post, let list = try? JSONParser.parse(body).root else { return Base.answer(400) }
      let words = list.elements.map { #"no such label '\#($0.plainText)'"# }.joined(separator: "; ")
      return Base.answer(400, JSONWriter.text(["message": .string(words)]))
    } configure: {
      $0.mode = .positive
    }
    #expect(report.findings.count { $0.rule == "prov.valid-rejected" } == 1, "\(report.explained)")
  }

  // MARK: - One cause

  private static func typed(_ properties: String, _ names: [String], version: String = "3.0.3") throws -> Contract {
    try ContractFixture(
      """
      openapi: \(version)
      info: {title: T, version: "1"}
      paths:
      \(names.map { name in
        """
          /\(name):
            get:
              operationId: \(name)
              responses:
                "200":
                  description: OK
                  content: {application/json: {schema: {type: object, properties: {\(properties)}}}}
        """
      }.joined(separator: "\n"))

      """
    ).contract()
  }

  @Test func `numbers of one kind in many places of a schema are one finding`() async throws {
    let members = (1...12).map { "m\($0)" }
    let contract = try Self.typed(members.map { "\($0): {type: integer}" }.joined(separator: ", "), ["x"])
    let body = "{" + members.map { #""\#($0)": 1.5"# }.joined(separator: ", ") + "}"
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, body) : Base.answer(501)
    }
    #expect(report.reported == ["GET /x 200 resp.body.schema"], "\(report.explained)")
    #expect(report.findings.first?.others.compactMap(\.place).contains("/body/m12") == true)
    #expect(report.findings.first?.message.contains("not listed") == false)
  }

  @Test func `a schema that two members of a response break is one entry and one finding`() async throws {
    let size =
      "schema: {type: object, properties: {a: {$ref: '#/components/schemas/P'}, b: {$ref: '#/components/schemas/P'}}}"
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
        /x:
          get:
            operationId: x
            responses: {"200": {description: OK, content: {application/json: {\(size)}}}}
      components: {schemas: {P: {type: object, properties: {n: {type: integer}}}}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, #"{"a": {"n": "1"}, "b": {"n": "2"}}"#) : Base.answer(501)
    }
    #expect(report.findings.count == 1 && report.causes.count == 1, "\(report.explained)")
    #expect(!report.text().contains("also:"))
  }

  @Test func `properties that one object lacks are one finding`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          responses:
            "200":
              description: OK
              content: {application/json: {schema: {type: object, required: [a, b, c, d]}}}
      """)
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, "{}") : Base.answer(501)
    }
    #expect(report.reported == ["GET /x 200 resp.body.schema"], "\(report.explained)")
  }

  @Test func `an undocumented status of two operations is one finding`() async throws {
    let report = try await live([Self.contract(["cats", "dogs"])]) { request, _ in
      Base.answer(request.method == .get ? 202 : 501)
    }
    #expect(report.reported == ["GET /cats 202 resp.status.undocumented"], "\(report.explained)")
    #expect(report.findings.first?.others.map(\.subject.title) == ["GET /dogs"])
    #expect(report.findings.first?.others.first?.reproduction == "curl -i http://localhost:8080/dogs")
  }

  @Test func `errors without documented content are one finding, whatever their statuses`() async throws {
    let paths = ["cats": 400, "dogs": 404, "mice": 409].sorted { $0.key < $1.key }.map { name, status in
      "/\(name):\n  get: {operationId: \(name), responses: {\"200\": {description: OK}, \"\(status)\": {description: No}}}"
    }
    let report = try await live([Base.contract(paths.joined(separator: "\n"))]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      let status = ["/cats": 400, "/dogs": 404, "/mice": 409][Base.parts(request).path] ?? 200
      return Base.answer(status, "{}")
    }
    let findings = report.findings.filter { $0.rule == "resp.body.unexpected" }
    #expect(findings.count == 1, "\(report.explained)")
    #expect(findings.first?.others.compactMap(\.subject.status) == ["404", "409"])
  }

  @Test func `two undocumented media types are two findings`() async throws {
    let paths = ["a", "b", "c"].map { name in
      "/\(name):\n  get: {operationId: \(name), responses: {\"200\": {description: OK, content: {application/json: {}}}}}"
    }
    let report = try await live([Base.contract(paths.joined(separator: "\n"))]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      let type = Base.parts(request).path == "/c" ? "image/png" : "text/plain"
      return (HTTPResponse(status: .ok, headerFields: [.contentType: type]), Array("a".utf8))
    }
    #expect(
      report.reported == ["GET /a 200 resp.content-type.undocumented", "GET /c 200 resp.content-type.undocumented"],
      "\(report.explained)")
  }

  @Test func `functionality that a server lacks is one finding`() async throws {
    let names = ["cats", "dogs", "mice"]
    let report = try await live([Self.contract(names)]) { request, _ in
      Base.answer(501, #"{"error": "there is no \#(Base.parts(request).path.dropFirst()) on this machine"}"#)
    }
    #expect(report.reported == ["GET /cats 501 cov.status.unimplemented"], "\(report.explained)")
    #expect(report.findings.first?.others.count == 2)
  }

  @Test func `methods of one path that fail at one parameter are one finding`() async throws {
    let operation = "responses: {\"200\": {description: OK}, \"400\": {description: No}}"
    let contract = try Base.contract(
      """
      /x/{n}:
        parameters: [{name: n, in: path, required: true, schema: {type: integer}}]
        get: {operationId: a, \(operation)}
        post: {operationId: b, \(operation)}
        put: {operationId: c, \(operation)}
      /y/{n}:
        parameters: [{name: n, in: path, required: true, schema: {type: integer}}]
        get: {operationId: d, \(operation)}
      """)
    let report = try await live([contract]) { request, _ in
      guard ["GET", "POST", "PUT"].contains(request.method.rawValue) else { return Base.answer(501) }
      let value = Base.parts(request).path.dropFirst(3)
      return Base.answer(Int(value) == nil ? 500 : 200)
    }
    let failures = report.findings.filter { $0.rule == "resp.server-error" }
    #expect(Set(failures.map(\.subject.path)) == ["/x/{n}", "/y/{n}"], "\(report.explained)")
    let of = failures.filter { $0.subject.path == "/x/{n}" }
    #expect(of.count < 3, "\(report.explained)")
  }

  @Test func `one time without an offset in six responses is one finding`() async throws {
    let contract = try Self.typed("at: {type: string, format: date-time}", Self.names, version: "3.1.0")
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, #"{"at": "2024-02-29T10:00:00"}"#) : Base.answer(501)
    }
    #expect(report.reported == ["GET /a 200 resp.format"], "\(report.explained)")
    #expect(report.findings.first?.others.count == 5)
  }

  @Test func `one kind of problem in many places of a contract is one finding`() {
    var report = Report(Report.Run("verify live", contracts: [], startedAt: ""))
    let subject = Report.Subject(contract: "api")
    let problems = (1...7).map { (number: Int) -> Diagnostic in
      let place = Location(path: "api.yaml", line: number)
      return Diagnostic(.responseStatusUndocumented, "the `operationId` `x\(number)` is used twice", at: place)
    }
    report.cases = [Report.Case(subject, Report.Case.contract, checked: 7, reporting: problems)]
    report.mergeContractProblems()
    #expect(report.findings.count == 1)
    #expect(report.findings.first?.count == 7)
    #expect(report.findings.first?.others.count == 6)
  }

  @Test func `more failures than are listed are no finding of their own`() async throws {
    let members = (1...30).map { "m\($0)" }
    let contract = try Self.typed(
      members.enumerated().map { "\($1): {type: \(["integer", "boolean", "array", "object"][$0 % 4])}" }
        .joined(separator: ", "), ["x"])
    let body = "{" + members.map { #""\#($0)": "a""# }.joined(separator: ", ") + "}"
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, body) : Base.answer(501)
    }
    #expect(!report.findings.contains { $0.message.contains("not listed") }, "\(report.explained)")
  }

  @Test func `a wrong value of a list is said to break the list`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{name: n, in: query, schema: {type: string, enum: [red, blue]}}]
          responses: {"200": {description: OK}}
      """)
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200) : Base.answer(405, "", [.allow: "GET"])
    }
    let finding = try #require(report.findings.first { $0.rule == "prov.invalid-accepted" }, "\(report.explained)")
    #expect(finding.message.contains("breaks `enum`"), "\(finding.message)")
  }
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func components(containing text: String) -> Int { ranges(of: text).count }
}
