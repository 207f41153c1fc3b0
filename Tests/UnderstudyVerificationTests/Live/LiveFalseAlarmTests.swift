import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// What looks like a fault of the server and is none.
struct LiveFalseAlarmTests {
  private typealias Base = LiveBaseTests

  private static func contract(_ version: String, _ paths: String) throws -> Contract {
    try ContractFixture(
      """
      openapi: \(version)
      info: {title: T, version: "1"}
      paths:
      \(paths.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))

      """
    ).contract()
  }

  @Test(arguments: ["password", "colour"]) func `a 401 of a login is about the credentials in its body`(
    member: String
  ) async throws {
    let contract = try Base.contract(
      """
      /login:
        post:
          operationId: login
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [username, \(member)]
                  properties: {username: {type: string}, \(member): {type: string}}
          responses: {"200": {description: OK}, "400": {description: No}, "401": {description: Wrong}}
      """)
    let report = try await live([contract]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard let value = try? JSONParser.parse(body).root, value["username"]?.isString == true,
        value[member]?.isString == true
      else { return Base.answer(400) }
      return Base.answer(401)
    }
    let isOpen = report.findings.contains { $0.rule == "prov.auth.open" }
    #expect(isOpen == (member == "colour"), "\(report.explained)")
  }

  @Test(arguments: ["notes is not a directory", "bad value of type"])
  func `a refusal that names its item is about the item`(words: String) async throws {
    let contract = try Base.contract(
      """
      /files/{name}:
        get:
          operationId: readFile
          parameters:
            - {name: name, in: path, required: true, schema: {type: string, enum: [notes]}}
            - {name: type, in: query, schema: {type: string, enum: [directory]}}
          responses: {"200": {description: OK}, "400": {description: No}, "404": {description: None}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      let parts = (request.path ?? "").split(separator: "?", maxSplits: 1)
      guard parts[0] == "/files/notes" else { return Base.answer(404) }
      guard parts.count > 1 else { return Base.answer(200) }
      return Base.answer(400, #"{"message": "\#(words)"}"#)
    }
    let isRejected = report.findings.contains { $0.rule == "prov.valid-rejected" }
    #expect(isRejected == !words.contains("notes"), "\(report.explained)")
  }

  private static let groups = """
    /groups:
      post:
        operationId: addGroup
        requestBody:
          required: true
          content:
            application/json:
              schema:
                type: object
                required: [name]
                properties: {name: {type: string, minLength: 1, maxLength: 40}, label: {type: string, maxLength: 20}}
        responses: {"201": {description: Made}, "400": {description: No}, "415": {description: No}, "422": {description: No}}
    """

  /// A server of groups with names of their own, which keeps them over several runs.
  private static func groupServer() -> LocalServer {
    let names = Mutex<Set<String>>([])
    return { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard request.headerFields[.contentType] == "application/json" else { return Base.answer(415) }
      guard let value = try? JSONParser.parse(body).root, let name = value["name"]?.string, !name.isEmpty,
        name.unicodeScalars.count <= 40, value["label"].map({ $0.isString }) ?? true
      else { return Base.answer(400) }
      // Labels of any length are accepted.
      return Base.answer(names.withLock { $0.insert(name).inserted } ? 201 : 422)
    }
  }

  @Test func `a second run on a server with unique names finds the same`() async throws {
    let server = Self.groupServer()
    var found: [[String]] = []
    for run in ["first", "second", "third"] {
      let report = try await live([Base.contract(Self.groups)], on: server) { $0.run = run }
      found.append(report.findings.map { "\($0.rule) \($0.location?.pointer ?? "")" })
      #expect(report.findings.map(\.rule) == ["prov.invalid-accepted"], "\(run): \(report.explained)")
    }
    #expect(Set(found).count == 1)
  }

  @Test(arguments: [true, false]) func `an empty name that is refused as such is not a name that is taken`(
    isTooShort: Bool
  ) async throws {
    let contract = try Base.contract(Self.groups.replacing("minLength: 1, ", with: ""))
    let names = Mutex<Set<String>>(isTooShort ? [] : [""])
    let report = try await live([contract]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard request.headerFields[.contentType] == "application/json" else { return Base.answer(415) }
      guard let name = (try? JSONParser.parse(body).root)?["name"]?.string, name.unicodeScalars.count <= 40 else {
        return Base.answer(400)
      }
      guard !isTooShort || !name.isEmpty else { return Base.answer(422, #"{"message": "too short"}"#) }
      return names.withLock { $0.insert(name).inserted }
        ? Base.answer(201) : Base.answer(422, #"{"message": "taken already"}"#)
    } configure: {
      $0.mode = .positive
    }
    #expect(report.findings.contains { $0.rule == "prov.valid-rejected" } == isTooShort, "\(report.explained)")
  }

  @Test(arguments: [true, false]) func `what the run created itself may be of a kind that an operation refuses`(
    isCreated: Bool
  ) async throws {
    let path = "parameters: [{name: path, in: path, required: true, schema: {type: string}}]"
    let contract = try Base.contract(
      """
      /contents:
        get: {operationId: list, responses: {"200": {description: OK}}}
      /contents/{path}:
        put: {operationId: save, \(path), responses: {"201": {description: Made}, "404": {description: None}}}
        post: {operationId: add, \(path), responses: {"201": {description: Made}, "400": {description: No}}}
      /contents/{path}/checkpoints:
        get: {operationId: checkpoints, \(path), responses: {"200": {description: OK}}}
      """)
    let report = try await live([contract]) { request, _ in
      switch request.method {
      case .get: Base.answer(200, "[]")
      case .put: Base.answer(isCreated ? 201 : 404)
      case .post: Base.answer(400, #"{"message": "cannot add to a file"}"#)
      default: Base.answer(501)
      }
    } configure: {
      $0.mode = .positive
      $0.phases = [.coverage]
    }
    let isRefused = report.findings.contains { $0.rule == "prov.valid-rejected" && $0.subject.operation == "add" }
    #expect(isRefused != isCreated, "\(report.explained)")
  }

  @Test(arguments: [true, false]) func `an empty name of a PUT is taken, or refused as such`(isTaken: Bool) async throws
  {
    let contract = try Base.contract(
      """
      /groups:
        get: {operationId: groups, responses: {"200": {description: OK}}}
      /groups/{id}:
        put:
          operationId: rename
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          requestBody:
            required: true
            content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}
          responses: {"200": {description: OK}, "404": {description: None}, "422": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard ["GET", "PUT"].contains(request.method.rawValue) else { return Base.answer(405, "", [.allow: "PUT"]) }
      guard request.method == .put else { return Base.answer(200, #"[{"id": 7, "name": ""}, {"id": 8, "name": "b"}]"#) }
      guard let name = (try? JSONParser.parse(body).root)?["name"]?.string else { return Base.answer(422) }
      let words = isTaken ? "UNIQUE constraint failed: groups.name" : "expected a name"
      return name.isEmpty ? Base.answer(422, #"{"message": "\#(words)"}"#) : Base.answer(200)
    } configure: {
      $0.mode = .positive
    }
    #expect(report.findings.contains { $0.rule == "prov.valid-rejected" } != isTaken, "\(report.explained)")
  }

  @Test(arguments: ["UNIQUE constraint failed: things.size", "expected a smaller size"])
  func `a response that says that a value is there already is about data`(words: String) async throws {
    let contract = try Base.contract(
      """
      /things:
        post:
          operationId: addThing
          requestBody:
            required: true
            content: {application/json: {schema: {type: object, properties: {size: {type: integer}}}}}
          responses: {"201": {description: Made}, "422": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard let value = try? JSONParser.parse(body).root, value.isObject else { return Base.answer(422) }
      return value["size"] == nil ? Base.answer(201) : Base.answer(422, JSONWriter.text(["message": .string(words)]))
    } configure: {
      $0.mode = .positive
    }
    let isRefused = report.findings.contains { $0.rule == "prov.valid-rejected" }
    #expect(isRefused == !words.contains("UNIQUE"), "\(report.explained)")
  }

  @Test(arguments: [true, false]) func `a reference to what nobody created is no fault of the form`(
    isAboutReference: Bool
  ) async throws {
    let contract = try Base.contract(
      """
      /things:
        post:
          operationId: addThing
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, properties: {owner_id: {type: integer}, size: {type: integer}}}
          responses: {"201": {description: Made}, "422": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard let value = try? JSONParser.parse(body).root, value.isObject else { return Base.answer(422) }
      return Base.answer(value[isAboutReference ? "owner_id" : "size"] == nil ? 201 : 422)
    } configure: {
      $0.mode = .positive
    }
    let isRefused = report.findings.contains { $0.rule == "prov.valid-rejected" }
    #expect(isRefused == !isAboutReference, "\(report.explained)")
  }

  @Test func `requests keep formats that only annotate, also those of alternatives`() async throws {
    let contract = try Self.contract(
      "3.1.0",
      """
      /acl:
        post:
          operationId: addAcl
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [site]
                  properties:
                    site: {anyOf: [{type: string, format: uri, minLength: 1, maxLength: 2083}, {type: "null"}]}
                    group: {type: string, format: uuid}
          responses: {"201": {description: Made}, "422": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard let value = try? JSONParser.parse(body).root, value.isObject,
        value["site"]?.isNull == true || value["site"]?.string?.contains("://") == true,
        value["group"].map({ $0.string?.utf8.count == 36 }) ?? true
      else { return Base.answer(422) }
      return Base.answer(201)
    } configure: {
      $0.mode = .positive
    }
    #expect(report.reported == [], "\(report.explained)")
  }

  @Test(arguments: [true, false]) func `an operation may know none of the values of a parameter`(
    isRequired: Bool
  ) async throws {
    let contract = try Base.contract(
      """
      /uid:
        get:
          operationId: uid
          parameters: [{name: level, in: query, required: \(isRequired), schema: {type: string}}]
          responses: {"200": {description: OK}}
      """)
    let report = try await live([contract]) { request, _ in
      Base.answer(request.method == .get && !Base.parts(request).path.hasSuffix("uid") ? 200 : 404)
    }
    let isMissing = report.findings.contains { $0.rule == "cov.status.unimplemented" }
    #expect(isMissing == !isRequired || report.findings.contains { $0.rule == "prov.base-path" }, "\(report.explained)")
    #expect(!isRequired || !isMissing, "\(report.explained)")
  }

  @Test(arguments: ["Returns the list of all names", "OK"]) func `a body that the description promises is a note`(
    description: String
  ) async throws {
    let contract = try Base.contract(
      "/x:\n  get: {operationId: x, responses: {\"200\": {description: \(description)}}}")
    let report = try await live([contract]) { request, _ in
      Base.answer(request.method == .get ? 200 : 501, request.method == .get ? "[1]" : "")
    }
    #expect(report.reported == ["GET /x 200 resp.body.unexpected"], "\(report.explained)")
    #expect(report.findings.first?.severity == (description == "OK" ? .warning : .info))
  }

  @Test func `half of a surrogate pair that the server gives back is a note`() async throws {
    let contract = try Base.contract(
      """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses:
            "200": {description: OK, content: {application/json: {schema: {type: object}}}}
            "400": {description: No}
      """)
    let report = try await live([contract]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      let text = String(decoding: body, as: UTF8.self)
      guard text.hasPrefix(#"{"name":""#) else { return Base.answer(400) }
      return Base.answer(200, text)
    } configure: {
      $0.rules = RuleSettings()
    }
    let echoed = report.findings.filter { $0.rule == "resp.body.unparsable" && $0.message.contains("surrogate") }
    #expect(echoed.count == 1 && echoed.first?.severity == .info, "\(report.explained)")
  }

  @Test(arguments: [#"\ud800"#, #"\uD800\uDC00"#, "a"]) func `what else is in a body with half of a pair is validated`(
    name: String
  ) async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          responses:
            "200":
              description: OK
              content: {application/json: {schema: {type: object, properties: {size: {type: integer}}}}}
      """)
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, #"{"name": "\#(name)", "size": "big"}"#) : Base.answer(501)
    }
    let rules = Set(report.findings.map(\.rule))
    #expect(rules == (name == #"\ud800"# ? ["resp.body.unparsable", "resp.body.schema"] : ["resp.body.schema"]))
    #expect(report.findings.first { $0.rule == "resp.body.unparsable" }?.severity ?? .info == .info)
  }

  @Test func `a second run finds the same of a server that keeps names as it gets them`() async throws {
    let contract = try Base.contract(
      """
      /groups:
        post:
          operationId: addGroup
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses:
            "201": {description: Made, content: {application/json: {schema: {type: object}}}}
            "400": {description: No}
            "415": {description: No}
            "422": {description: No}
      """)
    let bodies = Mutex<Set<[UInt8]>>([])
    let server: LocalServer = { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard request.headerFields[.contentType] == "application/json" else { return Base.answer(415) }
      let text = String(decoding: body, as: UTF8.self)
      guard text.hasPrefix(#"{"name":""#), text.hasSuffix(#""}"#), text.firstRange(of: "\u{FFFD}") == nil else {
        return Base.answer(400)
      }
      return bodies.withLock { $0.insert(body).inserted } ? Base.answer(201, text) : Base.answer(422)
    }
    var found: [[String]] = []
    for run in ["first", "second"] {
      let report = try await live([contract], on: server) { $0.run = run }
      found.append(report.findings.map { "\($0.rule) \($0.severity)" })
    }
    #expect(found[0].contains("resp.body.unparsable info"), "\(found)")
    #expect(found[0] == found[1], "\(found)")
  }
}
