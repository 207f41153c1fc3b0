import Foundation
import Testing
import UnderstudyTestSupport

/// Commands over routes files, as a user runs them.
@Suite(.waitsForProcesses)
struct RoutesFileTests {
  private static let files = [
    "routes.yaml": """
    routes:
      GET /health: ok
      GET /users/{id}: {200: {json: {id: "{{request.path.id}}"}}, 404: {}}
      /static/*: {files: public}

    """,
    "public/a.css": "a{}", "public/docs/index.html": "<h1>",
  ]

  private func get(_ mock: ServedMock, _ path: String) throws -> String {
    try Command.run(Command.curl, ["-s", "--path-as-is", "-w", " %{http_code}", mock.url + path]).output
  }

  @Test func `serve, --force and lanes work with a routes file`() throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(["routes.yaml", "--force", "GET /users/{id}=404*1"], in: folder)
      #expect(try get(mock, "/health") == "ok 200")
      #expect(try get(mock, "/users/7") == " 404")
      #expect(try get(mock, "/~alice/users/7") == " 404")
      #expect(try get(mock, "/users/7") == "{\"id\":\"7\"} 200")
      #expect(try get(mock, "/static/a.css") == "a{} 200")
      #expect(try get(mock, "/static/../routes.yaml") == "there is no such file\n 404")
      #expect(
        mock.printed.contains("  routes: 3 operations, 5 cells, 6 fixtures, no problems in the contract\n"),
        "\(mock.printed)")
    }
  }

  @Test func `the routes of the command line are served beside a contract, and alone`() throws {
    let beside = try ServedMock([
      Project.path("specs/petstore.yaml"), "--fixtures", Project.path("fixtures"), "--route", "GET /health=ok",
      "--route",
      "/users/{id}={json: {id: \"{{request.path.id}}\"}}",
    ])
    #expect(try get(beside, "/health") == "ok 200")
    #expect(try get(beside, "/users/9") == "{\"id\":\"9\"} 200")
    #expect(try get(beside, "/api/pets").hasSuffix(" 200"))
    try withTemporaryFolder { folder in
      let alone = try ServedMock(["--route", "GET /health=204"], in: folder)
      #expect(try get(alone, "/health") == " 204")
    }
  }

  @Test(arguments: [
    ("GET /health", "error: `--route GET /health` has no reply: expected a route and its reply\n  help: as in"),
    (
      "GET health=ok",
      "error: `--route GET health=ok`: the path of `GET health` does not start with a slash\n  help: write"
    ),
    ("/a={json: ", "error: the reply of `--route /a={json: ` is not YAML: "),
    (
      "/a=true",
      "error: `--route /a=true`: expected a string, a status or a mapping for a route, found a boolean\n  help: quote"
    ),
    ("/a={jsn: 1}", "error: `--route /a={jsn: 1}`: unknown key `jsn`\n  help: did you mean `json`?"),
  ])
  func `a route of the command line that cannot be read ends the start`(route: String, message: String) throws {
    try withTemporaryFolder { folder in
      let result = try Command.run("serve", "--route", route, "--port", "0", in: folder)
      #expect(result.code == 2)
      #expect(result.error.hasPrefix(message), "\(result.error)")
    }
  }

  @Test func `routes and verify list a routes file, and coverage counts its cells`() throws {
    try withProject(Self.files) { folder in
      let routes = try Command.run("routes", "routes.yaml", in: folder)
      #expect(
        routes.output == """
          routes (routes, 3 operations, 5 cells, fixtures in fixtures/routes/<operation>)

          GET    /health  GET_health
            200     200  routes.yaml

          GET    /users/{id}  GET_users_{id}
            200     200  routes.yaml
            404     404  routes.yaml

          GET    /static/*  GET_static_*
            200     200  empty + a.css, docs/index.html
            404     404  routes.yaml

          """, "\(routes.error)")
      let verified = try Command.run("verify", "routes.yaml", in: folder)
      #expect(verified.code == 0, "\(verified.output)\(verified.error)")
      let har = """
        {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [{"startedDateTime":
        "2026-01-01T00:00:00Z", "time": 1, "request": {"method": "GET", "url": "http://localhost/users/7", "httpVersion":
        "HTTP/1.1", "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0}, "response": {"status":
        404, "statusText": "", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [], "content": {"size": 0, "mimeType": ""},
        "redirectURL": "", "headersSize": -1, "bodySize": 0}, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}]}}
        """
      try write(["traffic.har": har], in: folder)
      let coverage = try Command.run("coverage", "routes.yaml", "--har", "traffic.har", in: folder)
      #expect(
        coverage.output.contains("1 of 5") || coverage.output.contains("1/5"), "\(coverage.output)\(coverage.error)")
    }
  }

  @Test func `verify reports what a routes file has wrong, at its places`() throws {
    let files = ["routes.yaml": "routes:\n  GET /a/{x}: ok\n  GET /a/{y}: 99\n  GET /b/{x}: one\n  GET /b/{y}: two\n"]
    try withProject(files) { folder in
      let result = try Command.run("lint", "routes.yaml", in: folder)
      #expect(result.code == 1)
      #expect(
        result.output.split(separator: "\n").filter {
          $0.contains("error:") || $0.contains("note:") || $0.contains("this one")
        }
        .map(String.init).joined(separator: "\n").contains("routes.yaml:5:3: error: `GET /b/{y}` is the same route as"),
        "\(result.output)\(result.error)")
      #expect(result.output.contains("routes.yaml:3:15: error: `99` is not a status"), "\(result.output)")
      #expect(try Command.run("verify", "routes.yaml", in: folder).code == 1)
    }
  }

  @Test func `lint reports the replies of a routes file too`() throws {
    try withProject(["routes.yaml": "routes:\n  GET /a: {jsonBody: {id: 1}}\n"]) { folder in
      let result = try Command.run("lint", "routes.yaml", in: folder)
      #expect(result.code == 1)
      #expect(result.output.contains("routes.yaml:2:12: error: unknown key `jsonBody`"), "\(result.output)")
    }
  }

  @Test func `a folder outside of the project is not served`() throws {
    try withTemporaryFolder { other in
      try write(["secret.txt": "secret"], in: other)
      let files = ["routes.yaml": "routes:\n  /s/*: {files: \(other)}\n  /l/*: {files: public}\n", "public/a.txt": "a"]
      try withProject(files) { folder in
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/public/link.txt", withDestinationPath: other + "/secret.txt")
        try FileManager.default.createSymbolicLink(atPath: folder + "/public/folder", withDestinationPath: other)
        let result = try Command.run("lint", "routes.yaml", in: folder)
        #expect(
          result.output.contains("routes.yaml:2:17: error: the folder `\(other)` is outside the project folders"),
          "\(result.output)")
        #expect(result.output.contains("`link.txt` is a link that leads out of the folder, and is not served"))
        #expect(result.output.contains("`folder` is a link that leads out of the folder, and is not served"))
        let mock = try ServedMock(["routes.yaml"], in: folder)
        #expect(try get(mock, "/l/a.txt") == "a 200")
        #expect(try get(mock, "/l/link.txt") == "there is no such file\n 404")
        #expect(try get(mock, "/l/folder/secret.txt") == "there is no such file\n 404")
        #expect(try get(mock, "/s/secret.txt").hasSuffix(" 404"))
      }
    }
  }

  @Test func `ctl adds, lists and removes routes, and a reload keeps them`() throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(["routes.yaml", "--quiet", "--no-watch"], in: folder)
      func ctl(_ arguments: String...) throws -> String {
        let result = try Command.run(Command.path, ["ctl"] + arguments + ["--url", mock.url])
        return result.output + result.error
      }
      #expect(try ctl("route", "GET /flag={json: {dark: true}}") == "GET /flag: {\"json\":{\"dark\":true}}\n")
      #expect(try get(mock, "/flag") == "{\"dark\":true} 200")
      #expect(try ctl("reload") == "reloaded\n")
      #expect(try get(mock, "/flag") == "{\"dark\":true} 200")
      #expect(try ctl("open", "bob").hasPrefix("http"))
      #expect(try ctl("route", "/mine=bob", "--lane", "bob") == "/mine: \"bob\"\n")
      #expect(try get(mock, "/~bob/mine") == "bob 200")
      #expect(try get(mock, "/mine").hasSuffix(" 404"))
      #expect(
        try ctl("route", "--remove", "GET /flug").hasPrefix(
          "error: no route `GET /flug` was added\n  help: did you mean"))
      #expect(try ctl("route", "--remove") == "no route is added\n")
      #expect(try get(mock, "/flag").hasSuffix(" 404"))
    }
  }

  @Test func `infer drafts a contract that lint accepts, and replaces no file`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("infer", "routes.yaml", "-o", "api.yaml", in: folder)
      #expect(result.output == "wrote api.yaml\n", "\(result.error)")
      #expect(try Command.run("lint", "api.yaml", in: folder).code == 0)
      let mock = try ServedMock(["api.yaml"], in: folder)
      #expect(try get(mock, "/users/3").hasSuffix(" 200"))
      let again = try Command.run("infer", "routes.yaml", "-o", "api.yaml", in: folder)
      #expect(again.code == 2 && again.error.contains("api.yaml exists"), "\(again.error)")
      let other = try Command.run("infer", "api.yaml", in: folder)
      #expect(other.code == 3 && other.error.hasPrefix("error: api.yaml is no routes file"), "\(other.error)")
    }
  }
}
