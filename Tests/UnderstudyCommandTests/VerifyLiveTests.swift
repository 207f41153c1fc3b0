import Testing
import UnderstudyTestSupport

/// `understudy verify --live` as a user runs it.
@Suite(.waitsForProcesses)
struct VerifyLiveTests {
  private static let petstore = Project.path("specs/petstore.yaml")

  // MARK: - The mock and another server

  @Test(arguments: ["slp", "petstore"]) func `the mock keeps its contract over the wire`(name: String) throws {
    let contract = Project.path("specs/\(name).yaml")
    let mock = try ServedMock([contract, "--quiet", "--no-watch"])
    let result = try Command.run("verify", "--live", mock.url, "--allow-unsafe", "--fail-on", "info", contract)
    #expect(result.code == 0, "\(result.output)\(result.error)")
    #expect(result.error.contains("seed 0; matched "))
  }

  /// What it creates, changes and deletes stays for the requests that follow.
  @Test(arguments: ["slp", "petstore"]) func `a stateful mock keeps its contract over the wire`(name: String) throws {
    let contract = Project.path("specs/\(name).yaml")
    let mock = try ServedMock([contract, "--stateful", "--quiet", "--no-watch"])
    defer { mock.stop() }
    #expect(mock.waits(for: "collections: "), "\(mock.printed)")
    let result = try Command.run("verify", "--live", mock.url, "--allow-unsafe", "--fail-on", "info", contract)
    #expect(result.code == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("found: 0 errors, 0 warnings, 0 notes"), "\(result.output)")
    #expect(result.error.contains("seed 0; matched "))
  }

  @Test func `a live run finds an invalid fixture of a mock`() throws {
    let contract = Project.path("specs/slp.yaml")
    let mock = try ServedMock([contract, "--quiet", "--no-watch", "--force", "readUser=200.itemsOutOfRange"])
    let options = ["verify", "--live", mock.url, "--mode", "positive", contract]
    #expect(try Command.run(Command.path, options + ["--operation", "readUser"]).code == 1)
    #expect(try Command.run(Command.path, options + ["--operation", "readShopInfo"]).code == 0)
  }

  @Test(.enabled(if: Flask.isPresent, "skipped: no Flask, and none to be had from PyPI"))
  func `ten planted bugs fail the run, and their absence does not`() throws {
    for (isFixed, code) in [(false, Int32(1)), (true, 0)] {
      let server = try PlantedBugs.start(isFixed: isFixed)
      defer { server.stop() }
      let result = try Command.run(
        Command.path,
        ["verify", "--live", "http://127.0.0.1:\(server.port)", "--allow-unsafe", PlantedBugs.contract],
        environment: ["UNDERSTUDY_AUTH_KEY": "open-sesame"])
      #expect(result.code == code, "\(result.output)\(result.error)")
      #expect(!(result.output + result.error).contains("open-sesame"))
    }
  }

  // MARK: - Bad targets

