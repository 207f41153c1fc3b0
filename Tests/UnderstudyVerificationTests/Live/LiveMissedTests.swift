import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Faults that only some requests show.
struct LiveMissedTests {
  private typealias Base = LiveBaseTests

  /// The lines of the requests to a server.
  private static func requests(
    _ contract: Contract, _ server: @escaping @Sendable (_ line: String, _ body: String) -> (HTTPResponse, [UInt8])
  ) async throws -> (sent: [String], report: Report) {
    let sent = Mutex<[String]>([])
    let report = try await live([contract]) { request, body in
      let line = "\(request.method.rawValue) \(request.path ?? "")"
      sent.withLock { $0.append(line) }
      return server(line, String(decoding: body, as: UTF8.self))
    }
    return (sent.withLock { $0 }, report)
  }

  @Test(arguments: [true, false]) func `a documented 500 is a warning where the request was valid`(
    isValid: Bool
  ) async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{name: n, in: query, required: true, schema: {type: integer, minimum: 1}}]
          responses: {"200": {description: OK}, "400": {description: No}, "500": {description: Failed}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      let value = Int(Base.parts(request).query.dropFirst(2)) ?? 0
      return Base.answer(value >= 1 ? (isValid ? 500 : 200) : (isValid ? 400 : 500))
    }
    #expect(report.reported == (isValid ? ["GET /x 500 resp.server-error"] : []), "\(report.explained)")
    #expect(report.findings.allSatisfy { $0.severity == .warning })
  }

  @Test func `bad credentials that get 422 in place of the documented 401 are a warning`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [{key: []}]
      paths:
        /a: {get: {operationId: a, responses: {"200": {description: OK}, "401": {description: No}, "422": {description: No}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      switch request.headerFields.first(named: "X-Key") {
      case "good": return Base.answer(200)
      case nil: return Base.answer(401)
      default: return Base.answer(422)
      }
    } configure: {
      $0.credentials = ["key": "good"]
    }
    #expect(report.reported == ["GET /a 422 prov.auth.status"], "\(report.explained)")
  }

  @Test func `a default that the server refuses is found alone beside the required parameters`() async throws {
    let contract = try Base.contract(
      """
      /data:
        get:
          operationId: data
          parameters:
            - {name: chart, in: query, required: true, schema: {type: string}}
            - {name: after, in: query, schema: {type: integer, default: -600}}
            - {name: format, in: query, schema: {type: string, default: json}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      let query = Base.parts(request).query
      return Base.answer(query.contains("after=-600") ? 400 : 200)
    } configure: {
      $0.mode = .positive
    }
    let finding = try #require(
      report.findings.first { $0.reproduction?.contains("after=-600") == true }, "\(report.explained)")
    #expect(finding.rule == "prov.valid-rejected")
    #expect(finding.reproduction?.contains("format=") == false)
  }

  @Test func `one optional parameter is tried where the server accepts none and all of them`() async throws {
    let contract = try Base.contract(
      """
      /data:
        get:
          operationId: data
          parameters:
            - {name: chart, in: query, schema: {type: string, default: system}}
            - {name: context, in: query, schema: {type: string, default: all}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let (sent, _) = try await Self.requests(contract) { line, _ in
      guard line.hasPrefix("GET") else { return Base.answer(405, "", [.allow: "GET"]) }
      let isOne = line.contains("chart=") != line.contains("context=")
      return Base.answer(isOne ? 200 : 400)
    }
    #expect(sent.contains("GET /data?chart=system"), "\(sent)")
  }

  @Test func `the name that a request gives is the id of what it creates`() async throws {
    let contract = try Base.contract(
      """
      /tenants:
        post:
          operationId: addTenant
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses: {"200": {description: OK, content: {application/json: {schema: {type: object}}}}}
      /tenants/{tenant}:
        get:
          operationId: tenant
          parameters: [{name: tenant, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let names = Mutex<Set<String>>([])
    let (_, report) = try await Self.requests(contract) { line, body in
      let path = line.split(separator: " ").last.map { String($0.split(separator: "?")[0]) } ?? ""
      if line.hasPrefix("POST"), let name = (try? JSONParser.parse(Array(body.utf8)).root)?["name"]?.string {
        names.withLock { _ = $0.insert("/tenants/" + PercentEncoding.encode(name)) }
        return Base.answer(200, "{}")
      }
      return Base.answer(line.hasPrefix("GET") && names.withLock { $0.contains(path) } ? 200 : 404)
    }
    #expect(!report.remarks.contains { $0.contains("never answered with a 2xx: tenant") }, "\(report.remarks)")
  }

  @Test func `an id under the name of a neighbour fills the neighbour's path`() async throws {
    let contract = try Base.contract(
      """
      /instances:
        post:
          operationId: upload
          responses: {"200": {description: OK, content: {application/json: {schema: {type: object}}}}}
      /instances/{id}:
        get:
          operationId: instance
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      /studies/{id}:
        get:
          operationId: study
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let (sent, _) = try await Self.requests(contract) { line, _ in
      if line.hasPrefix("POST") { return Base.answer(200, #"{"ID": "i-77", "ParentStudy": "s-55"}"#) }
      return Base.answer(["GET /instances/i-77", "GET /studies/s-55"].contains(line) ? 200 : 404)
    }
    #expect(sent.contains("GET /studies/s-55"), "\(sent)")
    #expect(sent.contains("GET /instances/i-77"), "\(sent)")
  }

  @Test func `values in backticks of a description are sent`() async throws {
    let contract = try Base.contract(
      """
      /uid:
        get:
          operationId: uid
          parameters:
            - name: level
              in: query
              required: true
              description: "Type of resource among: `patient`, `study` or `series`"
              schema: {type: string}
          responses: {"200": {description: OK}}
      """)
    let (sent, report) = try await Self.requests(contract) { line, _ in
      Base.answer(["GET /uid?level=patient", "GET /uid?level=study"].contains(line) ? 200 : 404)
    }
    #expect(sent.contains("GET /uid?level=patient"), "\(sent)")
    #expect(!report.findings.contains { $0.rule == "cov.status.unimplemented" }, "\(report.explained)")
  }

  @Test func `the contract's example of a path is used by its neighbours`() async throws {
    let contract = try Base.contract(
      """
      /books/{id}:
        get:
          operationId: book
          parameters: [{name: id, in: path, required: true, schema: {type: string}, example: moby}]
          responses: {"200": {description: OK}, "404": {description: None}}
      /books/{id}/pages:
        get:
          operationId: pages
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let (sent, _) = try await Self.requests(contract) { line, _ in
      Base.answer(line.contains("/books/moby") ? 200 : 404)
    }
    #expect(sent.contains("GET /books/moby/pages"), "\(sent)")
  }

  @Test(arguments: ["3.0.3", "3.1.0"]) func `a time without an offset breaks its format in every version`(
    version: String
  ) async throws {
    let contract = try ContractFixture(
      """
      openapi: \(version)
      info: {title: T, version: "1"}
      paths:
        /x:
          get:
            operationId: x
            responses:
              "200":
                description: OK
                content:
                  application/json:
                    schema: {type: object, properties: {at: {type: string, format: date-time}}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, #"{"at": "2024-02-29T10:00:00"}"#) : Base.answer(501)
    }
    let rule = version == "3.0.3" ? "resp.body.schema" : "resp.format"
    #expect(report.reported == ["GET /x 200 \(rule)"], "\(report.explained)")
    #expect(report.findings.first?.location?.pointer == "/body/at")
  }

  @Test func `a list that fails after a deletion is a finding`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /sessions:
        get: {operationId: sessions, responses: {"200": {description: OK}}}
        post: {operationId: open, responses: {"201": {description: Made}}}
      /sessions/{id}:
        delete:
          operationId: close
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses: {"204": {description: Gone}, "404": {description: None}}
      """)
    let isBroken = Mutex(false)
    let report = try await live([contract]) { request, _ in
      switch (request.method, LiveBaseTests.parts(request).path) {
      case (.get, "/sessions"): return LiveBaseTests.answer(isBroken.withLock { $0 } ? 500 : 200)
      case (.post, "/sessions"): return LiveBaseTests.answer(201, #"{"id": 7}"#)
      case (.delete, "/sessions/7"):
        isBroken.withLock { $0 = true }
        return LiveBaseTests.answer(204)
      default: return LiveBaseTests.answer(request.method == .delete ? 404 : 501)
      }
    }
    #expect(report.reported.contains("GET /sessions 500 resp.server-error"), "\(report.explained)")
  }

  private static let project = """
    /projects:
      put:
        operationId: change
        requestBody:
          required: true
          content:
            application/json:
              schema:
                type: object
                properties:
                  name: {type: string, nullable: true}
                  path: {type: string, nullable: true}
                  size: {type: integer, nullable: true}
                  open: {type: boolean}
        responses: {"200": {description: OK}, "400": {description: No}}
    """

  private static func member(_ name: String, of body: [UInt8]) -> JSON? {
    (try? JSONParser.parse(body).root)?[name]
  }

  @Test(arguments: [400, 500]) func `null is found in the one member of several where the server does not take it`(
    status: Int
  ) async throws {
    let report = try await live([Base.contract(Self.project)]) { request, body in
      guard request.method == .put else { return Base.answer(405, "", [.allow: "PUT"]) }
      guard let value = try? JSONParser.parse(body).root, value.isObject else { return Base.answer(400) }
      // The other limits of the same member are refused as well, for another reason.
      if let path = value["path"], path.isString, path.text.isEmpty {
        return Base.answer(400, #"{"message": "short"}"#)
      }
      return value["path"]?.isNull == true ? Base.answer(status, #"{"message": "null found"}"#) : Base.answer(200)
    }
    let rule = status == 500 ? "resp.server-error" : "prov.valid-rejected"
    let finding = try #require(
      report.findings.first { $0.rule == rule && $0.help?.contains("null found") == true }, "\(report.explained)")
    #expect(finding.reproduction?.contains(#"{"path":null}"#) == true, "\(report.explained)")
  }

  @Test func `a number that is read as a boolean is found where every other wrong type is refused`() async throws {
    let report = try await live([Base.contract(Self.project)]) { request, body in
      guard request.method == .put else { return Base.answer(405, "", [.allow: "PUT"]) }
      guard let value = try? JSONParser.parse(body).root, value.isObject else { return Base.answer(400) }
      let isGood = value.members.allSatisfy { member in
        switch member.name {
        case "open": [.true, .false].contains(member.value.kind) || member.value.text == "0"
        case "size": member.value.int != nil || member.value.isNull || member.value.kind == .number
        default: member.value.isString || member.value.isNull
        }
      }
      return Base.answer(isGood ? 200 : 400)
    }
    let finding = try #require(
      report.findings.first { $0.message.contains("a number for a boolean") }, "\(report.explained)")
    #expect(finding.rule == "prov.invalid-accepted" && finding.reproduction?.contains(#""open":0"#) == true)
    #expect(finding.location?.pointer == "/body/open")
  }

  @Test(arguments: [true, false]) func `JSON in a query that is decoded twice`(isBroken: Bool) async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters:
            - name: q
              in: query
              content: {application/json: {schema: {type: object, properties: {page: {type: integer}}}}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let (_, report) = try await Self.requests(contract) { line, _ in
      guard line.hasPrefix("GET /x") else { return Base.answer(405, "", [.allow: "GET"]) }
      guard let mark = line.firstIndex(of: "?") else { return Base.answer(200) }
      let pairs = line[line.index(after: mark)...].split(separator: "&")
      guard let pair = pairs.first(where: { $0.hasPrefix("q=") }),
        let once = PercentEncoding.decode(Array(pair.dropFirst(2).utf8)[...])
      else { return Base.answer(200) }
      let text = isBroken ? String(once.prefix { $0 != "&" }) : once
      let value = try? JSONParser.parse(Array(text.utf8)).root
      let isGood = value?.isObject == true && (value?["page"].map { $0.int != nil } ?? true)
      return Base.answer(isGood ? 200 : 400)
    }
    let found = report.findings.filter { $0.message.contains("in its JSON") }
    #expect(found.map(\.rule) == (isBroken ? ["prov.valid-rejected"] : []), "\(report.explained)")
  }

  @Test func `a value of JSON that a server refuses without its characters too is not a finding`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters:
            - name: q
              in: query
              content: {application/json: {schema: {type: object, properties: {page: {type: integer}}}}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let (_, report) = try await Self.requests(contract) { line, _ in
      guard line.hasPrefix("GET /x") else { return Base.answer(405, "", [.allow: "GET"]) }
      return Base.answer(line.contains("abcd") || line.contains("c%25d") ? 400 : 200)
    }
    #expect(!report.findings.contains { $0.message.contains("in its JSON") }, "\(report.explained)")
  }

  private static let pair = """
    /a: {get: {operationId: a, responses: {"200": {description: OK}}}}
    /b: {get: {operationId: b, responses: {"200": {description: OK}}}}
    """

  @Test(arguments: [400, 404, 405, 501]) func `an unknown method that gets 400 is reported once for a server`(
    status: Int
  ) async throws {
    let contract = try Base.contract(Self.pair)
    let (sent, report) = try await Self.requests(contract) { line, _ in
      if line.hasPrefix("GET") { return Base.answer(200) }
      let isUsual = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains { line.hasPrefix($0) }
      return Base.answer(isUsual ? 405 : status, "", [.allow: "GET"])
    }
    #expect(sent.count { $0.hasPrefix("TRACE") } == 1 && sent.count { $0.hasPrefix("UNDERSTUDY") } == 1, "\(sent)")
    let found = report.findings.filter { $0.rule == "prov.method.status" }
    #expect(found.count == (status == 400 ? 1 : 0), "\(report.explained)")
    #expect(found.allSatisfy { $0.severity == .info && $0.reproduction?.contains("TRACE") == true })
  }

  @Test func `each of a few paths gets every method that it does not have`() async throws {
    let paths = (1...14).map { number in
      let methods = ["get"] + (number == 1 ? [] : ["put"])
      let operations = methods.map { "  \($0): {operationId: \($0)\(number), responses: {\"200\": {description: OK}}}" }
      return "/p\(number):\n" + operations.joined(separator: "\n")
    }
    let contract = try Base.contract(paths.joined(separator: "\n"))
    let (sent, report) = try await Self.requests(contract) { line, _ in
      line.hasPrefix("POST /p7")
        ? Base.answer(500)
        : line.hasPrefix("GET") || line.hasPrefix("PUT /p")
          ? Base.answer(200) : Base.answer(405, "", [.allow: "GET, PUT"])
    }
    for number in 1...14 {
      #expect(sent.contains("POST /p\(number)") && sent.contains("DELETE /p\(number)"), "\(sent)")
    }
    #expect(report.reported.contains { $0.hasPrefix("GET /p7 500") }, "\(report.explained)")
  }

  @Test func `what replaces the credentials of the run comes after what else changes accounts`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [{key: []}]
      paths:
        /user/token: {put: {operationId: replace, responses: {"200": {description: OK}, "401": {description: No}}}}
        /user:
          put:
            operationId: change
            requestBody:
              required: true
              content: {application/json: {schema: {type: object, required: [password], properties: {password: {type: string}}}}}
            responses: {"200": {description: OK}, "400": {description: No}, "401": {description: No}}
        /things: {get: {operationId: things, responses: {"200": {description: OK}, "401": {description: No}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
    let isReplaced = Mutex(false)
    let report = try await live([contract]) { request, body in
      let line = "\(request.method.rawValue) \(Base.parts(request).path)"
      guard ["GET /things", "PUT /user", "PUT /user/token"].contains(line) else {
        return Base.answer(405, "", [.allow: "GET, PUT"])
      }
      guard request.headerFields.first(named: "X-Key") == "good", !isReplaced.withLock({ $0 }) else {
        return Base.answer(401)
      }
      if line == "PUT /user/token" { isReplaced.withLock { $0 = true } }
      guard line == "PUT /user" else { return Base.answer(200) }
      guard let password = Self.member("password", of: body), password.isString else { return Base.answer(400) }
      return Base.answer(password.text.isEmpty ? 500 : 200)
    } configure: {
      $0.credentials = ["key": "good"]
    }
    #expect(report.reported.contains("PUT /user 500 resp.server-error"), "\(report.explained)")
  }

  /// - Parameter namesKernel: Whether the response to a new session has the kernel that the server started for it.
  @Test(arguments: [true, false]) func `a resource that fails once what it refers to was deleted is a finding`(
    namesKernel: Bool
  ) async throws {
    let contract = try LiveBaseTests.contract(
      """
      /kernels:
        get: {operationId: kernels, responses: {"200": {description: OK}}}
      /kernels/{kernel_id}:
        delete:
          operationId: stop
          parameters: [{name: kernel_id, in: path, required: true, schema: {type: string}}]
          responses: {"204": {description: Gone}, "404": {description: None}}
      /sessions:
        get: {operationId: sessions, responses: {"200": {description: OK}}}
        post: {operationId: open, responses: {"201": {description: Made}}}
      """)
    let kernels = Mutex<[Int: Bool]>([:])
    let report = try await live([contract]) { request, _ in
      let path = LiveBaseTests.parts(request).path
      return kernels.withLock { kernels in
        let running = kernels.filter(\.value).keys.sorted()
        switch (request.method, path) {
        case (.get, "/kernels"):
          return LiveBaseTests.answer(200, "[" + running.map { #"{"id": "k-\#($0)"}"# }.joined(separator: ",") + "]")
        case (.get, "/sessions"):
          guard running.count < kernels.count else { return LiveBaseTests.answer(200, "[]") }
          kernels = kernels.filter(\.value)
          return LiveBaseTests.answer(500)
        case (.post, "/sessions"):
          let number = (kernels.keys.max() ?? 100) + 1
          kernels[number] = true
          let kernel = namesKernel ? #", "kernel": {"id": "k-\#(number)"}"# : ""
          return LiveBaseTests.answer(201, #"{"id": \#(number)\#(kernel)}"#)
        case (.delete, _):
          guard let number = Int(path.dropFirst("/kernels/k-".count)), kernels[number] == true else {
            return LiveBaseTests.answer(404)
          }
          // The kernels that the list names are somebody's.
          kernels[number] = namesKernel ? false : nil
          return LiveBaseTests.answer(204)
        default: return LiveBaseTests.answer(405, "", [.allow: "GET, POST, DELETE"])
        }
      }
    }
    let finding = report.findings.first { $0.rule == "resp.server-error" && $0.subject.title == "GET /sessions" }
    #expect((finding != nil) == namesKernel, "\(report.explained)")
    let lines = finding?.reproduction?.split(separator: "\n").map(String.init) ?? []
    if namesKernel, lines.count == 3 {
      #expect(lines[0].contains("POST") && lines[1].contains("DELETE") && lines[2].contains("/sessions"), "\(lines)")
    }
  }
}
