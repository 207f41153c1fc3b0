import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Replies of a mock without a contract.
struct RoutesFileTests {
  private static func mock(
    _ routes: String, files: [String: String] = [:], configure: (inout Mock.Options) -> Void = { _ in }
  ) throws -> Mock {
    try ContractFixture(contracts: ["routes.yaml": "routes:\n" + routes], files: files).mock(configure: configure)
  }

  private static func line(_ reply: Reply) -> String {
    let type = reply.header("Content-Type").map { " \($0)" } ?? ""
    return "\(reply.status)\(type) \(reply.text)"
  }

  private static let routes = """
      GET /health: ok
      GET /teapot: 418
      GET /empty: {}
      GET /users/{id:[0-9]+}: {200: {json: {id: "{{request.path.id}}"}}, 404: {}}
      GET /users/{name}: hello {{request.path.name}}
      POST /users: {201: {headers: {Location: /users/1}}}
      GET /page: {text: "<p>{{request.query.q}}</p>", contentType: text/html}
      GET /raw: {text: "{{raw}}", template: false}
      GET /file: {file: bodies/user.json}
      GET /search:
        - {when: {query: {q: cats}}, json: [tom]}
        - {json: []}
      GET /login: {200: {when: {query: {user: ada}}, text: in}, 401: {json: {error: no}}}
      GET /each: [{when: {query: {q: x}}, text: x}, {status: 401, text: no}]
      GET /only: {when: {query: {a: "1"}}, text: one}
      GET /users: {200: {json: []}, 200.two: {json: [1, 2]}}
    """

  @Test(arguments: [
    ("GET", "/health", "200 text/plain; charset=utf-8 ok"),
    ("HEAD", "/health", "200 text/plain; charset=utf-8 "),
    ("GET", "/teapot", "418 "),
    ("GET", "/empty?any=thing", "200 "),
    ("GET", "/users/7", "200 application/json {\"id\":\"7\"}"),
    ("GET", "/users/ada%20l", "200 text/plain; charset=utf-8 hello ada l"),
    ("POST", "/users", "201 "),
    ("GET", "/page?q=%3Cb%3E", "200 text/html <p>&lt;b&gt;</p>"),
    ("GET", "/raw", "200 text/plain; charset=utf-8 {{raw}}"),
    ("GET", "/file?q=x", "200 application/json {\"name\": \"Ada\", \"q\": \"x\"}"),
    ("GET", "/search?q=cats", "200 application/json [\"tom\"]"),
    ("GET", "/search?q=dogs", "200 application/json []"),
    ("GET", "/login?user=ada", "200 text/plain; charset=utf-8 in"),
    ("GET", "/login?user=tom", "401 application/json {\"error\":\"no\"}"),
    ("GET", "/each?q=x", "200 text/plain; charset=utf-8 x"),
    ("GET", "/each", "401 text/plain; charset=utf-8 no"),
    ("GET", "/only?a=1", "200 text/plain; charset=utf-8 one"),
    ("GET", "/only", "404 text/plain; charset=utf-8 no reply of the route is for this request\n"),
    ("GET", "/users?__example=two", "200 application/json [1,2]"),
    ("GET", "/users/7?__code=404", "404 "),
  ])
  func `a route replies as its file says, whatever the request has`(
    method: String, target: String, reply: String
  ) throws {
    let mock = try Self.mock(
      Self.routes, files: ["bodies/user.json": "{\"name\": \"Ada\", \"q\": \"{{request.query.q}}\"}"])
    #expect(mock.complaints == [])
    let request = Mock.request(.init(method) ?? .get, target, ["X-Undeclared": "1"], body: method == "POST" ? "{}" : "")
    let sent = mock.reply(to: request, body: Array((method == "POST" ? "{}" : "").utf8))
    #expect(Self.line(sent) == reply)
    #expect(sent.rules == [])
  }

