import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy diff`, weighed by recordings, fixtures and scenarios.
@Suite(.waitsForProcesses)
struct DiffUseTests {
  private static func entry(_ path: String, status: Int = 200, method: String = "GET") -> String {
    """
    {"startedDateTime": "2024-05-17T09:30:00Z", "time": 1, "request": {"method": "\(method)", \
    "url": "http://localhost\(path)", "httpVersion": "HTTP/1.1", "headers": [], "queryString": [], "cookies": [], \
    "headersSize": -1, "bodySize": 0}, "response": {"status": \(status), "statusText": "", "httpVersion": "HTTP/1.1", \
    "headers": [], "cookies": [], "content": {"size": 14, "mimeType": "application/json", \
    "text": "{\\"name\\":\\"Tom\\"}"}, "redirectURL": "", "headersSize": -1, "bodySize": 0}, "cache": {}, "timings": {}}
    """
  }

  private static func har(_ entries: [String]) -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "T", "version": "1"}, "entries": [\(entries.joined(separator: ", "))]}}
    """
  }

  private static let stricter = Shop.contract.replacing(
    "schema: {type: integer}", with: "schema: {type: integer, maximum: 5}")

  private static func remarks(_ result: Command.Result) -> [String] {
    result.output.split(separator: "\n").filter { $0.hasPrefix("remark: ") && !$0.contains("info.version") }.map(
      String.init)
  }

  // MARK: - Recordings

  @Test func `recorded calls that break are counted in all kinds of recordings together`() throws {
    let entries = ["/pets/1", "/pets/7", "/other"].map { Self.entry($0) } + [Self.entry("/pets/8", status: 404)]
    let files = [
      "old.yaml": Shop.contract, "new.yaml": Self.stricter, "calls.har": Self.har(entries),
      "calls.ndjson": entries.map { $0 + "\n" }.joined(),
    ]
    try withProject(files) { folder in
      let mock = try ServedMock(["old.yaml", "--journal", "calls.journal"], in: folder)
      _ = try Command.run(Command.curl, ["-q", "-s", "\(mock.url)/pets/2", "\(mock.url)/pets/9"])
      mock.stop()
      let one = try Command.run("diff", "old.yaml", "new.yaml", "--used", "calls.har", in: folder)
      #expect(
        Self.remarks(one) == ["remark: 2 of 3 recorded calls break: GET /pets/{id} (2)"], "\(one.output)\(one.error)")
      #expect(one.output.contains("\n  note: 2 of 3 recorded calls of the operation break\n"), "\(one.output)")
      let all = try Command.run(
        "diff", "old.yaml", "new.yaml", "--used", "calls.har", "--used", "calls.ndjson", "--used", "calls.journal",
        in: folder)
      #expect(
        Self.remarks(all) == ["remark: 5 of 8 recorded calls break: GET /pets/{id} (5)"], "\(all.output)\(all.error)")
    }
  }

  @Test func `a file that is no recording is reported`() throws {
    try withProject(["old.yaml": Shop.contract, "new.yaml": Self.stricter, "empty.ndjson": "\n"]) { folder in
      let contract = try Command.run("diff", "old.yaml", "new.yaml", "--used", "new.yaml", in: folder)
      #expect(contract.error.hasPrefix("error: new.yaml: this is not a recording: "), "\(contract.error)")
      #expect(contract.code == 3)
      let empty = try Command.run("diff", "old.yaml", "new.yaml", "--used", "empty.ndjson", in: folder)
      #expect(empty.error.hasPrefix("error: empty.ndjson: this is not a recording: "), "\(empty.error)")
      #expect(empty.code == 3)
      let missing = try Command.run("diff", "old.yaml", "new.yaml", "--used", "none.har", in: folder)
      #expect(missing.error.hasPrefix("error: none.har: no such file or folder\n"), "\(missing.error)")
      #expect(missing.code == 3)
    }
  }

  @Test func `a recording of another API is remarked`() throws {
    let files = ["old.yaml": Shop.contract, "new.yaml": Self.stricter, "calls.har": Self.har([Self.entry("/other")])]
    try withProject(files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", "--used", "calls.har", in: folder)
      #expect(
        Self.remarks(result) == [
          "remark: no recorded call matches an operation of the old version: check that the recordings are of this API"
        ])
    }
  }

  @Test func `calls of a removed operation break, and calls of a moved operation do not`() throws {
    let files = [
      "old.yaml": Shop.contract,
      "gone.yaml": Shop.contract.replacing("        get:", with: "        put:").replacing(
        "  get:\n", with: "  put:\n"),
      "moved.yaml": Shop.contract.replacing("/pets/", with: "/v2/pets/"),
      "calls.har": Self.har([Self.entry("/pets/1")]),
    ]
    try withProject(files) { folder in
      let gone = try Command.run("diff", "old.yaml", "gone.yaml", "--used", "calls.har", in: folder)
      #expect(
        Self.remarks(gone).last == "remark: 1 of 1 recorded call breaks: GET /pets/{id} (1)", "\(gone.output)")
      #expect(gone.output.contains("\n  note: 1 of 1 recorded call of the operation breaks\n"), "\(gone.output)")
      let moved = try Command.run(
        "diff", "old.yaml", "moved.yaml", "--strip-prefix", "/", "--strip-prefix", "/v2", "--used", "calls.har",
        in: folder)
      #expect(Self.remarks(moved) == ["remark: 0 of 1 recorded call break"], "\(moved.output)")
      #expect(moved.code == 0, "\(moved.output)")
    }
  }

  @Test func `recordings of a folder of contracts are counted once`() throws {
    let other = Shop.contract.replacing("/pets/", with: "/toys/")
    let files = [
      "old/pets.yaml": Shop.contract, "new/pets.yaml": Self.stricter, "old/toys.yaml": other, "new/toys.yaml": other,
      "calls.har": Self.har(["/pets/1", "/pets/7", "/toys/7"].map { Self.entry($0) }),
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "old", "new", "--used", "calls.har", in: folder)
      #expect(Self.remarks(result) == ["remark: 1 of 3 recorded calls breaks: GET /pets/{id} (1)"], "\(result.output)")
    }
  }

  // MARK: - Statuses

  @Test func `a further success is an error that names the generated enumeration, and a note where no call uses it`()
    throws
  {
    let added = Shop.contract.replacing(
      "        \"404\":", with: "        \"206\": {description: Part of a pet.}\n        \"404\":")
    let files = [
      "old.yaml": Shop.contract, "new.yaml": added, "calls.har": Self.har([Self.entry("/pets/1")]),
      "others.har": Self.har([Self.entry("/toys/1"), Self.entry("/pets/1", method: "PUT")]),
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", in: folder)
      #expect(
        steady(result.output) == """
          GET /pets/{id} 206
          new.yaml:18:16: error: the response `206` was added: `ReadPetStatus` has no case for it [diff.response.success-added]
            18 |         "206": {description: Part of a pet.}
               |                ^
            old.yaml:9:7: note: before
              9 |       responses:
                |       ^^^^^^^^^
            help: write the enumeration again by `understudy generate`, and handle the status in clients

          remark: the changes call for a new major version: `info.version` was 1, is 1
          checked: 2 in 2 cases, N ms
          not validated: 0
          found: 1 error, 0 warnings, 0 notes
          target: old.yaml
          verdict: failed: 1 error

          """)
      #expect(result.code == 1)
      let enumeration = try Command.run("generate", "swift", "old.yaml", in: folder)
      #expect(enumeration.output.contains("public enum ReadPetStatus: Int"))
      #expect(try Command.run("diff", "old.yaml", "new.yaml", "--used", "calls.har", in: folder).code == 1)
      let unused = try Command.run("diff", "old.yaml", "new.yaml", "--used", "others.har", in: folder)
      #expect(unused.output.contains("new.yaml:18:16: info: the response `206` was added"), "\(unused.output)")
      #expect(unused.code == 0)
    }
  }

  // MARK: - Fixtures

  private static let changed = Shop.contract.replacing("name: {type: string}", with: "name: {type: integer}")

  @Test func `fixtures and scenarios beside the contract are validated by both versions`() throws {
    let files = [
      "old.yaml": Shop.contract.replacing("\"404\"", with: "\"410\": {description: Gone.}\n        \"404\""),
      "new.yaml": Self.changed, "fixtures/new/readPet/200.json": #"{"name":"Tom"}"#,
      "fixtures/new/readPet/200.odd.json": #"{"name":1}"#, "fixtures/new/readPet/404.json": "",
      "fixtures/new/_scenarios/gone.yaml": "sequence: {readPet: [200, 410]}\n",
      "fixtures/new/_scenarios/twice.yaml": "sequence: {readPet: [200, 404]}\n",
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", in: folder)
      #expect(
        Self.remarks(result) == [
          #"remark: 1 of 2 fixtures no longer validates: fixtures/new/readPet/200.json:1:9 (expected integer, found string "Tom")"#,
          "remark: 1 of 2 scenarios no longer validates: fixtures/new/_scenarios/gone.yaml:1:27 (readPet has no answer `410`)",
        ], "\(result.output)\(result.error)")
      #expect(
        result.output.contains(
          """
            fixtures/new/readPet/200.json:1:9: note: this fixture no longer validates
              1 | {"name":"Tom"}
                |         ^^^^^
          """), "\(result.output)")
      let none = try Command.run("diff", "old.yaml", "new.yaml", "--fixtures", "none", in: folder)
      #expect(none.error.hasPrefix("error: the folder of `--fixtures none` does not exist: none\n"), "\(none.error)")
      #expect(none.code == 2)
    }
  }

  @Test func `fixtures of a removed operation no longer validate, and a config file names them`() throws {
    let files = [
      "api/old.yaml": Shop.contract, "api/new.yaml": Shop.contract.replacing("readPet", with: "readAnimal"),
      "understudy.yaml": "contracts: [{name: shop, file: api/new.yaml}]\nfixtures: api/answers\n",
      "api/answers/shop/readPet/200.json": #"{"name":"Tom"}"#,
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "api/old.yaml", "api/new.yaml", in: folder)
      #expect(
        Self.remarks(result) == [
          "remark: 1 of 1 fixture no longer validates: api/answers/shop/readPet/200.json (no operation is called `readPet`)"
        ], "\(result.output)\(result.error)")
    }
  }

  @Test func `fixtures that both versions accept are counted`() throws {
    let files = [
      "old.yaml": Shop.contract, "new.yaml": Self.stricter, "fixtures/new/readPet/200.json": #"{"name":"Tom"}"#,
    ]
    try withProject(files) { folder in
      let result = try Command.run("diff", "old.yaml", "new.yaml", in: folder)
      #expect(Self.remarks(result) == ["remark: 1 fixture still validates"], "\(result.output)\(result.error)")
    }
  }
}
