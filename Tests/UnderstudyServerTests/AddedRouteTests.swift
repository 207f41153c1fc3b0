import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

/// Routes that clients add by the admin API.
struct AddedRouteTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: string}}]
        get: {operationId: readPet, responses: {"200": {description: Found}}}
    """

  /// A mock that is asked without sockets.
  private struct Client {
    let mock: Mock
    let host: MockHost
    private let responder: Responder

    init(_ configure: (inout Mock.Options) -> Void = { _ in }) throws {
      mock = try ContractFixture(AddedRouteTests.contract).mock(configure: configure)
      host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      responder = host.responder(for: mock)
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") -> String {
      let request = Mock.request(method, path, body.isEmpty ? [:] : ["Content-Type": "application/json"], body: body)
      guard let reply = responder.reply(request, Array(body.utf8), .unlimited) else { return "none" }
      return "\(reply.status) \(reply.text.filter { $0 != "\n" && $0 != " " })"
    }
  }

  @Test func `an added route responds in every lane, until it is removed`() throws {
    let client = try Client()
    #expect(client.send(.get, "/health").hasPrefix("404 "))
    let added = #"201 {"routes":{"GET/health":"ok","GET/users/{id}":{"json":{"id":"{{request.path.id}}"}}}}"#
    #expect(
      client.send(
        .post, "/__admin/routes",
        #"{"routes": {"GET /health": "ok", "GET /users/{id}": {"json": {"id": "{{request.path.id}}"}}}}"#)
        == added)
    #expect(client.send(.get, "/health") == "200 ok")
    #expect(client.send(.get, "/~alice/users/7") == #"200 {"id":"7"}"#)
    #expect(client.send(.get, "/pets/7") == "200 ")
    #expect(client.send(.delete, "/__admin/routes?route=GET%20/health").hasPrefix(#"200 {"routes":{"GET/users"#))
    #expect(client.send(.get, "/health").hasPrefix("404 "))
    #expect(client.send(.delete, "/__admin/routes") == #"200 {"routes":{}}"#)
    #expect(client.send(.get, "/users/7").hasPrefix("404 "))
  }

  @Test func `a route of a lane responds in that lane alone, before a route of all lanes`() throws {
    let client = try Client()
    for lane in ["a", "b"] { #expect(client.send(.post, "/__admin/lanes", #"{"name": "\#(lane)"}"#).hasPrefix("201 ")) }
    _ = client.send(.post, "/__admin/routes", "routes: {/flag: shared}")
    #expect(
      client.send(.post, "/__admin/lanes/a/routes", "routes: {/flag: mine}") == #"201 {"routes":{"/flag":"mine"}}"#)
    #expect(client.send(.get, "/~a/flag") == "200 mine")
    #expect(client.send(.get, "/~b/flag") == "200 shared")
    #expect(client.send(.get, "/flag") == "200 shared")
    _ = client.send(.post, "/__admin/lanes/a/reset")
    #expect(client.send(.get, "/~a/flag") == "200 shared")
  }

  @Test func `the cells of an added route are forced, and a reply replaces its response`() throws {
    let client = try Client()
    #expect(client.send(.post, "/__admin/lanes", #"{"name": "a"}"#).hasPrefix("201 "))
    _ = client.send(.post, "/__admin/lanes/a/routes", #"{"routes": {"/flag": {"200": "on", "503": "off"}}}"#)
    #expect(client.send(.patch, "/__admin/lanes/a", #"{"force": {"GET_flag": "503"}}"#).hasPrefix("200 "))
    #expect(client.send(.get, "/~a/flag") == "503 off")
    #expect(
      client.send(.post, "/__admin/lanes/a/replies", #"{"operation": "GET /flag", "text": "chosen"}"#).hasPrefix("201 ")
    )
    #expect(client.send(.get, "/~a/flag") == "200 chosen")
  }

  @Test(arguments: [
    ("routes: {GET /pets/{}: ok}", 400, "the body is neither JSON nor YAML"),
    (
      "{\"routes\": {\"GET /pets/{number}\": 200}}", 409,
      "is also a route of `api`, which answers it (force one of its cells"
    ),
    (
      "{\"routes\": {\"/a/{x}\": 200, \"/a/{y}\": 200}}", 409,
      "/routes/~1a~1{y}: `/a/{y}` is the same route as `/a/{x}`"
    ),
    (
      "{\"routes\": {\"GET a\": 200}}", 400,
      "/routes/GET a: the path of `GET a` does not start with a slash (write `/a`"
    ),
    ("{\"routes\": {\"/a\": {\"jsn\": 1}}}", 400, "unknown key `jsn` (did you mean `json`?)"),
    ("{\"routes\": {\"/a/*\": {\"files\": \"/\"}}}", 400, "names no file, and this one has `files`"),
    ("{\"routes\": {\"/a\": {\"200\": [{\"file\": \"/etc/passwd\"}]}}}", 400, "names no file, and this one has `file`"),
    ("{\"routes\": {}}", 400, "the body has no routes"),
    ("{\"routs\": {}}", 400, "the body has no routes: expected a mapping with `routes` (as in"),
    ("{\"routes\": {\"/a\": 200}, \"name\": 1}", 400, "unknown key `name` (known: routes)"),
  ])
  func `routes that cannot be added are refused with the pointer, the reason and the next step`(
    body: String, status: Int, message: String
  ) throws {
    let client = try Client()
    let answer = client.send(.post, "/__admin/routes", body)
    let text = answer.replacing("\\\"", with: "\"")
    #expect(answer.hasPrefix("\(status) ") && text.contains(message.filter { $0 != " " }), "\(answer)")
    #expect(client.send(.get, "/__admin/routes") == #"200 {"routes":{}}"#)
  }

  @Test func `more routes than the limit are refused, and none is added`() throws {
    let client = try Client()
    let routes = (0...1_000).map { "\"/r\($0)\": 200" }.joined(separator: ", ")
    let answer = client.send(.post, "/__admin/routes", "{\"routes\": {\(routes)}}")
    #expect(answer.hasPrefix("409 ") && answer.contains("expectedatmost1000"), "\(answer)")
    #expect(client.send(.get, "/__admin/routes") == #"200 {"routes":{}}"#)
  }

  @Test func `a reply for a path that no contract has names the line that adds its route`() throws {
    let client = try Client()
    for body in [
      #"{"method": "get", "path": "/zzz/1", "status": 500}"#, #"{"operation": "GET /zzz/1", "status": 500}"#,
    ] {
      let answer = client.send(.post, "/__admin/lanes/default/replies", body)
      #expect(answer.hasPrefix("409 "))
      #expect(
        answer.contains(#"POST`{routes:{\"GET/zzz/1\":ok}}`to`routes`oftheadminAPI,orwrite`GET/zzz/1:ok`below"#),
        "\(answer)")
    }
  }

  @Test func `the operations of the admin API include added routes`() throws {
    let client = try Client()
    _ = client.send(.post, "/__admin/routes", "routes: {/flag: on}")
    #expect(client.send(.get, "/__admin/operations").contains("GET_flag"))
  }
}