  @Test func `a reply with an error is a 500 that names the reason, not an empty 200`() throws {
    let mock = try Self.mock("  GET /each: {json: {id: \"{{#each request.query}}x\"}}\n  GET /other: ok\n")
    let reply = mock.send("/each")
    #expect(reply.status == 500)
    #expect(reply.text.contains("the reply of `GET_each` for 200 has an error (`understudy lint "))
    #expect(mock.send("/other").text == "ok")
  }

  @Test func `a dynamic mock sends the replies of a routes file`() throws {
    let mock = try Self.mock(Self.routes) { $0.isDynamic = true }
    #expect(mock.send("/health").text == "ok")
    #expect(mock.send("/users/7").text == "{\"id\":\"7\"}")
  }

  @Test func `the Location of a reply is sent`() throws {
    #expect(try Self.mock(Self.routes).send(.post, "/users").header("Location") == "/users/1")
  }

  @Test func `cells are forced, and are fixtures of the one model`() throws {
    let mock = try Self.mock(Self.routes) { $0.force("GET /users/{id:[0-9]+}", "404") }
    #expect(mock.diagnostics.map(\.message) == [])
    let reply = mock.send("/users/7")
    #expect(reply.status == 404)
    #expect("\(reply.source)" == "fixture GET_users_{id:[0-9]+}/404 (forced)")
  }

  @Test func `a route of a lower precedence responds to a method that the better one lacks`() throws {
    let mock = try Self.mock("  GET /users/me: me\n  PUT /users/{id}: put\n")
    #expect(mock.send(.put, "/users/me").text == "put")
    #expect(mock.send(.delete, "/users/me").status == 405)
  }

