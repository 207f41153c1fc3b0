import Foundation
import Testing
import UnderstudyTestSupport

/// Where `record` writes to, and where it refuses to.
struct RecordingFolderTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: https://shop.example}]
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses:
            "200": {description: A pet., content: {application/json: {}}}
            default: {description: An error., content: {application/json: {}}}
      /cats:
        get: {operationId: listCats, responses: {"200": {description: Cats., content: {application/json: {}}}}}

    """

  private static func line(_ path: String, _ status: Int = 200, _ body: String = "{}") -> String {
    """
    {"request": {"method": "GET", "url": "https://shop.example\(path)"}, "response": {"status": \(status), \
    "headers": [{"name": "Content-Type", "value": "application/json"}], \
    "content": {"mimeType": "application/json", "text": \(String(reflecting: body))}}}

    """
  }

  /// Records `a.ndjson` in a project.
  private func record(
    _ lines: String, _ files: [String: String] = [:], _ prepare: (String) throws -> Void = { _ in }
  ) throws -> Command.Result {
    try withProject(["shop.yaml": Self.contract, "a.ndjson": lines].merging(files) { $1 }) { folder in
      try prepare(folder)
      return try Command.run("record", "shop.yaml", "--from", "a.ndjson", in: folder)
    }
  }

  @Test(arguments: ["fixtures/shop", "fixtures/shop/readPet"])
  func `a file in the place of a folder is an error before anything is recorded`(_ path: String) throws {
    let result = try record(Self.line("/pets/1"), [path: "by hand"])
    #expect(result.code == 2)
    #expect(result.error == "error: \(path): it is a file, and not a folder\n", "\(result.error)")
  }

  @Test(arguments: ["shop", "shop/readPet"])
  func `a link out of the folder is not followed`(_ path: String) throws {
    try withProject(["other/keep.txt": ""]) { other in
      let result = try record(Self.line("/pets/1"), ["fixtures/keep/keep.txt": ""]) { folder in
        let link = URL(filePath: "\(folder)/fixtures/\(path)")
        try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: other + "/other"))
      }
      #expect(result.code == 2)
      #expect(
        result.error == "error: fixtures/\(path): a link leads out of fixtures\n  help: replace the link by a folder\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: other + "/other") == ["keep.txt"])
    }
  }

  @Test func `a second recording into the folder is refused while the first runs`() throws {
    let server = try RawServer { _, _ in "unused" }
    defer { server.stop() }
    try withProject(["shop.yaml": Self.contract, "a.ndjson": Self.line("/pets/1")]) { folder in
      let first = try ServedMock(
        ["shop.yaml", "--upstream", "http://127.0.0.1:\(server.port)"], command: "record", in: folder)
      let second = try Command.run("record", "shop.yaml", "--from", "a.ndjson", in: folder)
      #expect(second.code == 2)
      #expect(second.error.hasPrefix("error: another recording writes to fixtures\n"), "\(second.error)")
      first.stop()
      // The first wrote nothing, and leaves no folder.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.ndjson", "shop.yaml"])
      #expect(try Command.run("record", "shop.yaml", "--from", "a.ndjson", in: folder).code == 0)
    }
  }

  @Test(arguments: [
    ("fixtures: [", "line 1: "), ("fixtures: 5\n", "it is not what `understudy record` wrote"),
  ])
  func `a damaged index is an error, and fixtures do not become those of a person`(
    _ text: String, _ message: String
  ) throws {
    try withProject([
      "shop.yaml": Self.contract, "a.ndjson": Self.line("/pets/1"), "fixtures/shop/_recorded.yaml": text,
    ]) { folder in
      for arguments in [
        ["record", "shop.yaml", "--from", "a.ndjson"], ["status", "shop.yaml"], ["prune", "shop.yaml"],
      ] {
        let result = try Command.run(Command.path, arguments, in: folder)
        #expect(result.code == 2)
        let start = "error: fixtures/shop/_recorded.yaml: the origin of recorded fixtures cannot be read: \(message)"
        #expect(result.error.hasPrefix(start), "\(result.error)")
      }
    }
  }

  @Test func `recording a file again changes nothing, though an error has a fixture for its request`() throws {
    let lines =
      Self.line("/pets/1", 200, #"{"name": "a"}"#) + Self.line("/pets/9", 404, #"{"code": 4}"#)
      + Self.line("/pets/1", 404, #"{"code": 4}"#)
    try withProject(["shop.yaml": Self.contract, "a.ndjson": lines]) { folder in
      let first = try Command.run("record", "shop.yaml", "--from", "a.ndjson", in: folder)
      #expect(first.output.contains("wrote fixtures/shop/readPet/404.json\n"), "\(first.output)")
      #expect(first.output.contains("wrote fixtures/shop/_scenarios/recorded.yaml\n"), "\(first.output)")
      let second = try Command.run("record", "shop.yaml", "--from", "a.ndjson", in: folder)
      #expect(second.output == "")
      #expect(
        second.error.hasPrefix("recorded 3 exchanges of 1 operation: 0 fixtures, 3 seen\nnext: "), "\(second.error)")
    }
  }

  @Test func `a later recording keeps the sequences of operations that it lacks`() throws {
    func change(_ path: String) -> String { Self.line(path, 200, "[1]") + Self.line(path, 200, "[]") }
    let files = ["shop.yaml": Self.contract, "a.ndjson": change("/pets/1"), "b.ndjson": change("/cats")]
    try withProject(files) { folder in
      for file in ["a.ndjson", "b.ndjson", "a.ndjson"] {
        #expect(try Command.run("record", "shop.yaml", "--from", file, in: folder).code == 0)
      }
      let scenario = try String(contentsOfFile: folder + "/fixtures/shop/_scenarios/recorded.yaml", encoding: .utf8)
      #expect(
        scenario == """
          summary: The answers of a recording, in its order.
          sequence:
            readPet: [200, 200.empty]
            listCats: [200, 200.empty]

          """)
    }
  }

  @Test func `an answer that no fixture can have is named`() throws {
    let result = try record(Self.line("/cats", 999) + Self.line("/cats", 304) + Self.line("/cats"))
    #expect(result.code == 0)
    #expect(
      result.error.contains(
        """
        not recorded:
          1 exchange: 304 says that the client has the response already (GET /cats, exchange 2)
          1 exchange: its status 999 is none of HTTP (RFC 9110, 15) (GET /cats, exchange 1)

        """), "\(result.error)")
  }

  @Test func `recording everything again changes only what the server changed`() throws {
    func session(_ id: String, _ name: String) -> String {
      Self.line("/cats", 200, #"[{"id": "\#(id)", "at": "2026-11-2\#(id.prefix(1))T10:00:00Z"}]"#)
        + Self.line("/pets/1", 200, #"{"cat": "\#(id)", "name": "\#(name)"}"#)
    }
    let ids = ["1b4e28ba-2fa1-11d2-883f-0016d3cca427", "2c5f39cb-30b2-42e3-994a-1127e4ddb538"]
    let files = [
      "shop.yaml": Self.contract, "a.ndjson": session(ids[0], "Tom"), "b.ndjson": session(ids[1], "Tim"),
    ]
    try withProject(files) { folder in
      for file in ["a.ndjson", "b.ndjson"] {
        let result = try Command.run("record", "shop.yaml", "--from", file, "--mode", "all", in: folder)
        #expect(result.code == 0, "\(result.error)")
      }
      let cats = try String(contentsOfFile: folder + "/fixtures/shop/listCats/200.json", encoding: .utf8)
      let pet = try String(contentsOfFile: folder + "/fixtures/shop/readPet/200.json", encoding: .utf8)
      #expect(cats.contains(ids[0]) && !cats.contains(ids[1]), "\(cats)")
      #expect(pet == "{\n  \"cat\": \"\(ids[0])\",\n  \"name\": \"Tim\"\n}\n")
    }
  }

  @Test func `what a person edited and what a scenario names keeps its files`() throws {
    let first =
      Self.line("/pets/1", 200, #"{"name": "a"}"#) + Self.line("/pets/1", 200, #"{"name": null}"#)
      + Self.line("/pets/2", 200, #"{"name": "a", "extra": 1}"#)
    let files = [
      "shop.yaml": Self.contract, "a.ndjson": first, "b.ndjson": Self.line("/pets/1", 200, #"{"name": "b"}"#),
    ]
    try withProject(files) { folder in
      func run(_ arguments: String...) throws {
        let result = try Command.run(Command.path, arguments, in: folder)
        #expect(result.code == 0, "\(arguments): \(result.output)\(result.error)")
      }
      try run("record", "shop.yaml", "--from", "a.ndjson", "--session", "evening")
      let edited = folder + "/fixtures/shop/readPet/200.withExtra.yaml"
      let text = try String(contentsOfFile: edited, encoding: .utf8)
      try (text + "delay: 1s\n").write(toFile: edited, atomically: true, encoding: .utf8)
      try run("record", "shop.yaml", "--from", "b.ndjson", "--mode", "all")
      // The scenario names the answer with null, and the edited description its body.
      try run("verify", "shop.yaml")
      #expect(FileManager.default.fileExists(atPath: folder + "/fixtures/shop/readPet/bodies/200.withExtra.json"))
    }
  }

  @Test func `a recording that needs no scenario removes that of an earlier one`() throws {
    let changing = Self.line("/cats", 200, "[1]") + Self.line("/cats", 200, "[]")
    try withProject(["shop.yaml": Self.contract, "a.ndjson": changing, "b.ndjson": Self.line("/cats", 200, "[1]")]) {
      folder in
      for file in ["a.ndjson", "b.ndjson"] {
        let result = try Command.run("record", "shop.yaml", "--from", file, "--mode", "all", in: folder)
        #expect(result.code == 0, "\(result.error)")
      }
      #expect(try Command.run("verify", "shop.yaml", in: folder).code == 0)
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures/shop/_scenarios/recorded.yaml"))
    }
  }

  @Test func `prune keeps the bodies beside a description that cannot be read`() throws {
    let files = [
      "shop.yaml": Self.contract, "fixtures/shop/readPet/200.mine.yaml": "bodyFile: bodies/mine.json\ndelay: [1s",
      "fixtures/shop/readPet/bodies/mine.json": "{}",
    ]
    try withProject(files) { folder in
      _ = try Command.run("prune", "shop.yaml", "--yes", in: folder)
      #expect(FileManager.default.fileExists(atPath: folder + "/fixtures/shop/readPet/bodies/mine.json"))
    }
  }
}
