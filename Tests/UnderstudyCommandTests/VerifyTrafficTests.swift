import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// `serve --har`, then `verify --har`, and files that are not recordings.
struct VerifyTrafficTests {
  private static let login = """
    openapi: 3.1.0
    info: {title: Login, version: "1"}
    security: [{key: []}, {query: []}]
    components:
      schemas: {Login: {properties: {password: {type: string, format: password, minLength: 12}}}}
      securitySchemes:
        key: {type: apiKey, in: header, name: X-Key}
        query: {type: apiKey, in: query, name: key}
    paths:
      /login:
        post:
          operationId: login
          requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Login"}}, image/png: {}}}
          responses: {"204": {description: Done.}, "401": {description: Who?}}

    """

  /// Serves a contract for the requests of `body`, and returns the recording and the last lines.
  private static func record(
    _ folder: String, _ arguments: String..., body: (ServedMock) throws -> Void
  ) throws -> (har: JSON, printed: String) {
    let mock = try ServedMock(["api.yaml", "--har", "t.har"] + arguments, in: folder)
    try body(mock)
    let (code, printed) = mock.end()
    #expect(code == 0)
    return (try JSONParser.parse(try FileSystem.read(folder + "/t.har")).root, printed)
  }

  @Test func `a recording of a mock is valid`() throws {
    try withProject(["api.yaml": Shop.contract]) { (folder) throws in
      let (har, printed) = try Self.record(folder) { (mock) throws in
        let found = try Curl.get(mock.url + "/pets/7")
        let forced = try Curl.get(mock.url + "/pets/7?a=%2F&b", (name: "Prefer", value: "code=404"))
        let lost = try Curl.get(mock.url + "/cats/7")
        #expect(found.status == 200 && forced.status == 404 && lost.status == 404)
      }
      #expect(printed.hasSuffix("stopped\nrecorded 3 exchanges in t.har\n"))
      let entries = Array(har["log"]?["entries"]?.elements ?? JSON.array([]).elements)
      #expect(entries.count == 3)
      #expect(entries[0]["response"]?["content"]?["text"]?.string == #"{"name":"Tom"}"#)
      #expect(entries[1]["request"]?["url"]?.string?.hasSuffix("/pets/7?a=%2F&b") == true)
      #expect(
        JSONWriter.text(entries[1]["_understudy"] ?? .null)
          == #"{"contract":"api","operation":"readPet","cell":"404","reply":"contract readPet/404 (preferred)","findings":["req.param.undeclared","req.param.undeclared"]}"#
      )
      let schema = Project.path("specs/har-1.2.schema.json")
      let checked = try Command.run("schema", "check", schema, folder + "/t.har")
      #expect(checked.code == 0, "\(checked.output)\(checked.error)")
      // The path that the contract does not have is a finding; without it there is none.
      let result = try Command.run("verify", "api.yaml", "--har", "t.har", in: folder)
      #expect(result.code == 1)
      #expect(result.output.contains("[req.path.unknown]"), "\(result.output)")
      let (_, _) = try Self.record(folder, "--overwrite") { mock in
        _ = try Curl.get(mock.url + "/pets/7")
      }
      #expect(try Command.run("verify", "api.yaml", "--har", "t.har", in: folder).code == 0)
    }
  }

  @Test func `a second run does not empty the recording of a first`() throws {
    try withProject(["api.yaml": Shop.contract]) { (folder) throws in
      let (har, _) = try Self.record(folder) { (mock) throws in
        _ = try Curl.get(mock.url + "/pets/7")
        let second = try Command.run("serve", "api.yaml", "--port", "0", "--har", "t.har", in: folder)
        #expect(second.code == 2)
        #expect(second.error.contains("--har t.har: another run is recording to it"), "\(second.error)")
      }
      #expect(har["log"]?["entries"].map { Array($0.elements).count } == 1)
    }
  }

  @Test func `a bad request that a mock refused is reported as in its log, unless settings mark it as meant`() throws {
    let contract = Shop.contract.replacing(
      "- {name: id,", with: "- {name: n, in: query, schema: {type: integer}}\n        - {name: id,")
    try withProject(["api.yaml": contract]) { (folder) throws in
      _ = try Self.record(folder) { (mock) throws in
        #expect(try Curl.get(mock.url + "/pets/7?n=x").status == 422)
      }
      let result = try Command.run("verify", "api.yaml", "--har", "t.har", in: folder)
      #expect(result.code == 1, "\(result.output)")
      #expect(result.output.contains("error: the query parameter `n` must be an integer, found `x` [req.param.schema]"))
      #expect(result.output.contains("in a status that is not documented"))
      try write(["understudy.yaml": "rules: {req.expected-invalid: info}\n"], in: folder)
      let meant = try Command.run("verify", "api.yaml", "--har", "t.har", in: folder)
      #expect(meant.code == 0, "\(meant.output)")
      #expect(meant.output.contains("[req.expected-invalid]"), "\(meant.output)")
    }
  }

  @Test func `secrets never reach the file, and the recording is validated without them`() throws {
    try withProject(["api.yaml": Self.login]) { (folder) throws in
      let (_, _) = try Self.record(folder) { (mock) throws in
        for (target, headers) in [
          ("/login", [("X-Key", "s3cret-header")]), ("/login?x=%20&key=s3cret-query", []),
        ] as [(String, [(name: String, value: String)])] {
          let exchange = Scenario.Exchange(
            method: "POST", target: target,
            headers: headers + [("Content-Type", "application/json"), ("Authorization", "Bearer s3cret.token")],
            body: #"{"password": "s3cret-password"}"#)
          let answer = try Curl.send(exchange, to: mock.url)
          #expect(answer.status == 204)
        }
      }
      let text = String(decoding: try FileSystem.read(folder + "/t.har").bytes, as: UTF8.self)
      #expect(!text.contains("s3cret"))
      #expect(text.contains("x=%20&key=redacted-004"))
      let verified = try Command.run("verify", "api.yaml", "--har", "t.har", in: folder)
      #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    }
  }

  @Test func `binary bodies survive a recording`() throws {
    try withProject(["api.yaml": Self.login]) { (folder) throws in
      try Data([0x89, 0x50, 0x00, 0xFF]).write(to: URL(filePath: folder + "/a.png"))
      let (har, _) = try Self.record(folder) { (mock) throws in
        _ = try Command.run(
          "/usr/bin/curl",
          [
            "-s", "-H", "X-Key: k", "-H", "Content-Type: image/png", "--data-binary", "@\(folder)/a.png",
            mock.url + "/login",
          ])
      }
      let data = har["log"]?["entries"]?[0]?["request"]?["postData"]
      #expect(data?["text"]?.string == "iVAA/w==")
      #expect(try HARFile(folder + "/t.har").entry(0).requestBody == .bytes([0x89, 0x50, 0x00, 0xFF]))
    }
  }

  @Test func `a file that is not a recording is not overwritten`() throws {
    try withProject(["api.yaml": Shop.contract]) { (folder) throws in
      let result = try Command.run("serve", "api.yaml", "--port", "0", "--har", "api.yaml", in: folder)
      #expect(result.code == 2)
      #expect(result.error.contains("the file exists and is not a recording of understudy"))
      #expect(try FileSystem.read(folder + "/api.yaml").bytes.elementsEqual(Shop.contract.utf8))
    }
  }

  @Test func `fixtures without recordings are reported if the rules enable it`() throws {
    try withProject([
      "api.yaml": Shop.contract, "fixtures/api/readPet/200.json": #"{"name":"Tom"}"#,
      "fixtures/api/readPet/200.other.json": #"{"name":"Kit"}"#, "fixtures/api/readPet/404.txt": "",
    ]) { (folder) throws in
      _ = try Self.record(folder) { (mock) throws in
        #expect(try Curl.get(mock.url + "/pets/7").status == 200)
        #expect(try Curl.get(mock.url + "/pets/7", (name: "Prefer", value: "example=other")).status == 200)
      }
      #expect(try Command.run("verify", "api.yaml", "--har", "t.har", in: folder).output.contains("unused") == false)
      try write(["understudy.yaml": "rules: {fixture.unused: warning}\n"], in: folder)
      let result = try Command.run("verify", "api.yaml", "--har", "t.har", in: folder)
      #expect(
        result.output.contains(
          "fixtures/api/readPet/404.txt: warning: readPet/404 answered no request [fixture.unused]"))
      #expect(result.output.contains("found: 0 errors, 1 warning"), "\(result.output)")
      #expect(result.code == 0)
    }
  }

  @Test func `the recording names the contract that answered`() throws {
    let other = Shop.contract.replacing("paths:", with: "servers: [{url: /other}]\npaths:")
    try withProject([
      "api.yaml": Shop.contract, "other.yaml": other, "understudy.yaml": "rules: {fixture.unused: warning}\n",
      "fixtures/api/readPet/200.json": #"{"name":"Tom"}"#, "fixtures/other/readPet/200.json": #"{"name":"Kit"}"#,
    ]) { (folder) throws in
      let (har, _) = try Self.record(folder, "other.yaml") { (mock) throws in
        #expect(try Curl.get(mock.url + "/pets/7").status == 200)
        #expect(try Curl.get(mock.url + "/other/pets/7").status == 200)
      }
      let entries = har["log"]?["entries"]?.elements.map { $0["_understudy"]?["contract"]?.string }
      #expect(entries == ["api", "other"])
      let result = try Command.run("verify", "api.yaml", "other.yaml", "--har", "t.har", in: folder)
      #expect(!result.output.contains("answered nothing"), "\(result.output)")
    }
  }

  @Test func `a recording that cannot be used ends the command with the reason`() throws {
    try withProject([
      "api.yaml": Shop.contract, "no.har": "{}", "empty.har": "", "half.har": #"{"log": {"entries": [{"a": 1}, {"b""#,
      "none.har": #"{"log": {"entries": []}}"#,
    ]) { (folder) throws in
      for (file, code, message) in [
        ("nope.har", 3, "nope.har: no such file or folder"), (".", 3, ".: this is a folder; expected a file"),
        ("no.har", 3, "no.har: this is not a recording: `log.entries` is missing"),
        ("empty.har", 3, "empty.har: this is not a recording: line 1: the file is empty"),
        ("half.har", 4, "half.har:1: the file ends within the entry that begins in line 1"),
        ("none.har", 4, "nothing was checked"),
      ] as [(String, Int32, String)] {
        let result = try Command.run("verify", "api.yaml", "--har", file, in: folder)
        #expect(result.code == code, "\(file): \(result.error)")
        #expect((result.error + result.output).contains(message), "\(result.error)")
      }
      #expect(try Command.run("verify", "nope.yaml", "--har", "none.har", in: folder).code == 3)
      #expect(try Command.run("verify", "api.yaml", "--har", "none.har", "--base", "ftp://x", in: folder).code == 2)
      #expect(try Command.run("verify", "api.yaml", "--har", "none.har", "--strict-host", in: folder).code == 2)
    }
  }
}
