import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Requests have values that the server knows.
struct KnownValuesTests {
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
    let contract = try LiveBaseTests.contract(
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
      let path = LiveBaseTests.parts(request).path
      asked.withLock { _ = $0.insert(path) }
      return request.method == .post
        ? LiveBaseTests.answer(201, #"{"data": {"id": "b7"}, "permissions": {}}"#)
        : LiveBaseTests.answer(path == "/items/b7" ? 200 : 404)
    }
    #expect(asked.withLock { $0.contains("/items/b7") && !$0.contains("/items/permissions") })
  }

  /// The requests of a run against a server that makes shops of one name only.
  private static func shops(isDeletable: Bool) async throws -> [String] {
    let gone = #"{"204": {description: Gone}, "404": {description: None}}"#
    let deletion = "\n  delete: {operationId: remove, responses: \(gone)}"
    let contract = try LiveBaseTests.contract(
      """
      /shops:
        get: {operationId: list, responses: {"200": {description: OK}}}
        post:
          operationId: make
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, town: {type: string}, size: {type: integer}}
                examples: {one: {value: {name: Understudy, town: Bonn}}}
          responses: {"201": {description: Made}, "409": {description: Taken}}
      /shops/{id}:
        parameters: [{in: path, name: id, required: true, schema: {type: string}}]
        get: {operationId: read, responses: {"200": {description: OK}, "404": {description: None}}}
      """ + (isDeletable ? deletion : ""))
    let state = Mutex<(made: Int, log: [String])>((0, []))
    _ = try await live([contract]) { request, body in
      let (path, text) = (LiveBaseTests.parts(request).path, String(decoding: body, as: UTF8.self))
      return state.withLock { state in
        state.log.append("\(request.method.rawValue) \(path) \(text)")
        switch (request.method, path) {
        case (.get, "/shops"): return LiveBaseTests.answer(200, #"[{"id": "foreign"}]"#)
        case (.post, "/shops"):
          guard text.contains(#""Understudy""#) else { return LiveBaseTests.answer(409) }
          state.made += 1
          return LiveBaseTests.answer(201, #"{"id": "own-\#(state.made)"}"#)
        case (.delete, _): return LiveBaseTests.answer(path.hasPrefix("/shops/own-") ? 204 : 404)
        case (.get, _): return LiveBaseTests.answer(path.hasPrefix("/shops/own-") ? 200 : 404)
        default: return LiveBaseTests.answer(501)
        }
      }
    }
    return state.withLock { $0.log }
  }

  @Test func `the first request of a body has required members alone, and the example follows`() async throws {
    let log = try await Self.shops(isDeletable: false)
    let made = log.filter { $0.hasPrefix("POST /shops ") }.map { $0.dropFirst(12) }
    let first = try JSONParser.parse(Array(try #require(made.first).utf8)).root
    #expect(first.distinctMembers.map(\.name) == ["name"], "\(made)")
    #expect(made.dropFirst().first == #"{"name":"Understudy","town":"Bonn"}"#, "\(made)")
    // Reading takes what the example created.
    #expect(log.contains("GET /shops/own-1 "), "\(log)")
  }

  @Test func `what the run created is deleted, not what was there before`() async throws {
    let deleted = Set(try await Self.shops(isDeletable: true).filter { $0.hasPrefix("DELETE ") })
    #expect(deleted.contains("DELETE /shops/own-1 "), "\(deleted)")
    #expect(!deleted.contains("DELETE /shops/foreign "), "\(deleted)")
  }

  @Test func `an empty text is sent in a body, and an empty value not in a query, a header or a form`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /x:
        post:
          operationId: x
          parameters:
            - {in: query, name: q, schema: {type: string}}
            - {in: header, name: X-Tag, schema: {type: string}}
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses: {"200": {description: OK}}
      /form:
        post:
          operationId: form
          requestBody:
            required: true
            content:
              application/x-www-form-urlencoded:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses: {"200": {description: OK}}
      """)
    let report = try await live([contract]) { request, body in
      let text = String(decoding: body, as: UTF8.self)
      let isEmpty =
        LiveBaseTests.parts(request).query.split(separator: "&").contains("q=") || text == "name="
        || request.headerFields.first(named: "X-Tag") == ""
      return LiveBaseTests.answer(isEmpty ? 203 : text.contains(#""name":"""#) ? 202 : 200)
    } configure: {
      $0.mode = .positive
      $0.phases = [.coverage]
    }
    #expect(report.reported == ["POST /x 202 resp.status.undocumented"], "\(report.explained)")
  }

  @Test(arguments: [
    #"[{"id": "localhost"}]"#, #"{"data": [{"id": "localhost"}]}"#, #"["localhost"]"#, #"{"localhost": {"n": 1}}"#,
    #"{"items": [{"name": "localhost"}]}"#,
  ]) func `an id from a list is asked for`(list: String) async throws {
    let report = try await live([LiveBaseTests.contract(Self.items)]) { request, _ in
      switch LiveBaseTests.parts(request).path {
      case "/items": LiveBaseTests.answer(200, list)
      case "/items/localhost": LiveBaseTests.answer(200, #"{"n": "broken"}"#)
      default: LiveBaseTests.answer(404)
      }
    }
    #expect(report.reported.contains("GET /items/{id} 200 resp.body.schema"), "\(report.explained)")
  }

  @Test func `ids of inner resources belong to the outer ones that were found`() async throws {
    let contract = try LiveBaseTests.contract(
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
      switch LiveBaseTests.parts(request).path {
      case "/servers": LiveBaseTests.answer(200, #"[{"id": "a"}, {"id": "b"}]"#)
      case "/servers/a/zones", "/servers/b/zones":
        LiveBaseTests.answer(200, #"[{"id": "z.\#(request.path?.utf8.count ?? 0)"}]"#)
      case "/servers/a/zones/z.16": LiveBaseTests.answer(207)
      default: LiveBaseTests.answer(404)
      }
    }
    #expect(report.reported.contains("GET /servers/{server_id}/zones/{zone_id} 207 resp.status.undocumented"))
  }

  @Test(arguments: ["one.id", "id"]) func `a value of the config file is used`(key: String) async throws {
    let asked = Mutex<[String]>([])
    _ = try await live([LiveBaseTests.contract(Self.items)]) { request, _ in
      asked.withLock { $0.append(LiveBaseTests.parts(request).path) }
      return LiveBaseTests.answer(404)
    } configure: {
      $0.values = [key: ["chosen"]]
    }
    #expect(asked.withLock { $0.contains("/items/chosen") })
  }

  /// The phase does not send the requests of fixtures themselves.
  @Test func `a path by which the fixture of a success is chosen is used, that of a refusal is not`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
      \(Self.items.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))

      """,
      fixtures: [
        "one/200.ann.yaml": "when: {path: {id: ann}}\nbody: {id: ann}\n",
        "one/404.bob.yaml": "when: {path: {id: bob}}\n",
      ]
    ).contract()
    let asked = Mutex<Set<String>>([])
    _ = try await live([contract]) { request, _ in
      let path = LiveBaseTests.parts(request).path
      asked.withLock { _ = $0.insert(path) }
      return LiveBaseTests.answer(404)
    } configure: {
      $0.phases = [.random]
    }
    #expect(asked.withLock { $0.contains("/items/ann") && !$0.contains("/items/bob") }, "\(asked.withLock { $0 })")
  }

  @Test func `a value that is given for a schema is used in parameters, bodies and arrays`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
        /hosts:
          post:
            operationId: make
            parameters:
              - {in: query, name: near, required: true, schema: {$ref: "#/components/schemas/Region"}}
            requestBody:
              required: true
              content:
                application/json: {schema: {$ref: "#/components/schemas/Host"}}
            responses: {"200": {description: OK}, "400": {description: No}}
      components:
        schemas:
          Region: {type: string}
          Host:
            type: object
            required: [home, others, note]
            properties:
              home: {$ref: "#/components/schemas/Region"}
              others: {type: array, minItems: 1, items: {allOf: [{$ref: "#/components/schemas/Region"}]}}
              note: {type: string}

      """
    ).contract()
    let seen = Mutex<[(query: String, body: JSON)]>([])
    _ = try await live([contract]) { request, body in
      if let json = try? JSONParser.parse(body).root {
        seen.withLock { $0.append((LiveBaseTests.parts(request).query, json)) }
      }
      return LiveBaseTests.answer(200)
    } configure: {
      $0.values = ["#/components/schemas/Region": ["eu-1"]]
      $0.mode = .positive
      $0.phases = [.random]
    }
    let first = try #require(seen.withLock { $0.first })
    #expect(first.query == "near=eu-1")
    #expect(first.body["home"]?.string == "eu-1")
    #expect(first.body["others"]?.elements.allSatisfy { $0.string == "eu-1" } == true)
    #expect(first.body["note"]?.string != "eu-1")
  }

  @Test func `a value that a link gives to another operation is used before sequences begin`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /session:
        get:
          operationId: session
          responses:
            "200":
              description: OK
              content: {application/json: {schema: {type: object}}}
              links: {cart: {operationId: readCart, parameters: {path.cart: $response.body#/basket}}}
      /carts/{cart}:
        get:
          operationId: readCart
          parameters: [{in: path, name: cart, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let report = try await live([contract]) { request, _ in
      switch LiveBaseTests.parts(request).path {
      case "/session": LiveBaseTests.answer(200, #"{"basket": "b-42"}"#)
      case "/carts/b-42": LiveBaseTests.answer(207)
      default: LiveBaseTests.answer(404)
      }
    } configure: {
      $0.phases = [.coverage]
      $0.mode = .positive
    }
    #expect(report.reported == ["GET /carts/{cart} 207 resp.status.undocumented"], "\(report.explained)")
  }

  @Test func `a path takes every number that its schema allows`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /notes/{id}:
        parameters:
          - {in: path, name: id, required: true, schema: {type: integer, enum: [-9223372036854775808]}}
        delete: {operationId: remove, responses: {"204": {description: Gone}}}
      """)
    let paths = Mutex<Set<String>>([])
    _ = try await live([contract]) { request, _ in
      paths.withLock { _ = $0.insert(LiveBaseTests.parts(request).path) }
      return LiveBaseTests.answer(204)
    }
    #expect(paths.withLock { $0.contains("/notes/-9223372036854775808") })
  }

  @Test func `what a PUT creates without a Location is read, deleted and read again`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /notes/{id}:
        parameters: [{in: path, name: id, required: true, schema: {type: string}}]
        get: {operationId: read, responses: {"200": {description: OK}, "404": {description: None}}}
        put: {operationId: write, responses: {"200": {description: Changed}, "201": {description: Made}}}
        delete: {operationId: remove, responses: {"204": {description: Gone}, "404": {description: None}}}
      """)
    let notes = Mutex<Set<String>>([])
    let report = try await live([contract]) { request, _ in
      let path = LiveBaseTests.parts(request).path
      return notes.withLock { notes in
        switch request.method {
        case .put: return LiveBaseTests.answer(notes.insert(path).inserted ? 201 : 200)
        // Nothing is ever deleted.
        case .delete: return LiveBaseTests.answer(notes.contains(path) ? 204 : 404)
        case .get: return LiveBaseTests.answer(notes.contains(path) ? 200 : 404)
        default: return LiveBaseTests.answer(405, "", [.allow: "GET, PUT, DELETE"])
        }
      }
    }
    #expect(report.reported == ["DELETE /notes/{id} 200 state.use-after-delete"], "\(report.explained)")
    let lines = (report.findings.first?.reproduction ?? "").split(separator: "\n")
    #expect(lines.first?.contains("-X PUT http://localhost:8080/notes/") == true, "\(report.explained)")
  }

  @Test func `what was created is read, changed, read again and deleted`() async throws {
    let contract = try LiveBaseTests.contract(
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
      let path = LiveBaseTests.parts(request).path
      return pets.withLock { pets in
        pets.log.append("\(request.method.rawValue) \(path)")
        if path == "/pets" {
          guard request.method == .post else { return LiveBaseTests.answer(405, "", [.allow: "POST"]) }
          pets.last += 1
          pets.alive.insert("p\(pets.last)")
          return LiveBaseTests.answer(201, #"{"id": "p\#(pets.last)"}"#)
        }
        let id = String(path.split(separator: "/")[1])
        guard pets.alive.contains(id) else { return LiveBaseTests.answer(404) }
        switch request.method {
        case .delete:
          pets.alive.remove(id)
          return LiveBaseTests.answer(204)
        // A replaced pet is lost.
        case .put:
          pets.alive.remove(id)
          return LiveBaseTests.answer(200)
        default: return LiveBaseTests.answer(200)
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
}
