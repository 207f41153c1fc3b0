import Testing
import UnderstudyContract
import UnderstudyTestSupport

/// Routes files as contracts.
struct RoutesReaderTests {
  private func operations(_ routes: String) throws -> [String] {
    let (api, diagnostics) = ContractFixture(contracts: ["routes.yaml": "routes:\n" + routes]).read()
    #expect(diagnostics.map(\.message) == [])
    return try #require(api).operations.map { operation in
      let statuses = operation.responses.map(\.status.description).joined(separator: ",")
      return "\(operation.id): \(operation.method) \(operation.path) \(statuses)"
    }
  }

  /// The findings as `rule line:column message; help`, and whether their locations are the marks.
  private func findings(_ text: String) -> [String] {
    let fixture = ContractFixture(contracts: ["routes.yaml": text])
    let diagnostics = fixture.read().diagnostics
    let places = diagnostics.map { finding in
      finding.location?.start.map { "routes.yaml \($0.line):\($0.column)" } ?? ""
    }
    #expect(Set(places) == Set(fixture.marks) && places.count == fixture.marks.count, "\(places)")
    return diagnostics.map { "\($0.rule.id) \($0.message); \($0.help ?? "")" }
  }

  @Test func `each form of a route becomes an operation with its statuses`() throws {
    let found = try operations(
      """
        GET /health: ok
        /plain: 204
        post /users: {201: {headers: {Location: /users/1}}}
        GET /users/{id:[0-9]+}: {200: {json: {name: Ada}}, 404: {}, 200.empty: {json: {}}}
        GET /empty: {}
        GET /null:
        GET /list:
          - {when: {query: {q: cats}}, json: [1]}
          - {json: []}
        GET /conditional: {200: {when: {query: {q: cats}}, text: cats}}
        GET /short: {status: 404, json: {}}
        GET /each: [{when: {query: {q: x}}, text: x}, {status: 401, text: no}]
        ANY /any: 200
      """)
    #expect(
      found == [
        "GET_health: GET /health 200", "GET_plain: GET /plain 204", "POST_users: POST /users 201",
        "GET_users_{id:[0-9]+}: GET /users/{id:[0-9]+} 200,404", "GET_empty: GET /empty 200", "GET_null: GET /null 200",
        "GET_list: GET /list 200", "GET_conditional: GET /conditional 200,404", "GET_short: GET /short 404",
        "GET_each: GET /each 200,401", "GET_any: GET /any 200",
        "POST_any: POST /any 200", "PUT_any: PUT /any 200", "PATCH_any: PATCH /any 200", "DELETE_any: DELETE /any 200",
      ])
  }

  @Test func `a named reply without conditions is no default`() throws {
    let fixture = ContractFixture(contracts: [
      "routes.yaml":
        "routes:\n  GET /a: [{name: found, json: {}}, {status: 401}]\n  GET /b: [{name: found, json: {}}]\n"
    ])
    let api = try #require(fixture.read().api)
    #expect(api.operations.map(\.defaultStatus) == [.code(401), .code(200)])
  }

  @Test func `routes that cannot be read are findings at their places, with the next step`() {
    let found = findings(
      """
      routes:
        ↓GET users: ok
        ↓GTE /users: ok
        ↓GET /a b: ok
        ↓GET /search?q=1: ok
        ↓GET /a/*/b: ok
        ↓GET /a/:id: ok
        ↓GET /a/{id: ok
        ↓GET /a/{}: ok
        ↓GET /a/{id}/{id}: ok
        ↓"GET /a/{id:[0-9}": ok
        GET /status: ↓99
        GET /flag: ↓true
        GET /mixed: {200: ok, ↓json: {}}
        GET /none: {200: ↓[]}
        GET /files: {files: ↓public}
        ↓GET: ok
        GET /twice: {200: {status: ↓404}}
        GET /odd: {status: ↓99}
      ↓titel: Shop
      """)
    #expect(
      Set(found) == [
        "routes.invalid the path of `GET users` does not start with a slash; write `/users`, as in `GET /users/{id}`",
        "routes.invalid `GTE` is not a method; did you mean `GET`?",
        "routes.invalid `GET /a b` is not a route: expected a method and a path; as in `GET /users/{id}`",
        "routes.invalid the path `/search?q=1` has a query; leave it out, and add `when: {query: {NAME: VALUE}}` to a reply",
        "routes.invalid `*` in `/a/*/b` is not the whole last segment; `{name}` stands for one segment, and `/*` at the end "
          + "for one or more",
        "routes.invalid `:id` in `/a/:id` is not a variable; a variable is `{id}`, as in OpenAPI",
        "routes.invalid the path `/a/{id` has a brace without its counterpart, or a fragment; a variable is `{name}` or "
          + "`{name:regular expression}`",
        "routes.invalid a variable of `/a/{}` has no name; write `{id}` or `{id:[0-9]+}`",
        "routes.invalid the path `/a/{id}/{id}` has `{id}` twice; give each variable its own name",
        "routes.invalid the pattern of `{id}` is not a regular expression: a `[` is not closed; expected "
          + "a pattern of ECMA-262, as in `{id:[0-9]+}`",
        "routes.invalid `99` is not a status: expected a number from 200 to 599; quote it to send it as text, or write "
          + "`json: 99`",
        "routes.invalid expected a string, a status or a mapping for a route, found a boolean; quote it to send it as text",
        "routes.invalid `json` is not a status: expected 200 to 599, as in `404: {}`; beside statuses a route has no other "
          + "keys: move the key into the reply of a status",
        "routes.invalid expected at least one reply, found an empty list; ",
        "routes.invalid static files need a path that ends with `/*`; write `/static/*: {files: public}`",
        "routes.invalid the path of `GET` does not start with a slash; expected a method and a path, as in `GET /users/{id}`",
        "routes.invalid the reply of `200` has a `status` of its own; remove one of them",
        "routes.invalid expected a status from 200 to 599 for `status`; write a number, as in `status: 404`",
        "routes.invalid unknown key `titel`; did you mean `title`?",
      ])
  }

  @Test func `routes of one shape clash, whatever their variables are called`() {
    let fixture = ContractFixture(
      contracts: [
        "routes.yaml": """
        routes:
          GET /users/{id}: one
          ↓GET /users/{name}: two
          PUT /users/{name}: three
          GET /users/{id:[0-9]+}: four
          ↓GET /users/{number:[0-9]+}: five
        """
      ])
    let (api, diagnostics) = fixture.read()
    #expect(diagnostics.map(\.rule.id) == ["routes.clash", "routes.clash"])
    #expect(
      diagnostics.map { "routes.yaml \($0.place.drop { $0 != " " }.dropFirst())" } == fixture.marks)
    #expect(
      diagnostics.first?.message == "`GET /users/{name}` is the same route as `GET /users/{id}`, which responds to GET")
    #expect(diagnostics.first?.notes.first?.location?.line == 2)
    #expect(api?.operations.map(\.path) == ["/users/{id}", "/users/{name}", "/users/{id:[0-9]+}"])
  }

  @Test func `a duplicate route and an empty file are findings`() {
    #expect(
      findings("routes:\n  GET /a: 1\n  ↓GET /a: ↓1\n").sorted() == [
        "routes.invalid `1` is not a status: expected a number from 200 to 599; quote it to send it as text, or write "
          + "`json: 1`",
        "routes.invalid duplicate key `GET /a` in one object; the first is in line 2; remove one of them",
      ])
    #expect(findings("routes: ↓{}\n") == ["routes.invalid the file has no routes; write `routes: {GET /health: ok}`"])
  }

  @Test func `a document with a version is OpenAPI, and Mockoon's routes are none of ours`() {
    let (api, _) = ContractFixture("openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {}\nroutes: {}\n").read()
    #expect(api?.routes == nil && api != nil)
    #expect(ContractFixture("route: {GET /a: ok}\n").read().diagnostics.first?.help == "did you mean `routes`?")
    let (mockoon, diagnostics) = ContractFixture("lastMigration: 33\nroutes: [{method: get}]\n").read()
    #expect(mockoon == nil)
    #expect(diagnostics.first?.message.hasPrefix("this is an environment of Mockoon") == true)
  }
}
