import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// `record --from` with the dialects of HAR that browsers and proxies write.
struct RecordFileTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: https://shop.example/v1}]
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses:
            "200":
              description: A pet.
              content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}
            "404": {description: No such pet.}
      /photo:
        get:
          operationId: readPhoto
          responses: {"200": {description: A photo., content: {image/png: {}}}}

    """

  /// A HAR of some program with these entries.
  private static func har(_ creator: String, _ entries: String...) -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "\(creator)", "version": "1"}, "pages": [], "entries": [
    \(entries.joined(separator: ",\n"))
    ]}}
    """
  }

  private static func entry(
    _ url: String, status: Int = 200, fields: String, content: String, own: String = ""
  ) -> String {
    """
    {"startedDateTime": "2026-11-21T10:41:00.123+01:00", "time": 12.5, \(own)
     "request": {"method": "GET", "url": "\(url)", "httpVersion": "h2", "headers": [{"name": ":authority", "value": "shop.example"},
       {"name": "accept", "value": "*/*"}], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
     "response": {"status": \(status), "statusText": "", "httpVersion": "h2", "headers": [\(fields)], "cookies": [],
       "content": \(content), "redirectURL": "", "headersSize": -1, "bodySize": -1}, "cache": {}, "timings": {}}
    """
  }

  private static let pet = "https://shop.example/v1/pets/7"
  private static let json = #"{"name": "content-type", "value": "application/json"}"#
  private static let plain = #"{"size": 14, "mimeType": "application/json", "text": "{\"name\":\"Tom\"}"}"#
  private static let base64 =
    #"{"size": 14, "mimeType": "application/json", "encoding": "base64", "text": "eyJuYW1lIjoiVG9tIn0="}"#

  static let dialects: [(name: String, har: String)] = [
    (
      "Chrome",
      har(
        "WebInspector",
        entry(pet, fields: json, content: plain, own: #""_initiator": {"type": "script"}, "_resourceType": "fetch","#),
        entry(
          pet, status: 0, fields: "", content: #"{"size": 0, "mimeType": "x-unknown"}"#,
          own: #""_error": "net::ERR_ABORTED","#),
        entry(
          "https://shop.example/v1/pets/live", status: 101, fields: "",
          content: #"{"size": 0, "mimeType": "x-unknown"}"#,
          own: #""_webSocketMessages": [{"type": "send", "data": "hi"}],"#))
    ),
    (
      "Firefox",
      har("Firefox", entry(pet, fields: #"\#(json), {"name": "X-Firefox-Spdy", "value": "h2"}"#, content: plain))
    ),
    ("Safari", har("WebKit Web Inspector", entry(pet, fields: json, content: base64))),
    (
      "Proxyman",
      har(
        "Proxyman",
        entry(
          pet, fields: #"{"name": "Content-Type", "value": "application/json"}"#, content: base64,
          own: #""comment": "","#))
    ),
    (
      "Charles",
      har(
        "Charles Proxy",
        entry(
          pet,
          fields:
            #"{"name": "Content-Type", "value": "application/json"}, {"name": "Content-Encoding", "value": "gzip"}"#,
          content:
            #"{"size": 14, "compression": -20, "mimeType": "application/json", "encoding": "base64", "text": "eyJuYW1lIjoi\nVG9tIn0="}"#
        ))
    ),
    ("mitmproxy", har("mitmproxy", entry(pet, fields: json, content: plain, own: #""serverIPAddress": "127.0.0.1","#))),
    (
      "Playwright",
      har("Playwright", entry(pet, fields: json, content: plain, own: #""pageref": "page@1", "_monotonicTime": 1,"#))
    ),
  ]

  private func record(
    _ file: String, _ text: String, _ arguments: String...
  ) throws -> (result: Command.Result, files: [String: String]) {
    try withProject(["api.yaml": Self.contract, file: text]) { folder in
      let result = try Command.run(
        Command.path, ["record", "api.yaml", "--from", file] + arguments, in: folder)
      let root = folder + "/fixtures/api"
      var files: [String: String] = [:]
      for path in (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? [] where !path.hasPrefix("_") {
        let bytes = try? Data(contentsOf: URL(filePath: "\(root)/\(path)"))
        files[path] = bytes.map { String(decoding: $0, as: UTF8.self) }
      }
      return (result, files)
    }
  }

  @Test(arguments: dialects.map(\.name)) func `every dialect leads to the same fixture`(_ name: String) throws {
    let text = try #require(Self.dialects.first { $0.name == name }).har
    let (result, files) = try record("a.har", text)
    #expect(result.code == 0, "\(result.error)")
    #expect(files == ["readPet/200.json": "{\n  \"name\": \"Tom\"\n}\n"], "\(result.output)\(result.error)")
  }

  @Test func `aborted requests and sockets are named`() throws {
    let (result, _) = try record("a.har", Self.dialects[0].har)
    #expect(
      result.error == """
        recorded 1 of 3 exchanges of 1 operation: 1 fixture, 0 seen
        not recorded:
          1 exchange: a socket that the contract does not declare in `x-understudy-events` (GET /v1/pets/live, exchange 3)
          1 exchange: it has no response (status 0) (GET /v1/pets/{}, exchange 2)
        next: understudy serve api.yaml; understudy verify api.yaml

        """)
  }

  @Test func `the summary names responses that a replay does not reproduce`() throws {
    let entries = (0..<12).map { number in
      Self.entry(Self.pet, fields: Self.json, content: Self.plain.replacing("Tom", with: "T\(number)"))
    }
    let (result, files) = try record("a.har", Self.har("Playwright", entries.joined(separator: ",\n")))
    #expect(
      result.error == """
        recorded 12 exchanges of 1 operation: 1 fixture, 11 seen
        responses that a replay does not reproduce:
          readPet 200: expected another body; --keep all keeps every body (11 times)
        next: understudy serve api.yaml; understudy verify api.yaml

        """)
    #expect(files.keys.sorted() == ["readPet/200.json"])
  }

  @Test func `a body that the recording does not hold is named, and a picture is a file`() throws {
    let photo = "https://shop.example/v1/photo"
    let png = #"{"name": "content-type", "value": "image/png"}"#
    let (result, files) = try record(
      "a.har",
      Self.har(
        "Playwright",
        Self.entry(
          Self.pet, fields: Self.json, content: #"{"size": 14, "mimeType": "application/json", "_file": "a.json"}"#),
        Self.entry(
          photo, fields: png,
          content: #"{"size": 4, "mimeType": "image/png", "encoding": "base64", "text": "iVBORw=="}"#)))
    #expect(
      result.error.contains("  1 exchange: the answer's body was not recorded (GET /v1/pets/{}, exchange 1)\n"),
      "\(result.error)")
    #expect(files.keys.sorted() == ["readPhoto/200.png"])
  }

  @Test func `lines of entries are a recording as well`() throws {
    let line = Self.entry(Self.pet, fields: Self.json, content: Self.plain).replacing("\n", with: " ")
    let (result, files) = try record("a.ndjson", line + "\n\nno json\n" + line + "\n")
    #expect(files.keys.sorted() == ["readPet/200.json"])
    #expect(
      result.error.hasPrefix("warning: a.ndjson: line 3 is left out: it is not an entry of a HAR\n"), "\(result.error)")
  }

  @Test func `requests to other servers are counted by origin`() throws {
    let (result, files) = try record(
      "a.har", Self.har("Firefox", Self.entry("https://count.example/hit", fields: "", content: #"{"size": 0}"#)))
    #expect(files.isEmpty)
    #expect(result.error.contains("of other servers:\n  1 exchange with https://count.example\n"), "\(result.error)")
  }

  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
  func `the recordings of the corpora are imported`() throws {
    for name in ["chrome", "firefox", "safari", "charles", "insomnia", "with-bom", "postdata", "head-content-length"] {
      let file = Corpora.path("mitmproxy+mitmproxy/test/mitmproxy/data/har_files/\(name).har")
      try withTemporaryFolder { folder in
        let result = try Command.run("record", "--from", file, "--draft", "draft.yaml", in: folder)
        #expect([0, 4].contains(result.code), "\(file): \(result.error)")
      }
    }
  }

  // MARK: - Bad input

  @Test(arguments: [
    (["record", "api.yaml"], 2, "error: nothing to record is named"),
    (["record", "api.yaml", "--from", "none.har"], 3, "error: none.har: no such file or folder"),
    (["record", "api.yaml", "--from", "api.yaml"], 3, "error: api.yaml: this is not a recording"),
    (["record", "none.yaml", "--from", "a.har"], 3, "none.yaml"),
    (
      ["record", "api.yaml", "--from", "a.har", "--fixtures", "api.yaml"], 2,
      "error: the folder of fixtures is a file: api.yaml"
    ),
    (
      ["record", "api.yaml", "--from", "a.har", "--fixtures", "api.yaml/fixtures"], 2,
      "error: no fixtures can be written to api.yaml/fixtures: a part of this path is a file"
    ),
    (["record", "api.yaml", "--from", "a.har", "--mode", "some"], 2, "missing"),
    (["record", "api.yaml", "--from", "a.har", "--session", "../x"], 2, "error: `--session ../x` cannot name a file"),
    (["record", "api.yaml", "--upstream", "localhost:80"], 2, "error: `--upstream localhost:80` is not a base URL"),
    (
      ["record", "api.yaml", "--upstream", "http://ann:hunter22@localhost"], 2,
      "error: `--upstream http://[redacted]@localhost` is not a base URL"
    ),
    (["record", "api.yaml", "--from", "a.har", "--draft", "b.yaml"], 2, "--draft writes a contract and reads none"),
  ])
  func `bad input has a clear message and writes nothing`(
    _ arguments: [String], _ code: Int32, _ message: String
  ) throws {
    try withProject(["api.yaml": Self.contract, "a.har": Self.dialects[0].har]) { folder in
      let result = try Command.run(Command.path, arguments, in: folder)
      #expect(result.code == code, "\(result.error)")
      #expect(result.error.contains(message), "\(result.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.har", "api.yaml"])
    }
  }

  @Test func `in CI nothing is written without consent`() throws {
    try withProject(["api.yaml": Self.contract, "a.har": Self.dialects[0].har]) { folder in
      let refused = try Command.run("record", "api.yaml", "--from", "a.har", in: folder, environment: ["CI": "true"])
      #expect(refused.code == 2)
      #expect(refused.error.hasPrefix("error: `CI` is set, and fixtures are not written there\n"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures"))
      let allowed = try Command.run(
        "record", "api.yaml", "--from", "a.har", "--record-in-ci", in: folder, environment: ["CI": "true"])
      #expect(allowed.code == 0)
    }
  }

  @Test func `hostile operation ids and names stay in the folder of fixtures`() throws {
    let ids = ["../../etc", "a/b", String(repeating: "x", count: 300), "🐈", "readpet", "ReadPet", "..", "_hidden"]
    let paths = ids.enumerated().map { index, id in
      "  /p\(index): {get: {operationId: \"\(id)\", responses: {\"200\": {description: ok, content: {application/json: {}}}}}}\n"
    }
    let contract =
      "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\nservers: [{url: https://shop.example}]\npaths:\n\(paths.joined())"
    let entries = ids.indices.flatMap { index in
      [#"{\"../x\": 1}"#, #"{\"é/../..\": null}"#].map { body in
        Self.entry(
          "https://shop.example/p\(index)", fields: Self.json,
          content: #"{"size": \#(body.count), "mimeType": "application/json", "text": "\#(body)"}"#)
      }
    }
    let har = """
      {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [\(entries.joined(separator: ","))]}}
      """
    try withProject(["in/api.yaml": contract, "in/a.har": har]) { folder in
      let result = try Command.run("record", "api.yaml", "--from", "a.har", in: folder + "/in")
      #expect(result.code == 0, "\(result.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["in"])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder + "/in").sorted() == [
          "a.har", "api.yaml", "fixtures",
        ])
      let folders = try FileManager.default.contentsOfDirectory(atPath: folder + "/in/fixtures/api").filter {
        !$0.hasPrefix("_")
      }
      #expect(folders.count == ids.count, "\(folders)")
      #expect(Set(folders.map { $0.lowercased() }).count == ids.count)
    }
  }

  // MARK: - Status and prune

  @Test func `status shows age and source, and prune removes orphans`() throws {
    try withProject(["api.yaml": Self.contract, "a.har": Self.dialects[1].har, "fixtures/api/readPhoto/200.png": "x"]) {
      folder in
      _ = try Command.run("record", "api.yaml", "--from", "a.har", in: folder)
      try write(["fixtures/api/oldName/200.json": "{}"], in: folder)
      let status = try Command.run("status", "api.yaml", in: folder)
      #expect(
        status.output.replacing(/\d+ days?/, with: "N days") == """
          api: 2 fixtures, 2 of 3 cells have one, 1 orphan
            readPet 200    2026-11-21  N days  a.har
            readPhoto 200  by hand
            orphan fixtures/api/oldName/200.json: no operation is called `oldName`

          """, "\(status.error)")
      let listed = try Command.run("prune", "api.yaml", in: folder)
      #expect(listed.output == "orphan fixtures/api/oldName/200.json: no operation is called `oldName`\n")
      #expect(FileManager.default.fileExists(atPath: folder + "/fixtures/api/oldName/200.json"))
      _ = try Command.run("prune", "api.yaml", "--yes", in: folder)
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures/api/oldName/200.json"))
      #expect(try Command.run("prune", "api.yaml", in: folder).error == "no orphans\n")
    }
  }

  @Test func `check finds secrets in committed fixtures`() throws {
    try withProject(["f/a.json": #"{"token": "sk_live_4eC39HqLyjWDarjtT1zdp7dc"}"#, "f/b.json": #"{"name": "Tom"}"#]) {
      folder in
      let result = try Command.run("record", "--check", "f", in: folder)
      #expect(result.code == 1)
      #expect(result.output.hasPrefix("f/a.json:1: "), "\(result.output)")
      #expect(!result.output.contains("4eC39HqLyjWDarjtT1zdp7dc"))
      #expect(result.error == "scanned 2 files: 1 possible secret\n")
    }
  }
}
