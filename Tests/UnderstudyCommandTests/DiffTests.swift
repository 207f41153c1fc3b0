import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy diff`.
@Suite(.waitsForProcesses)
struct DiffTests {
  private static let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")
  private static let files = ["old.yaml": Shop.contract, "new.yaml": changed]

  private static func git(_ arguments: String..., in folder: String) throws {
    let settings = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]
    let result = try Command.run("/usr/bin/env", ["git"] + settings + arguments, in: folder)
    try #require(result.code == 0, "\(result.output)\(result.error)")
  }

  @Test func `a break has its places in both versions and a value that shows it`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", in: folder)
      #expect(
        steady(result.output) == """
          GET /pets/{id} 200
          new.yaml:15:82: error: response body `/name`: the type is now `integer`, was `string` [diff.response.type]
            15 |               schema: {type: object, required: [name], properties: {name: {type: integer}}}
               |                                                                                  ^^^^^^^
            old.yaml:15:82: note: before
              15 |               schema: {type: object, required: [name], properties: {name: {type: string}}}
                 |                                                                                  ^^^^^^
            note: for example, `{"name":1}` is valid now, and was not before

          remark: the changes call for a new major version: `info.version` was 1, is 1
          checked: 2 in 2 cases, N ms
          not validated: 0
          found: 1 error, 0 warnings, 0 notes
          target: old.yaml
          verdict: failed: 1 error

          """)
      #expect(result.code == 1)
    }
  }

  @Test func `equal contracts pass, also as JSON`() throws {
    let json = """
      {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/pets": {"get": {"responses": \
      {"200": {"description": "OK", "content": {"application/json": {"schema": {"type": "string"}}}}}}}}}
      """
    let yaml = """
      openapi: 3.1.0
      info: {title: Shop, version: "1"}
      paths:
        /pets: {get: {responses: {"200": {description: OK, content: {application/json: {schema: {type: string}}}}}}}
      """
    try withProject(["a.json": json, "b.yaml": yaml]) { folder in
      let result = try Command.run("diff", "a.json", "b.yaml", in: folder)
      #expect(result.output.contains("found: 0 errors, 0 warnings, 0 notes\n"), "\(result.output)\(result.error)")
      #expect(result.code == 0)
    }
  }

  @Test func `a baseline, levels and --fail-on choose what fails`() throws {
    try withProject(
      Self.files.merging(["levels.yaml": "diff.response.type: warning\n", "bad.yaml": "diff.response.typo: error\n"]) {
        $1
      }
    ) { folder in
      #expect(try Command.run("diff", "old.yaml", "new.yaml", "--levels", "levels.yaml", in: folder).code == 0)
      let strict = try Command.run(
        "diff", "old.yaml", "new.yaml", "--levels", "levels.yaml", "--fail-on", "warning", in: folder)
      #expect(strict.code == 1)
      let unknown = try Command.run("diff", "old.yaml", "new.yaml", "--levels", "bad.yaml", in: folder)
      #expect(
        unknown.error.hasPrefix(
          "bad.yaml:1:1: error: unknown rule `diff.response.typo` [config.unknown-key]"), "\(unknown.error)")
      #expect(unknown.code == 2)
      let arguments = ["diff", "old.yaml", "new.yaml", "--baseline", "known.yaml"]
      #expect(try Command.run(Command.path, arguments + ["--update-baseline"], in: folder).code == 0)
      #expect(try Command.run(Command.path, arguments, in: folder).code == 0)
    }
  }

  @Test func `a revision of git is read with the files that the contract refers to`() throws {
    let split = Shop.referring(to: "parts/pet.yaml")
    let pet = "type: object\nrequired: [name]\nproperties: {name: {type: string}}\n"
    try withProject(["api/shop.yaml": split, "api/parts/pet.yaml": pet]) { folder in
      try Self.git("init", "-q", in: folder)
      try Self.git("add", "-A", in: folder)
      try Self.git("commit", "-qm", "First", in: folder)
      try Self.git("checkout", "-qb", "topic", in: folder)
      let file = "\(folder)/api/parts/pet.yaml"
      try pet.replacing("{type: string}", with: "{type: string, nullable: 1, enum: [a]}").write(
        toFile: file, atomically: true, encoding: .utf8)
      let same = try Command.run("diff", "HEAD:api/shop.yaml", "main:./api/shop.yaml", in: folder)
      #expect(same.code == 0, "\(same.output)\(same.error)")
      try pet.replacing("[name]", with: "[]").write(toFile: file, atomically: true, encoding: .utf8)
      let result = try Command.run("diff", "main...:api/shop.yaml", "api/shop.yaml", in: folder)
      #expect(
        result.output.contains(
          "response body: the property `name` is no longer required [diff.response.required]"),
        "\(result.output)\(result.error)")
      #expect(result.output.contains("  main...:api/parts/pet.yaml:2:12: note: before\n"), "\(result.output)")
      #expect(result.code == 1)
      let new = try Command.run("diff", "HEAD:api/other.yaml", "api/shop.yaml", in: folder)
      #expect(new.output.contains("remark: HEAD:api/other.yaml does not exist: a new contract breaks nothing\n"))
      #expect(new.code == 0)
      let unknown = try Command.run("diff", "nothing:api/shop.yaml", "api/shop.yaml", in: folder)
      #expect(unknown.error.hasPrefix("error: git has no revision `nothing`\n  help: "), "\(unknown.error)")
      #expect(unknown.code == 2)
    }
  }

  @Test func `folders are compared contract by contract`() throws {
    let files = [
      "a/one.yaml": Shop.contract, "a/gone.yaml": Shop.contract, "a/notes.yaml": "a: 1", "b/one.yaml": Shop.contract,
      "b/sub/new.yaml": Shop.contract,
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "a", "b", in: folder)
      #expect(
        result.output.contains("a/gone.yaml: error: the contract a/gone.yaml was removed [diff.contract.removed]"))
      #expect(
        result.output.contains("b/sub/new.yaml: info: the contract b/sub/new.yaml was added [diff.contract.added]"))
      #expect(result.output.contains("found: 1 error, 0 warnings, 1 note\n"), "\(result.output)")
      #expect(result.code == 1)
      #expect(try Command.run("diff", "a", "b/one.yaml", in: folder).code == 2)
    }
  }

  @Test func `a contract that cannot be read ends with its reason`() throws {
    try withProject(["a.yaml": Shop.contract, "b.yaml": Shop.referring(to: "#/nothing")]) { folder in
      let missing = try Command.run("diff", "a.yaml", "c.yaml", in: folder)
      #expect(missing.error.contains("c.yaml: error: cannot read the contract: no such file or folder"))
      #expect(missing.code == 3)
      let broken = try Command.run("diff", "a.yaml", "b.yaml", in: folder)
      #expect(broken.error.contains("error: b.yaml cannot be compared\n  help: repair its references first"))
      #expect(broken.code == 3)
    }
  }

  @Test func `different contracts are noted as such`() throws {
    try withProject(["a.yaml": Shop.contract, "b.yaml": Shop.contract.replacing("/pets/", with: "/shops/")]) { folder in
      let result = try Command.run("diff", "a.yaml", "b.yaml", in: folder)
      #expect(result.output.contains("remark: the two contracts have no operation in common"))
      let stripped = try Command.run(
        "diff", "a.yaml", "b.yaml", "--strip-prefix", "/pets", "--strip-prefix", "/shops", in: folder)
      #expect(stripped.code == 0, "\(stripped.output)")
    }
  }

  @Test func `the changelog is Markdown by operation`() throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--changelog", in: folder)
      #expect(
        result.output == """
          ### `GET /pets/{id}`

          - **breaking:** `200`: response body `/name`: the type is now `integer`, was `string`

          """)
    }
  }

  @Test func `recorded calls that break are counted`() throws {
    func entry(_ path: String) -> String {
      """
      {"startedDateTime": "2024-05-17T09:30:00Z", "time": 1, "request": {"method": "GET", "url": "http://localhost\(path)", \
      "httpVersion": "HTTP/1.1", "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0}, \
      "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [], \
      "content": {"size": 14, "mimeType": "application/json", "text": "{\\"name\\":\\"Tom\\"}"}, "redirectURL": "", "headersSize": -1, "bodySize": 0}, "cache": {}, "timings": {}}
      """
    }
    let har = """
      {"log": {"version": "1.2", "creator": {"name": "T", "version": "1"}, \
      "entries": [\(entry("/pets/1")), \(entry("/pets/7")), \(entry("/other"))]}}
      """
    let stricter = Shop.contract.replacing("schema: {type: integer}", with: "schema: {type: integer, maximum: 5}")
    try withProject(["old.yaml": Shop.contract, "new.yaml": stricter, "calls.har": har]) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--used", "calls.har", in: folder)
      #expect(
        result.output.contains("remark: 1 of 2 recorded calls breaks: GET /pets/{id} (1)\n"),
        "\(result.output)\(result.error)")
      #expect(try Command.run("diff", "old.yaml", "new.yaml", "--used", "new.yaml", in: folder).code == 3)
    }
  }

  @Test func `fixtures that no longer validate are counted`() throws {
    let fixtures = [
      "fixtures/new/readPet/200.json": "{\"name\":\"Tom\"}", "fixtures/new/readPet/200.odd.json": "{\"name\":1}",
      "fixtures/new/readPet/404.json": "{}",
    ]
    try withProject(Self.files.merging(fixtures) { $1 }) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--fixtures", "fixtures", in: folder)
      #expect(
        result.output.contains("remark: 1 of 1 fixture no longer validates: readPet/200\n"),
        "\(result.output)\(result.error)")
      #expect(try Command.run("diff", "old.yaml", "new.yaml", "--fixtures", "none", in: folder).code == 2)
    }
  }

  @Test(arguments: ["json", "junit", "sarif", "github", "gitlab", "markdown", "html"])
  func `every format shows the break`(_ format: String) throws {
    try withProject(Self.files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--format", format, in: folder)
      #expect(result.output.contains("diff.response.type"), "\(result.output)")
      #expect(result.code == 1)
    }
  }
}
