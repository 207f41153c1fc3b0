import HTTPTypes
import Synchronization
import TestSupport
import Testing
import Understudy

/// Bad requests are made from good ones, with values that the server knows.
struct LiveBaseTests {
  static func answer(_ status: Int, _ json: String = "", _ fields: HTTPFields = [:]) -> (HTTPResponse, [UInt8]) {
    var fields = fields
    if !json.isEmpty { fields[.contentType] = "application/json" }
    return (HTTPResponse(status: .init(code: status), headerFields: fields), Array(json.utf8))
  }

  /// The path and the query of a request.
  static func parts(_ request: HTTPRequest) -> (path: String, query: String) {
    let target = (request.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(target[0]), target.count > 1 ? String(target[1]) : "")
  }

  static func contract(_ paths: String) throws -> Contract {
    try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
      \(paths.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))

      """
    ).contract()
  }

  private static let filtered = """
    /x:
      get:
        operationId: x
        parameters:
          - {in: query, name: filter, schema: {type: string}}
          - {in: query, name: active, schema: {type: boolean}}
        responses:
          "200": {description: OK, content: {application/json: {schema: {type: object}}}}
          "400": {description: No}
    """

  @Test func `a bad parameter is found beside another one whose generated value the server refuses`() async throws {
    let report = try await live([Self.contract(Self.filtered)]) { request, _ in
      let query = Self.parts(request).query
      // `filter` has a grammar that the contract does not mention, and `active` is never looked at.
      return query.contains("filter=") ? Self.answer(400) : Self.answer(200, "{}")
    }
    #expect(report.reported.contains("GET /x 200 prov.invalid-accepted"), "\(report.explained)")
    let finding = try #require(report.findings.first { $0.rule == "prov.invalid-accepted" })
    #expect(finding.reproduction?.contains("active=") == true)
    #expect(finding.reproduction?.contains("filter=") == false)
  }

  @Test func `an accepted body is broken in one place and otherwise sent as it was accepted`() async throws {
    let contract = try Self.contract(
      """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, extra: {type: string}, size: {type: integer}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard let json = try? JSONParser.parse(body).root, json["extra"] == nil, json["name"]?.isString == true else {
        return Self.answer(400)
      }
      // The type of `size` is never checked.
      return Self.answer(200)
    }
    let finding = try #require(report.findings.first { $0.rule == "prov.invalid-accepted" }, "\(report.explained)")
    #expect(finding.message.contains("/size"))
  }

  @Test func `an empty query value is not taken for a sure violation`() async throws {
    let contract = try Self.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{in: query, name: lang, schema: {type: string, minLength: 2}}]
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, _ in
      let query = Self.parts(request).query
      return query.isEmpty || query == "lang=" || query.utf8.count > 6 ? Self.answer(200) : Self.answer(400)
    }
    #expect(!report.reported.contains { $0.hasSuffix("prov.invalid-accepted") }, "\(report.explained)")
  }

  // MARK: - Known values

  private static let items = """
    /items:
      get: {operationId: list, responses: {"200": {description: OK}}}
    /items/{id}:
      get:
        operationId: one
        parameters: [{in: path, name: id, required: true, schema: {type: string}}]
        responses:
          "200":
            description: OK
            content:
              application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}
          "404": {description: None}
    """

  @Test func `a created thing has the id in its answer, not the names of the answer's parts`() async throws {
    let contract = try Self.contract(
      """
      /items:
        post: {operationId: make, responses: {"201": {description: Made}}}
      /items/{id}:
        get:
          operationId: one
          parameters: [{in: path, name: id, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let asked = Mutex<Set<String>>([])
    _ = try await live([contract]) { request, _ in
      let path = Self.parts(request).path
      asked.withLock { _ = $0.insert(path) }
      return request.method == .post
        ? Self.answer(201, #"{"data": {"id": "b7"}, "permissions": {}}"#) : Self.answer(path == "/items/b7" ? 200 : 404)
    }
    #expect(asked.withLock { $0.contains("/items/b7") && !$0.contains("/items/permissions") })
  }

  @Test(arguments: [
    #"[{"id": "localhost"}]"#, #"{"data": [{"id": "localhost"}]}"#, #"["localhost"]"#, #"{"localhost": {"n": 1}}"#,
    #"{"items": [{"name": "localhost"}]}"#,
  ]) func `an id from a list is asked for`(list: String) async throws {
    let report = try await live([Self.contract(Self.items)]) { request, _ in
      switch Self.parts(request).path {
      case "/items": Self.answer(200, list)
      case "/items/localhost": Self.answer(200, #"{"n": "broken"}"#)
      default: Self.answer(404)
      }
    }
    #expect(report.reported.contains("GET /items/{id} 200 resp.body.schema"), "\(report.explained)")
  }

  @Test func `ids of inner resources belong to the outer ones that were found`() async throws {
    let contract = try Self.contract(
      """
      /servers:
        get: {operationId: servers, responses: {"200": {description: OK}}}
      /servers/{server_id}/zones:
        get:
          operationId: zones
          parameters: [{in: path, name: server_id, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      /servers/{server_id}/zones/{zone_id}:
        get:
          operationId: zone
          parameters:
            - {in: path, name: server_id, required: true, schema: {type: string}}
            - {in: path, name: zone_id, required: true, schema: {type: string}}
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let report = try await live([contract]) { request, _ in
      switch Self.parts(request).path {
      case "/servers": Self.answer(200, #"[{"id": "a"}, {"id": "b"}]"#)
      case "/servers/a/zones", "/servers/b/zones": Self.answer(200, #"[{"id": "z.\#(request.path?.utf8.count ?? 0)"}]"#)
      case "/servers/a/zones/z.16": Self.answer(207)
      default: Self.answer(404)
      }
    }
    #expect(report.reported.contains("GET /servers/{server_id}/zones/{zone_id} 207 resp.status.undocumented"))
  }

  @Test(arguments: ["one.id", "id"]) func `a value of the config file is used`(key: String) async throws {
    let asked = Mutex<[String]>([])
    _ = try await live([Self.contract(Self.items)]) { request, _ in
      asked.withLock { $0.append(Self.parts(request).path) }
      return Self.answer(404)
    } configure: {
      $0.values = [key: ["chosen"]]
    }
    #expect(asked.withLock { $0.contains("/items/chosen") })
  }

  @Test func `what was created is read, changed, read again and deleted`() async throws {
    let contract = try Self.contract(
      """
      /pets:
        post: {operationId: add, responses: {"201": {description: Made}}}
      /pets/{petId}:
        parameters: [{in: path, name: petId, required: true, schema: {type: string}}]
        get: {operationId: read, responses: {"200": {description: OK}, "404": {description: None}}}
        put: {operationId: replace, responses: {"200": {description: OK}, "404": {description: None}}}
        patch: {operationId: change, responses: {"200": {description: OK}, "404": {description: None}}}
        delete: {operationId: remove, responses: {"204": {description: OK}, "404": {description: None}}}
      /pets/{petId}/feed:
        post:
          operationId: feed
          parameters: [{in: path, name: petId, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let pets = Mutex<(last: Int, alive: Set<String>, log: [String])>((0, [], []))
    let report = try await live([contract]) { request, _ in
      let path = Self.parts(request).path
      return pets.withLock { pets in
        pets.log.append("\(request.method.rawValue) \(path)")
        if path == "/pets" {
          guard request.method == .post else { return Self.answer(405, "", [.allow: "POST"]) }
          pets.last += 1
          pets.alive.insert("p\(pets.last)")
          return Self.answer(201, #"{"id": "p\#(pets.last)"}"#)
        }
        let id = String(path.split(separator: "/")[1])
        guard pets.alive.contains(id) else { return Self.answer(404) }
        switch request.method {
        case .delete:
          pets.alive.remove(id)
          return Self.answer(204)
        // A replaced pet is lost.
        case .put:
          pets.alive.remove(id)
          return Self.answer(200)
        default: return Self.answer(200)
        }
      }
    }
    let log = pets.withLock { $0.log }
    let last = try #require(log.last { $0.hasPrefix("PUT /pets/p") }?.dropFirst(4))
    #expect(log.contains("PATCH \(last)"))
    #expect(log.contains("POST \(last)/feed"))
    let lines = try #require(log.lastIndex(of: "PUT \(last)"))
    #expect(log[lines...].contains("GET \(last)"))
    #expect(report.remarks.contains { $0.contains(/documented answers were seen after .* after stateful$/) })
  }

  @Test func `dates lie around the day of the run, and ahead where the name asks for it`() async throws {
    let contract = try Self.contract(
      """
      /silences:
        post:
          operationId: silence
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [startsAt, endsAt]
                  properties: {startsAt: {type: string, format: date-time}, endsAt: {type: string, format: date-time}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let dates = Mutex<[(starts: String, ends: String)]>([])
    _ = try await live([contract]) { _, body in
      if let json = try? JSONParser.parse(body).root, let starts = json["startsAt"]?.string,
        let ends = json["endsAt"]?.string
      {
        dates.withLock { $0.append((starts, ends)) }
      }
      return Self.answer(200)
    } configure: {
      // 2031-06-15
      $0.clock = SampleClock(today: 22_445)
      $0.mode = .positive
      $0.phases = [.random]
    }
    let all = dates.withLock { $0 }
    #expect(!all.isEmpty)
    for (starts, ends) in all {
      #expect(starts < "2031-06-15" && starts > "2031-05-15", "\(starts)")
      #expect(ends > "2031-06-15T24" && ends < "2031-07-15", "\(ends)")
    }
  }
}
