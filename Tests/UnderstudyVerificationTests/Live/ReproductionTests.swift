import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The commands that repeat what a live run saw.
struct ReproductionTests {
  private typealias Base = LiveBaseTests

  /// Notes that a request creates, whose first answer breaks the contract.
  private static func report(by method: String = "put", canDelete: Bool) async throws -> Report {
    let gone = #"{"204": {description: Gone}, "404": {description: None}}"#
    let deletion = "\n  delete: {operationId: remove, responses: \(gone)}"
    let contract = try Base.contract(
      """
      /notes/{id}:
        parameters: [{in: path, name: id, required: true, schema: {type: string, pattern: "^[a-z]+$"}}]
        \(method):
          operationId: write
          responses:
            "200": {description: Changed}
            "201": {description: Made, content: {application/json: {schema: {type: object, required: [id]}}}}
      """ + (canDelete ? deletion : ""))
    let notes = Mutex<Set<String>>([])
    return try await live([contract]) { request, _ in
      let path = Base.parts(request).path
      switch request.method {
      case .put, .post:
        return notes.withLock { $0.insert(path).inserted } ? Base.answer(201, "{}") : Base.answer(200)
      case .delete: return Base.answer(notes.withLock { $0.remove(path) } == nil ? 404 : 204)
      default: return Base.answer(501)
      }
    } configure: {
      $0.phases = [.coverage, .random]
    }
  }