  /// What a server does with a connection `c` once a request came.
  private static let hostile: [(name: String, code: String, expected: Int32)] = [
    ("hangs", "threading.Event().wait()", 4),
    ("answers garbage", #"c.sendall(b"\x00\x01SSH-2.0-OpenSSH_9\r\n\r\nhello")"#, 4),
    ("resets", #"c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")"#, 4),
    ("closes", "pass", 4),
    (
      "cuts the answer",
      #"c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{")"#, 4
    ),
    (
      "drips its head",
      #"c.sendall(b"HTTP/1.1 200 OK\r\n"); [(c.sendall(b"X"), time.sleep(0.05)) for _ in range(9999)]"#, 4
    ),
    (
      "drips its body",
      #"c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n"); "#
        + #"[(c.sendall(b" "), time.sleep(0.05)) for _ in range(9999)]"#, 4
    ),
    (
      "sends a gigabyte",
      #"c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n"); "#
        + #"[c.sendall(b"x" * 65536) for _ in range(16384)]"#, 4
    ),
    (
      "sends pieces for ever",
      #"c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"); "#
        + #"[c.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n") for _ in range(16384)]"#, 4
    ),
    // A redirect is an undocumented answer.
    (
      "redirects for ever",
      #"c.sendall(b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")"#, 1
    ),
  ]

  private static func server(_ code: String) throws -> PythonServer {
    try PythonServer(
      """
      import socket, threading, time
      listener = socket.socket()
      listener.bind(("127.0.0.1", 0))
      listener.listen(64)
      print(listener.getsockname()[1])
      def serve(c):
          try:
              c.recv(65536)
              \(code)
          except OSError: pass
          finally: c.close()
      while True:
          c, _ = listener.accept()
          print("connection")
          threading.Thread(target=serve, args=(c,), daemon=True).start()
      """)
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"), arguments: hostile.indices)
  func `a bad server ends the run after three connections an operation, and never green`(index: Int) throws {
    let (name, code, expected) = Self.hostile[index]
    let server = try Self.server(code)
    defer { server.stop() }
    let timeout = expected == 4 ? ["--timeout", "300ms"] : []
    let result = try Command.run(
      Command.path, ["verify", "--live", "http://127.0.0.1:\(server.port)", Self.petstore] + timeout)
    #expect(result.code == expected, "a server that \(name): \(result.output)\(result.error)")
    // A server that answers, even with a redirect or in part, gets every request.
    let operations = try Project.text("specs/petstore.yaml").matches(of: /operationId:/).count
    let limit = expected == 4 && name != "cuts the answer" ? 3 * operations : .max
    #expect(server.printed.split(separator: "\n").count { $0 == "connection" } <= limit)
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"))
  func `a server may close the connection after every answer`() throws {
    let server = try Self.server(
      """
      body = b'{"name":"Tom"}'
              c.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 14\\r\\n\\r\\n" + body)
      """)
    defer { server.stop() }
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "verify", "shop.yaml", "--live", "http://127.0.0.1:\(server.port)", "--mode", "positive", "--count", "20",
        in: folder)
      #expect(result.code == 0, "\(result.output)\(result.error)")
    }
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"))
  func `an undeclared header is reported, and a returned secret is not shown`() throws {
    let answer = #"self.answer(200, b'{"name":"Tom"}', Content_Type="application/json", X_Seen=self.headers["X-Key"])"#
    let server = try PythonServer(PythonServer.handler("def do_GET(self): \(answer)"))
    defer { server.stop() }
    let contract =
      Shop.contract.replacing("operationId: readPet", with: "operationId: readPet\n      security: [{key: []}]")
      .replacing(
        "description: One pet.", with: "description: One pet.\n          headers: {X-Seen: {schema: {type: integer}}}")
      + "components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}\n"
    let config = "rules: {resp.header.undeclared: error}\n"
    try withProject(["shop.yaml": contract, "bare.yaml": Shop.contract, "understudy.yaml": config]) { folder in
      let live = ["--live", "http://127.0.0.1:\(server.port)", "--mode", "positive"]
      let seen = try Command.run(
        Command.path, ["verify", "shop.yaml", "--header", "X-Key: TOPSECRET"] + live, in: folder)
      #expect(seen.code == 1)
      #expect(seen.output.contains("the header `X-Seen` must be an integer, found `${X_KEY}`"), "\(seen.output)")
      #expect(!seen.output.contains("TOPSECRET"))
      let undeclared = try Command.run(
        Command.path, ["verify", "bare.yaml", "--header", "X-Key: TOPSECRET"] + live, in: folder)
      #expect(undeclared.code == 1)
      #expect(undeclared.output.contains("[resp.header.undeclared]"), "\(undeclared.output)")
    }
  }

  @Test func `no server listens`() throws {
    let result = try Command.run("verify", "--live", "http://127.0.0.1:1", Self.petstore)
    #expect(result.code == 4)
    #expect(result.output == "")
    #expect(
      result.error.hasSuffix(
        """
        error: nothing was checked at http://127.0.0.1:1: the server cannot be reached: connection refused
          help: start the server, or check the host and port of `--live`

        """),
      "\(result.error)")
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python")) func `https where http is spoken`() throws {
    let server = try Self.server(#"c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")"#)
    defer { server.stop() }
    let result = try Command.run("verify", "--live", "https://127.0.0.1:\(server.port)", Self.petstore)
    #expect(result.code == 4)
    #expect(result.error.contains("its answer is not TLS"))
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"))
  func `dead for some operations, the others are validated and the run is not green`() throws {
    let server = try PythonServer(
      PythonServer.handler(
        """
        def do_GET(self):
            if self.path.startswith("/alive"): self.answer(200)
            else: self.close_connection = True; self.connection.close()
        """))
    defer { server.stop() }
    let contract = """
      openapi: 3.1.0
      info: {title: Half, version: "1"}
      paths:
        /alive: {get: {operationId: alive, responses: {"200": {description: OK}}}}
        /dead: {get: {operationId: dead, responses: {"200": {description: OK}}}}
      """
    let result = try withProject(["half.yaml": contract]) { folder in
      try Command.run("verify", "--live", "http://127.0.0.1:\(server.port)", "half.yaml", in: folder)
    }
    #expect(result.code == 1)
    #expect(result.output.contains("dead gave no response: it closed the connection"), "\(result.output)")
    #expect(result.output.contains("reproduce: curl -i http://127.0.0.1:\(server.port)/dead"), "\(result.output)")
  }

  // MARK: - Options

  @Test func `invalid options are usage errors`() throws {
    let cases: [([String], String)] = [
      (["--live", "localhost:80"], "`--live localhost:80` is not a base URL"),
      (["--operation", "listPet"], "`--operation listPet` matched 0 of 7 operations"),
      (["--rate", "often"], "`--rate often` is not a rate"), (["--timeout", "0"], "`--timeout 0` is not a duration"),
      (["--count", "0"], "the value `0` is invalid for `--count <n>`: expected a number from 1 to 1000"),
      (["--header", "X"], "`--header X` is not a header"),
      (["--header", "X: ${NOBODY_SET_THIS}"], "the environment variable `NOBODY_SET_THIS`"),
      (["--shard", "3/2"], "`--shard 3/2` is not a part"),
    ]
    for (options, message) in cases {
      let target = options[0] == "--live" ? [] : ["--live", "http://127.0.0.1:1"]
      let result = try Command.run(Command.path, ["verify"] + target + options + [Self.petstore])
      #expect(result.code == 2, "\(options)")
      #expect(result.error.contains(message), "\(result.error)")
    }
  }

  @Test func `a failed --before ends the run, and --after always runs`() throws {
    try withTemporaryFolder { folder in
      let failed = try Command.run(
        "verify", "--live", "http://127.0.0.1:1", "--before", "echo not ready; exit 3", Self.petstore, in: folder)
      #expect(failed.code == 4)
      #expect(failed.error.contains("not ready"))
      #expect(failed.error.contains("`--before` failed with exit code 3"))
      let after = try Command.run(
        "verify", "--live", "http://127.0.0.1:1", "--after", "touch cleaned", Self.petstore, in: folder)
      #expect(after.code == 4)
      #expect(try Command.run("/bin/ls", [folder]).output.contains("cleaned"))
    }
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"))
  func `the config file gives headers and credentials, from the environment`() throws {
    let server = try PythonServer(
      PythonServer.handler(
        """
        def do_GET(self):
            fits = self.headers.get("X-Key") == "s3cret" and self.headers.get("X-Team") == "blue"
            if not self.headers.get("X-Key"): self.answer(401)
            elif not fits: self.answer(403)
            else: self.answer(200)
        """))
    defer { server.stop() }
    let files = [
      "api.yaml": """
      openapi: 3.1.0
      info: {title: Locked, version: "1"}
      security: [{key: []}]
      paths: {/door: {get: {operationId: door, responses: {"200": {description: In}, "401": {description: Who}, "403": {description: No}}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
      """,
      "understudy.yaml": """
      contracts: api.yaml
      verify:
        live:
          headers: {X-Team: blue}
          auth: {key: "${DOOR_KEY}"}
      """,
    ]
    try withProject(files) { folder in
      let url = "http://127.0.0.1:\(server.port)"
      let good = try Command.run("verify", "--live", url, in: folder, environment: ["DOOR_KEY": "s3cret"])
      #expect(good.code == 0, "\(good.error)")
      #expect(try Command.run("verify", "--live", url, in: folder).code == 2)
    }
  }
}