  @Test func `static files are served by their types, within their folder alone`() throws {
    let files = [
      "public/index.html": "<h1>", "public/css/a.css": "a{}", "public/docs/index.html": "docs", "public/.env": "secret",
      "outside.txt": "outside",
    ]
    let mock = try Self.mock("  /static/*: {files: public}\n", files: files)
    #expect(mock.complaints == [])
    let targets = [
      "/static/css/a.css", "/static/index.html", "/static/docs/", "/static/docs/index.html", "/static/none",
      "/static/.env", "/static/../outside.txt", "/static/%2e%2e/outside.txt", "/static/css/../../outside.txt",
    ]
    #expect(
      targets.map { String(Self.line(mock.send($0)).prefix { $0 != "\n" }) } == [
        "200 text/css; charset=utf-8 a{}", "200 text/html; charset=utf-8 <h1>", "200 text/html; charset=utf-8 docs",
        "200 text/html; charset=utf-8 docs", "404 text/plain; charset=utf-8 there is no such file",
        "404 text/plain; charset=utf-8 there is no such file", "404 text/plain; charset=utf-8 there is no such file",
        "404 text/plain; charset=utf-8 there is no such file", "404 text/plain; charset=utf-8 there is no such file",
      ])
    #expect(mock.send("/static/").status == 404)
  }

  @Test func `findings about replies are at their places in the routes file`() throws {
    let mock = try Self.mock(
      """
        GET /a: {jsn: {}}
        GET /b: {json: {}, text: x}
        GET /c: {text: "{{request.hours.X}}"}
        GET /d: {file: none.json}
        GET /e: {when: {query: {a: []}}, text: x}
        GET /f: {204: {text: body}}
        GET /g: {id: 7, owner: Ada}
      """)
    #expect(
      mock.complaints == [
        "fixture.unknown-key 2:12 unknown key `jsn`",
        "fixture.invalid 3:22 `json` and `text` exclude each other",
        "fixture.template.unknown 4:19 nothing gives `{{request.hours.X}}` a value, so it renders as nothing",
        "fixture.invalid 5:18 the body file `none.json` cannot be read: no such file or folder",
        "fixture.invalid 6:30 an empty list of values never matches",
        "fixture.body.forbidden 7:17 a response 204 has no body, but this fixture has one",
        "fixture.unknown-key 8:12 unknown key `id`",
      ])
  }

  @Test func `a body in place of a reply is a finding that names the key for it`() throws {
    let contract = try ContractFixture(contracts: ["routes.yaml": "routes:\n  GET /g: {id: 7, owner: Ada}\n"])
      .contract()
    #expect(contract.diagnostics.map(\.help) == ["a body in JSON has a key of its own: `json: {id: ...}`"])
  }

  @Test func `every tag of a reply is filled, or reported with its location`() throws {
    let mock = try Self.mock(
      """
        GET /items/{id}: {json: {id: "{{request.path.[1]}}", "q": "{{request.query.tag.[0]}}"}}
        POST /items: {text: "{{request.body.items[0].sku}} {{request.body.$.items[*].sku}}"}
        GET /a: {text: "{{uppper 'x'}}"}
        GET /b: {text: "{{{{"}
      """)
    #expect(mock.send("/items/7?tag=x").text == #"{"id":"7","q":"x"}"#)
    let body = #"{"items": [{"sku": "A"}, {"sku": "B"}]}"#
    #expect(mock.send(.post, "/items", ["Content-Type": "application/json"], body: body).text == "A A,B")
    #expect(mock.send("/b").text == "{{{{")
    #expect(mock.complaints.count == 1)
    #expect(mock.complaints.first?.contains(" 4:") == true, "\(mock.complaints)")
    #expect(mock.complaints.first?.contains("`uppper` is not a function") == true, "\(mock.complaints)")
  }

  @Test func `a path that no pattern matches is not suggested`() throws {
    let mock = try Self.mock("  GET /o/{n:[0-9]+}: ok\n")
    let reply = mock.send("/o/x")
    #expect(reply.status == 404)
    #expect(!reply.text.contains("did you mean `/o/x`"))
    #expect(reply.text.contains("the nearest path is `/o/{n:[0-9]+}`"), "\(reply.text)")
  }

  @Test func `an unknown path names the line that adds its route`() throws {
    let mock = try Self.mock("  GET /health: ok\n")
    let reply = mock.send(.post, "/completely/different")
    #expect(reply.status == 404)
    #expect(reply.text.contains("to add the route, write `POST /completely/different: ok` below `routes:` in "))
  }

  @Test func `the order of a list decides between replies that one request can match`() throws {
    let mock = try Self.mock(
      """
        GET /search:
          - {when: {query: {q: cats}}, json: [1]}
          - {when: {query: {page: "2"}}, json: [2]}
          - {when: {query: {sort: up}}, json: [3], priority: 1}
          - {json: []}
      """)
    #expect(mock.complaints == [])
    #expect(mock.send("/search?q=cats&page=2").text == "[1]")
    #expect(mock.send("/search?q=cats&page=2&sort=up").text == "[3]")
  }

  @Test func `a folder with more files than the limit is served in part, with a finding`() throws {
    let files = Dictionary(
      uniqueKeysWithValues: (0..<2_003).map { ("public/\(String($0 + 10_000).dropFirst()).txt", "x") })
    let mock = try Self.mock("  /static/*: {files: public}\n", files: files)
    #expect(
      mock.complaints == ["routes.invalid 2:22 the folder has more than 2000 files: the others are not served"])
    #expect(mock.send("/static/0000.txt").status == 200)
    #expect(mock.send("/static/1999.txt").status == 200)
    #expect(mock.send("/static/2000.txt").status == 404)
  }

  @Test func `a reply has the delay and the fault of its description`() throws {
    let mock = try Self.mock("  GET /slow: {text: late, delay: 250ms}\n  GET /broken: {json: {}, fault: reset}\n")
    #expect(mock.complaints == [])
    #expect(mock.send("/slow").delay == .milliseconds(250))
    #expect(mock.send("/broken").fault != nil)
  }
}
