import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Values that contracts allow and servers forget, and what comes of them later in a run.
extension LiveMissedTests {
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

  private static let search = """
    /x:
      get:
        operationId: x
        parameters:
          - name: q
            in: query
            content: {application/json: {schema: {type: object, properties: {page: {type: integer}}}}}
        responses: {"200": {description: OK}, "400": {description: No}}
    """

  @Test(arguments: [true, false]) func `JSON in a query that is decoded twice`(isBroken: Bool) async throws {
    let contract = try Base.contract(Self.search)
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
    let contract = try Base.contract(Self.search)
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
    let contract = try Self.kernels("responses: {\"201\": {description: Made}}")
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
          // Where no response names the kernel, nothing shows that the session has it.
          kernels[number] = namesKernel ? false : nil
          return LiveBaseTests.answer(204)
        default: return LiveBaseTests.answer(405, "", [.allow: "GET, POST, DELETE"])
        }
      }
    }
    let finding = report.findings.first { $0.rule == "resp.server-error" && $0.subject.title == "GET /sessions" }
    #expect((finding != nil) == namesKernel, "\(report.explained)")
    let lines = finding?.reproduction?.split(separator: "\n").map(String.init) ?? []
    let methods = ["POST", "DELETE", "/sessions"]
    #expect(lines.count == (namesKernel ? 3 : 0) && zip(lines, methods).allSatisfy { $0.contains($1) }, "\(lines)")
  }
}
