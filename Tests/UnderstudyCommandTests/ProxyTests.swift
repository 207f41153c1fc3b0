import Foundation
import Testing
import UnderstudyTestSupport

/// `serve --upstream` between real clients and a server of another kind.
@Suite(.enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct ProxyTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: /v1}]
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters:
            - {name: id, in: path, required: true, schema: {type: integer}}
          responses:
            "200":
              description: One pet.
              content:
                application/json:
                  schema: {type: object, required: [name], properties: {name: {type: string}}}
                  example: {name: Tom}
            "404": {description: No such pet.}
      /login:
        post:
          operationId: login
          responses: {"302": {description: Go on.}}
      /photo:
        put:
          operationId: putPhoto
          requestBody: {content: {"*/*": {}}}
          responses:
            "200": {description: Stored., content: {application/json: {schema: {type: object}}}}
        get:
          operationId: readPhoto
          responses: {"200": {description: A photo., content: {"*/*": {}}}}

    """

  private static let backend = PythonServer.handler(
    """
    def do_GET(self):
        if self.path == "/api/pets/1":
            names = sorted(name.lower() for name in self.headers.keys())
            self.answer(200, json.dumps({"name": "Rex", "fields": names}).encode(), Content_Type="application/json")
        elif self.path == "/api/pets/2": self.answer(200, b'{"nme": 1}', Content_Type="application/json")
        elif self.path == "/api/pets/3": self.answer(501)
        elif self.path == "/api/photo": self.answer(200, b"x" * 3000000, Content_Type="image/png")
        else: self.answer(404)
    do_HEAD = do_GET
    def do_POST(self):
        self.body()
        host = self.headers["Host"]
        self.answer(302, Location="http://" + host + "/api/pets/1", Set_Cookie="s=1; Domain=127.0.0.1; Path=/api",
            Connection="X-Internal", X_Internal="1")
    def do_PUT(self):
        self.answer(200, json.dumps({"bytes": len(self.body())}).encode(), Content_Type="application/json")
    """)

  /// Runs `body` with a proxy before the backend, and gives it the proxy and the base URL for clients.
  private func proxying(
    _ arguments: String..., body: (_ mock: ServedMock, _ url: String) throws -> Void
  ) throws {
    try withProject(["shop.yaml": Self.contract]) { folder in
      let backend = try PythonServer(Self.backend)
      defer { backend.stop() }
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "http://127.0.0.1:\(backend.port)/api"] + arguments, in: folder)
      defer { mock.stop() }
      try body(mock, mock.url + "/v1")
    }
  }

  @Test func `an exchange is logged with the findings of both sides`() throws {
    try proxying { mock, url in
      #expect(try Curl.get(url + "/pets/1").body.contains("Rex"))
      let bad = try Curl.get(url + "/pets/2")
      #expect(bad.body == #"{"nme": 1}"#)
      #expect(bad.headers["sl-violations"]?.contains("resp.body.schema") == true)
      #expect(try Curl.get(url + "/pets/one").status == 404)
      #expect(try Curl.get(url + "/dogs").status == 404)
      #expect(mock.waits(for: "[req.path.unknown]"))
      let (code, printed) = mock.end()
      #expect(
        steady(printed).replacing(/upstream: URL\/api/, with: "upstream: URL") == """
          understudy 0.1.0 listening on URL
            shop: 4 operations, 5 cells, 0 fixtures, no problems in the contract, below /v1
            upstream: URL
            console: URL/__admin/
            ready in N ms; Ctrl-C stops
          TIME GET /v1/pets/1 200 N ms upstream
          TIME GET /v1/pets/2 200 N ms upstream
            provider error: the property `name` is missing [resp.body.schema]
              shop.yaml:15:49: the contract
              help: a similar property exists: `nme`
          TIME GET /v1/pets/one 404 N ms upstream
            client warning: the path parameter `id` must be an integer, found `one`; the server refused it with 404 [req.expected-invalid]
              shop.yaml:9:11: the contract
          TIME GET /v1/dogs 404 N ms upstream
            client error: no path of the contract matches `/v1/dogs` [req.path.unknown]
              help: no path of the contract is similar; `understudy routes` lists them
            not validated: the contract has no operation for the request

          stopped

          """)
      #expect(code == 0)
    }
  }

  @Test func `the upstream sees a request of its own, and no more of the client than before`() throws {
    try proxying { _, url in
      let answer = try Curl.get(url + "/pets/1", ("Connection", "keep-alive, X-Hop"), ("X-Hop", "1"), ("X-End", "2"))
      #expect(answer.body.contains(#""fields": ["accept", "host", "user-agent", "via", "x-end"]"#))
    }
  }

  @Test func `redirects and cookies lead back through the proxy`() throws {
    try proxying { mock, url in
      let answer = try Curl.send(.init(method: "POST", target: "", headers: []), to: url + "/login")
      #expect(answer.status == 302)
      #expect(answer.headers["location"] == url + "/pets/1")
      #expect(answer.headers["set-cookie"] == "s=1; Path=/v1")
      #expect(answer.headers["x-internal"] == nil)
      // A client that keeps cookies and follows ends at the pet.
      let followed = try Command.run(
        "/usr/bin/curl", ["-sS", "-L", "-c", "/dev/null", "-d", "", url + "/login"])
      #expect(followed.output.contains("Rex"))
    }
  }

  @Test func `long bodies pass in both directions and are logged as not validated`() throws {
    try proxying("--verbose") { mock, url in
      try withTemporaryFolder { folder in
        try write(["photo": String(repeating: "p", count: 3_000_000)], in: folder)
        let sent = try Command.run("/usr/bin/curl", ["-sS", "-T", folder + "/photo", url + "/photo"])
        #expect(sent.output == #"{"bytes": 3000000}"#)
        let chunked = try Command.run(
          "/usr/bin/curl", ["-sS", "-H", "Transfer-Encoding: chunked", "-T", folder + "/photo", url + "/photo"])
        #expect(chunked.output == #"{"bytes": 3000000}"#)
        let size = try Command.run(
          "/usr/bin/curl", ["-sS", "-o", "/dev/null", "-w", "%{size_download}", url + "/photo"])
        #expect(size.output == "3000000")
      }
      #expect(mock.waits(for: "not validated: /body: the request's body is longer than 1048576 bytes", count: 2))
      #expect(mock.waits(for: "not validated: /body: the answer's body is longer than 1048576 bytes"))
    }
  }

  @Test func `findings become answers`() throws {
    try proxying("--errors") { _, url in
      let refused = try Curl.get(url + "/pets/one")
      #expect(refused.status == 422)
      #expect(refused.headers["content-type"] == "application/problem+json")
      #expect(refused.body.contains(#""validation":[{"location":["path","id"],"severity":"Error""#))
      let bad = try Curl.get(url + "/pets/2")
      #expect(bad.status == 502)
      #expect(bad.body.contains(#""validation":[{"location":["response","body"],"severity":"Error""#))
      #expect(try Curl.get(url + "/pets/1").status == 200)
    }
  }

  @Test func `the mock answers operations that the upstream does not implement`() throws {
    try proxying("--fallback", "mock") { _, url in
      let answer = try Curl.get(url + "/pets/3")
      #expect(answer.status == 200)
      #expect(answer.body == #"{"name":"Tom"}"#)
      #expect(answer.headers["understudy-reply"] == "example readPet/200")
      #expect(try Curl.get(url + "/pets/4").status == 404)
    }
  }

  @Test func `the mock comes first, and the upstream gets what no contract has`() throws {
    let backend = try ServedMock(["specs/slp.yaml", "--quiet"])
    defer { backend.stop() }
    let mock = try ServedMock([
      "specs/petstore.yaml", "--upstream", backend.url, "--fallback", "upstream", "--no-watch",
    ])
    #expect(try Curl.get(mock.url + "/api/pets/7").headers["understudy-reply"] == "example readPet/200")
    // The contract of the mock refuses what it has.
    let refused = try Curl.get(mock.url + "/api/pets/seven")
    #expect(400...499 ~= refused.status && refused.headers["understudy-reply"] != "upstream", "\(refused)")
    let other = try Curl.get(mock.url + "/v1/queue/state", (name: "idtoken", value: "t"))
    #expect(other.headers["understudy-reply"] == "upstream")
    let log = try Command.run("ctl", "log", "--format", "ndjson", "--url", mock.url).output.split(separator: "\n")
    #expect(log.map { $0.contains("\"reply\":\"upstream\"") } == [false, false, true], "\(log)")
    let printed = mock.end().printed
    #expect(printed.contains("upstream: \(backend.url), for what no contract has"), "\(printed)")
    #expect(!printed.contains("req.path.unknown"), "\(printed)")
  }

  @Test func `requests from Python pass`() throws {
    try proxying { _, url in
      let program = """
        import http.client, json, sys
        connection = http.client.HTTPConnection("\(url.split(separator: "/")[1])")
        for _ in range(3):
            connection.request("GET", "/v1/pets/1")
            print(json.loads(connection.getresponse().read())["name"])
        connection.request("HEAD", "/v1/photo")
        answer = connection.getresponse()
        print(answer.getheader("Content-Length"), len(answer.read()))
        connection.request("GET", "/v1/pets/1")
        print(connection.getresponse().status)
        """
      let result = try Command.run(PythonServer.path ?? "", ["-c", program])
      #expect(result.error == "")
      #expect(result.output == "Rex\nRex\nRex\n3000000 0\n200\n")
    }
  }

  @Test func `the mock is an upstream like any other`() throws {
    let backend = try ServedMock(["specs/petstore.yaml"])
    defer { backend.stop() }
    let mock = try ServedMock(["specs/petstore.yaml", "--upstream", backend.url, "--errors"])
    defer { mock.stop() }
    let direct = try Curl.get(backend.url + "/api/pets")
    let proxied = try Curl.get(mock.url + "/api/pets")
    #expect(proxied.status == direct.status)
    #expect(proxied.body == direct.body)
    #expect(proxied.headers["understudy-reply"] == "upstream")
  }
}

/// A proxy behind another that the environment names.
struct EnvironmentProxyTests {
  @Test func `the proxy gets the whole URL and no additional fields`() async throws {
    let proxy = try RawServer { connection, _ in
      let head = try connection.head()
      try connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
      return head
    }
    let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "http://shop.test/a/../b"], in: folder, environment: environment)
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1").status == 404)
    }
    let head = await proxy.report()
    #expect(head.hasPrefix("GET http://shop.test/a/../b/pets/1 HTTP/1.1\r\nHost: shop.test\r\n"))
    #expect(!head.contains("Proxy-"))
  }

  @Test func `a server on this machine is asked directly`() async throws {
    let server = try RawServer { connection, _ in
      let head = try connection.head()
      try connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
      return head
    }
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "http://127.0.0.1:\(server.port)"], in: folder,
        environment: ["http_proxy": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1"])
      defer { mock.stop() }
      #expect(try Curl.get(mock.url + "/pets/1").status == 404)
    }
    #expect(await server.report().hasPrefix("GET /pets/1 HTTP/1.1\r\n"))
  }
}

/// Upstreams that fail, each in its way.
@Suite(.enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct FailingUpstreamTests {
  /// Accepts connections and runs a program for each.
  private static func program(_ deed: String, _ preparation: String = "") -> String {
    """
    import socket, ssl
    listener = socket.create_server(("127.0.0.1", 0))
    \(preparation)
    print(listener.getsockname()[1])
    kept = []
    while True:
        try: connection, _ = listener.accept()
        except OSError: continue
        connection.recv(65536)
        kept.append(connection)
        \(deed)
    """
  }

  private func answer(
    scheme: String = "http", _ program: String, _ arguments: String...
  ) throws -> (answer: Curl.Answer, printed: String) {
    try withProject(Shop.files) { folder in
      let upstream = try PythonServer(program)
      defer { upstream.stop() }
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "\(scheme)://127.0.0.1:\(upstream.port)"] + arguments, in: folder)
      let answer = try Curl.get(mock.url + "/pets/1")
      #expect(mock.waits(for: "GET /pets/1"))
      return (answer, mock.end().printed)
    }
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var deed: String
    var status: Int
    var kind: String
    var message: String
    var testDescription: String { kind + " " + deed }
  }

  static let failures = [
    Failure(
      deed: "connection.close()", status: 502, kind: "closed", message: "it closed the connection without an answer"),
    Failure(
      deed: #"connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"); connection.close()"#,
      status: 502, kind: "closed", message: "it closed the connection within its answer"),
    Failure(
      deed: #"connection.sendall(b"\x16\x03garbage\r\n\r\n")"#, status: 502, kind: "malformed",
      message: "its answer is not HTTP"),
    Failure(
      deed: "pass", status: 504, kind: "timeout", message: "it was silent for longer than --upstream-timeout"),
    Failure(
      deed: #"connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")"#, status: 504, kind: "timeout",
      message: "it was silent for longer than --upstream-timeout"),
  ]

  @Test(arguments: failures) func `a failure is answered with a problem document`(_ failure: Failure) throws {
    let (answer, printed) = try answer(Self.program(failure.deed), "--upstream-timeout", "500ms")
    #expect(answer.status == failure.status)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(answer.body.contains(#""type":"urn:understudy:problem:upstream-\#(failure.kind)""#))
    #expect(answer.body.contains(": \(failure.message)\""))
    #expect(printed.contains("problem \(failure.status) upstream: \(failure.message)\n"))
  }

  @Test func `no server listens`() throws {
    try withProject(Shop.files) { folder in
      let gone = try PythonServer(Self.program("pass"))
      gone.stop()
      let mock = try ServedMock(["shop.yaml", "--upstream", "http://127.0.0.1:\(gone.port)"], in: folder)
      defer { mock.stop() }
      let answer = try Curl.get(mock.url + "/pets/1")
      #expect(answer.status == 502)
      #expect(answer.body.contains(#""type":"urn:understudy:problem:upstream-refused""#))
    }
  }

  @Test func `the upstream does not speak TLS`() throws {
    let (answer, _) = try answer(
      scheme: "https", Self.program(#"connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")"#))
    #expect(answer.status == 502)
    #expect(answer.body.contains("its answer is not TLS: is the scheme http instead of https?"))
  }

  @Test func `a stop does not wait for an upstream that is silent`() throws {
    try withProject(Shop.files) { folder in
      let upstream = try PythonServer(Self.program("print('asked')"))
      defer { upstream.stop() }
      let mock = try ServedMock(["shop.yaml", "--upstream", "http://127.0.0.1:\(upstream.port)"], in: folder)
      let client = try RawClient(port: mock.port)
      try client.get("/pets/1")
      #expect(upstream.waits(for: "asked"))
      client.reset()
      let (code, printed) = mock.end()
      #expect(code == 0)
      #expect(printed.hasSuffix("\nstopped\n"))
    }
  }
}