  @Test(arguments: ["put", "post"]) func `what a request creates at its path is deleted before it is created again`(
    method: String
  ) async throws {
    let report = try await Self.report(by: method, canDelete: true)
    let finding = try #require(report.findings.first { $0.subject.status == "201" }, "\(report.explained)")
    let lines = (finding.reproduction ?? "").split(separator: "\n")
    #expect(lines.count == 2, "\(report.explained)")
    #expect(lines.first?.contains("-X DELETE http://localhost:8080/notes/") == true, "\(report.explained)")
    let request = "-X \(method.uppercased()) http://localhost:8080/notes/"
    #expect(lines.last?.contains(request) == true, "\(report.explained)")
    #expect(
      lines.map { $0.split(separator: "/notes/").last.map { $0.prefix { $0.isLetter } } }.unique().count == 1,
      "\(report.explained)")
  }

  private static let owners = """
    /owners:
      post:
        operationId: addOwner
        responses: {"201": {description: Made, content: {application/json: {schema: {type: object}}}}}
    /owners/{ownerId}:
      get:
        operationId: readOwner
        parameters: [{in: path, name: ownerId, required: true, schema: {type: string}}]
        responses: {"200": {description: OK}, "404": {description: None}}
    /pets:
      post:
        operationId: addPet
        requestBody:
          required: true
          content:
            application/json:
              schema: {type: object, required: [owner_id], properties: {owner_id: {type: string}}}
        responses: {"201": {description: Made}, "400": {description: No}, "404": {description: None}}
    """

  /// The lines that repeat the failure of one operation, on a server that fails for an owner that it created.
  private static func lines(failing method: HTTPRequest.Method, _ path: String) async throws -> [Substring] {
    let owners = Mutex<Set<String>>([])
    let report = try await live([Base.contract(Self.owners)]) { request, body in
      let target = Base.parts(request).path
      switch (request.method, target) {
      case (.post, "/owners"):
        let id = owners.withLock { owners in
          owners.insert("owner-\(owners.count)")
          return "owner-\(owners.count - 1)"
        }
        return Base.answer(201, #"{"id": "\#(id)"}"#)
      case (.post, "/pets"):
        guard let owner = (try? JSONParser.parse(body).root)?["owner_id"]?.string else { return Base.answer(400) }
        guard owners.withLock({ $0.contains(owner) }) else { return Base.answer(404) }
        return Base.answer(method == .post ? 500 : 201)
      case (.get, _):
        let id = target.split(separator: "/").last.map(String.init) ?? ""
        guard owners.withLock({ $0.contains(id) }) else { return Base.answer(404) }
        return Base.answer(method == .get ? 500 : 200)
      default: return Base.answer(501)
      }
    } configure: {
      $0.phases = [.coverage, .random]
      $0.mode = .positive
    }
    let finding = report.findings.first { $0.rule == "resp.server-error" && $0.subject.title == path }
    return try #require(finding?.reproduction, "\(report.explained)").split(separator: "\n")
  }

  @Test func `what a path names is created before it is read`() async throws {
    let lines = try await Self.lines(failing: .get, "GET /owners/{ownerId}")
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.contains("-X POST http://localhost:8080/owners") == true, "\(lines)")
    // The server gives another id each time.
    #expect(lines.first?.hasPrefix("ownerId=$(curl -s -X POST ") == true, "\(lines)")
    #expect(lines.last == #"curl -i "http://localhost:8080/owners/${ownerId}""#, "\(lines)")
  }

  @Test func `what a body names is created before the request`() async throws {
    let lines = try await Self.lines(failing: .post, "POST /pets")
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.contains("-X POST http://localhost:8080/owners") == true, "\(lines)")
    #expect(lines.first?.hasPrefix("owner_id=$(curl -s -X POST ") == true, "\(lines)")
    #expect(lines.last?.contains(#"\"owner_id\":\"${owner_id}\""#) == true, "\(lines)")
  }

  @Test func `what a member of any name takes from the same collection is created before`() async throws {
    let contract = try Base.contract(
      """
      /files/{path}:
        parameters: [{in: path, name: path, required: true, schema: {type: string}, example: text}]
        put: {operationId: write, responses: {"201": {description: Made}}}
        post:
          operationId: copy
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [copy_from], properties: {copy_from: {enum: [text]}}}
          responses: {"201": {description: Made}, "404": {description: None}, "409": {description: Taken}}
      """)
    let files = Mutex<Set<String>>([])
    let report = try await live([contract]) { request, body in
      let name = Base.parts(request).path.split(separator: "/").last.map(String.init) ?? ""
      switch request.method {
      case .put:
        files.withLock { _ = $0.insert(name) }
        return Base.answer(201, #"{"name": "\#(name)"}"#)
      case .post:
        let origin = (try? JSONParser.parse(body).root)?["copy_from"]?.string ?? ""
        let (isTaken, isThere) = files.withLock { ($0.contains(name), $0.contains(origin)) }
        return Base.answer(isTaken ? 409 : isThere ? 500 : 404)
      default: return Base.answer(501)
      }
    } configure: {
      $0.phases = [.examples, .coverage, .random]
      $0.mode = .positive
    }
    let finding = report.findings.first { $0.rule == "resp.server-error" }
    let lines = try #require(finding?.reproduction, "\(report.explained)").split(separator: "\n")
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.contains("-X PUT http://localhost:8080/files/text") == true, "\(lines)")
  }

  /// What a shell prints for lines, with a function in place of curl.
  private static func output(_ lines: [Substring], answer: String) throws -> String {
    let curl = "curl() { case \"$*\" in *POST*) printf '%s' '\(answer)';; *) echo \"$2\";; esac; }\n"
    return try Command.run("/bin/sh", ["-c", curl + lines.joined(separator: "\n")]).output
  }

  @Test(arguments: [
    #"{"id": "owner-99"}"#, #"{"id":"owner-99","name":"a"}"#, "{\n  \"name\": \"a\",\n  \"id\": \"owner-99\"\n}",
  ]) func `a shell reads the id that the server gives`(answer: String) async throws {
    let lines = try await Self.lines(failing: .get, "GET /owners/{ownerId}")
    #expect(try Self.output(lines, answer: answer) == "http://localhost:8080/owners/owner-99\n")
  }

  @Test func `a number of Location is read where the answer has no body`() async throws {
    let contract = try Base.contract(
      """
      /jobs:
        post: {operationId: add, responses: {"201": {description: Made}}}
      /jobs/{job}:
        get:
          operationId: read
          parameters: [{in: path, name: job, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let last = Mutex(4_000)
    let report = try await live([contract]) { request, _ in
      let path = Base.parts(request).path
      switch request.method {
      case .post:
        let id = last.withLock { last in
          last += 1
          return last
        }
        return Base.answer(201, "", [.location: "/jobs/\(id)"])
      case .get:
        let id = path.split(separator: "/").last.flatMap { Int($0) } ?? 0
        return Base.answer(last.withLock { 4_001...max(4_001, $0) ~= id } ? 500 : 404)
      default: return Base.answer(501)
      }
    } configure: {
      $0.phases = [.coverage]
      $0.mode = .positive
    }
    let finding = try #require(report.findings.first { $0.subject.operation == "read" }, "\(report.explained)")
    let lines = (finding.reproduction ?? "").split(separator: "\n")
    #expect(lines.first?.hasPrefix("job_id=$(curl -si -X POST ") == true, "\(lines)")
    let answer = "HTTP/1.1 201 Created\r\nLocation: /jobs/77\r\n\r\n"
    #expect(try Self.output(lines, answer: answer) == "http://localhost:8080/jobs/77\n")
  }

  @Test func `what has the same id in another collection is not created before`() async throws {
    let contract = try Base.contract(
      """
      /owners:
        post: {operationId: addOwner, responses: {"201": {description: Made}}}
      /owners/{ownerId}:
        get:
          operationId: readOwner
          parameters: [{in: path, name: ownerId, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}}
      /shops:
        get: {operationId: shops, responses: {"200": {description: OK}}}
      /shops/{shopId}:
        get:
          operationId: readShop
          parameters: [{in: path, name: shopId, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let report = try await live([contract]) { request, _ in
      switch (request.method, Base.parts(request).path) {
      case (.post, "/owners"): Base.answer(201, #"{"id": 5}"#)
      case (.get, "/shops"): Base.answer(200, #"[{"id": 5}]"#)
      case (.get, "/owners/5"), (.get, "/shops/5"): Base.answer(500)
      case (.get, _): Base.answer(404)
      default: Base.answer(501)
      }
    } configure: {
      $0.phases = [.coverage]
      $0.mode = .positive
    }
    func lines(_ operation: String) throws -> Int {
      let finding = report.findings.first { $0.subject.operation == operation && $0.subject.status == "500" }
      return try #require(finding?.reproduction, "\(report.explained)").split(separator: "\n").count
    }
    #expect(try lines("readShop") == 1)
    #expect(try lines("readOwner") == 2)
  }

  @Test func `an id that the request has is written out`() async throws {
    let contract = try Base.contract(
      """
      /notes:
        post:
          operationId: add
          requestBody:
            required: true
            content:
              application/json: {schema: {type: object, required: [id], properties: {id: {type: string, enum: [n1]}}}}
          responses: {"201": {description: Made}}
      /notes/{noteId}:
        get:
          operationId: read
          parameters: [{in: path, name: noteId, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let report = try await live([contract]) { request, body in
      switch request.method {
      case .post: Base.answer(201, String(decoding: body, as: UTF8.self))
      case .get: Base.answer(Base.parts(request).path == "/notes/n1" ? 500 : 404)
      default: Base.answer(501)
      }
    } configure: {
      $0.phases = [.coverage]
      $0.mode = .positive
    }
    let finding = try #require(report.findings.first { $0.subject.operation == "read" }, "\(report.explained)")
    let lines = (finding.reproduction ?? "").split(separator: "\n")
    #expect(lines.count == 2 && lines.first?.hasPrefix("curl -i -X POST ") == true, "\(lines)")
    #expect(lines.last == "curl -i http://localhost:8080/notes/n1", "\(lines)")
  }

  @Test func `nothing is deleted that the contract cannot delete`() async throws {
    let report = try await Self.report(canDelete: false)
    let finding = try #require(report.findings.first { $0.subject.status == "201" }, "\(report.explained)")
    #expect(finding.reproduction?.contains("DELETE") == false, "\(report.explained)")
  }

  // MARK: - Commands

  @Test func `a conflict is shown by both requests`() async throws {
    let contract = try Base.contract(
      """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}
          responses:
            "201": {description: Made}
            "409": {description: There, content: {application/json: {schema: {type: object, required: [why]}}}}
      """)
    let names = Mutex<Set<[UInt8]>>([])
    let report = try await live([contract]) { request, body in
      guard request.method == .post, (try? JSONParser.parse(body)) != nil else {
        return Base.answer(405, "", [.allow: "POST"])
      }
      return names.withLock { $0.insert(body).inserted } ? Base.answer(201) : Base.answer(409, "{}")
    }
    let finding = try #require(report.findings.first { $0.rule == "resp.body.schema" }, "\(report.explained)")
    let lines = (finding.reproduction ?? "").split(separator: "\n")
    #expect(lines.count == 2 && lines.first == lines.last, "\(report.explained)")
  }

  @Test func `a form of printable parts is written as a form`() {
    let body = [
      "--b", "Content-Disposition: form-data; name=\"title\"", "", "a; @b",
      "--b", "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"", "Content-Type: text/plain", "",
      "hello", "--b--", "",
    ].joined(separator: "\r\n")
    func line(_ body: String) -> String {
      CurlLine(
        method: "POST", url: "http://localhost/x", fields: [.contentType: "multipart/form-data; boundary=b"],
        body: .bytes(Array(body.utf8))
      ).text()
    }
    #expect(
      line(body)
        == #"curl -i -X POST http://localhost/x --form-string 'title=a; @b' -F 'file="hello";filename="a.txt";type=text/plain'"#
    )
    #expect(!line(body.replacing("hello", with: "h\u{E9}llo")).contains("-F "))
  }

  @Test func `a credential of one letter replaces nothing but itself`() {
    let line = CurlLine(
      method: "POST", url: "http://localhost/things", fields: [.authorization: "Bearer t", .contentType: "text/plain"],
      body: .bytes(Array("that".utf8)))
    #expect(
      line.text(ShellQuoting(variables: [("t", "KEY")]))
        == #"curl -i -X POST http://localhost/things -H "Authorization: Bearer ${KEY}" -H 'Content-Type: text/plain' --data-raw that"#
    )
  }
}
