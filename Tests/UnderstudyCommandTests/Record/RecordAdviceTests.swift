import Foundation
import Testing
import UnderstudyTestSupport

/// The messages of `record`, `status` and `prune` about mistakes, and that what they propose works.
@Suite(.waitsForProcesses)
struct RecordAdviceTests {
  private static let project = [
    "shop.yaml": """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: https://shop.example}]
    paths:
      /cats:
        get: {operationId: listCats, responses: {"200": {description: Cats., content: {application/json: {}}}}}

    """,
    "empty.har": #"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": []}}"#,
    "a.ndjson": line("[]"), "b.ndjson": line("{}"), "c.ndjson": line("[]", "other.example/dogs"),
  ]

  private static func line(_ body: String, _ url: String = "shop.example/cats") -> String {
    """
    {"request": {"method": "GET", "url": "https://\(url)"}, "response": {"status": 200, \
    "headers": [{"name": "Content-Type", "value": "application/json"}], \
    "content": {"mimeType": "application/json", "text": "\(body)"}}}

    """
  }

  @Test(arguments: [
    (["--from", "a.ndjson", "--allow-secret", "foo"], "`--allow-secret foo` names no rule of redaction\n"),
    (
      ["--from", "a.ndjson", "--allow-secret", "redact.jwd"],
      "`--allow-secret redact.jwd` names no rule of redaction\n  help: did you mean `redact.jwt`?\n"
    ),
    (["--from", "a.ndjson", "--fixtures", ""], "the folder of fixtures has no name\n"),
    (
      ["--from", "a.ndjson", "--redact", "foo"],
      "--redact `foo` is neither a place of a message nor a rule of redaction\n"
    ),
  ])
  func `an option that means nothing is refused`(_ arguments: [String], _ message: String) throws {
    try withProject(Self.project) { folder in
      let result = try Command.run(Command.path, ["record", "shop.yaml"] + arguments, in: folder)
      #expect(result.code == 2)
      #expect(result.error.hasPrefix("error: " + message), "\(result.error)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/fixtures"))
    }
  }

  private static let upstream = ["shop.yaml", "--upstream", "http://127.0.0.1:1"]
  private static let file = ["shop.yaml", "--from", "a.ndjson"]
  private static let draft = ["--from", "a.ndjson", "--draft", "new.yaml"]

  @Test(arguments: [
    (["--check", "a.ndjson"], ["--keep", "all"], "--check"), (["--check", "a.ndjson"], ["--mode", "diff"], "--check"),
    (["--check", "a.ndjson"], ["--draft", "new.yaml"], "--check"),
    (["--check", "a.ndjson"], ["--port", "1"], "--check"),
    (["--check", "a.ndjson"], ["--from", "b.ndjson"], "--check"), (["--check", "a.ndjson"], ["--no-when"], "--check"),
    (["--check", "a.ndjson"], ["--fixtures", "other"], "--check"), (draft, ["--keep", "first"], "--draft"),
    (draft, ["--session", "evening"], "--draft"), (draft, ["--no-when"], "--draft"),
    (draft, ["--templates"], "--draft"), (draft, ["--reject-invalid"], "--draft"),
    (draft, ["--write-overlay", "gaps.yaml"], "--draft"), (draft, ["--base", "https://shop.example"], "--draft"),
    (draft, ["--strict-host"], "--draft"), (draft, ["--fixtures", "other"], "--draft"),
    (file, ["--port", "4020"], "--from"), (file, ["--host", "127.0.0.1"], "--from"), (file, ["--verbose"], "--from"),
    (file, ["--upstream-timeout", "3s"], "--from"), (file, ["--upstream-http", "2"], "--from"),
    (file, ["--ready-file", "ready"], "--from"),
    (upstream, ["--base", "https://shop.example"], "--upstream"), (upstream, ["--strict-host"], "--upstream"),
    (file + ["--mode", "diff"], ["--keep", "all"], "--mode diff"),
    (file + ["--mode", "diff"], ["--templates"], "--mode diff"),
    (file + ["--mode", "diff"], ["--allow-secret", "redact.jwt"], "--mode diff"),
    (upstream + ["--mode", "none"], ["--session", "evening"], "--mode none"),
    (upstream + ["--mode", "none"], ["--twice", "safe"], "--mode none"),
    (upstream + ["--mode", "none"], ["--write-overlay", "gaps.yaml"], "--mode none"),
  ])
  func `an option without effect is refused, with the option that it has none beside`(
    _ arguments: [String], _ option: [String], _ other: String
  ) throws {
    try withProject(Self.project) { folder in
      let result = try Command.run(Command.path, ["record"] + arguments + option, in: folder)
      #expect(result.code == 2)
      #expect(
        result.error.hasPrefix("error: `\(option[0])` has no effect beside `\(other)`, which "), "\(result.error)")
      #expect(result.error.contains("\n  help: leave out \(option[0]), or "), "\(result.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == Self.project.count)
    }
  }

  @Test func `a draft obeys the places and rules of redaction`() throws {
    let answer = #"{\"note\": \"AKIAIOSFODNN7EXAMPLQ\", \"mail\": \"ann@shop.example\"}"#
    try withProject(["a.ndjson": Self.line(answer)]) { folder in
      let result = try Command.run(
        "record", "--from", "a.ndjson", "--draft", "new.yaml", "--redact", "/body/mail", "--no-redact", "redact.prefix",
        in: folder)
      #expect(result.code == 0, "\(result.error)")
      let draft = try String(contentsOfFile: folder + "/new.yaml", encoding: .utf8)
      #expect(draft.contains("AKIAIOSFODNN7EXAMPLQ") && !draft.contains("ann@shop.example"), "\(draft)")
    }
  }

  @Test(arguments: [
    ("empty.har", "recorded 0 exchanges", "next: record a session: the file has no exchange\n"),
    (
      "c.ndjson", "recorded 0 of 1 exchange",
      "next: `servers` of the contract must have the address of the exchanges, and its paths theirs\n"
    ),
  ])
  func `a recording without an exchange of the contract has checked nothing`(
    _ file: String, _ start: String, _ advice: String
  ) throws {
    try withProject(Self.project) { folder in
      let result = try Command.run("record", "shop.yaml", "--from", file, in: folder)
      #expect(result.code == 4)
      #expect(result.error.hasPrefix("\(start) of 0 operations: 0 fixtures, 0 seen\n"), "\(result.error)")
      #expect(
        result.error.hasSuffix(advice + "error: no exchange was recorded, so no fixture was written\n"),
        "\(result.error)")
    }
  }

  /// The command that the last line proposes.
  private func proposed(_ result: Command.Result) -> [String] {
    let line = result.error.split(separator: "\n").last { $0.hasPrefix("next: understudy ") } ?? ""
    return line.dropFirst("next: understudy ".count).split(separator: " ").map(String.init)
  }

  @Test func `what a comparison proposes writes the fixtures again`() throws {
    try withProject(Self.project) { folder in
      let place = ["shop.yaml", "--fixtures", "other"]
      #expect(try Command.run(Command.path, ["record"] + place + ["--from", "a.ndjson"], in: folder).code == 0)
      let differs = try Command.run(
        Command.path, ["record"] + place + ["--from", "b.ndjson", "--mode", "diff"], in: folder)
      #expect(differs.code == 1)
      let words = proposed(differs)
      #expect(words.prefix(8) == ["record", "shop.yaml", "--fixtures", "other", "--from", "b.ndjson", "--mode", "all"])
      #expect(try Command.run(Command.path, Array(words.prefix(8)), in: folder).code == 0)
      #expect(try String(contentsOfFile: folder + "/other/shop/listCats/200.json", encoding: .utf8) == "{}\n")
    }
  }

  @Test func `what prune proposes removes the orphans`() throws {
    let orphan = "fixtures/shop/gone/200.json"
    try withProject(Self.project.merging([orphan: "{}"]) { $1 }) { folder in
      let listed = try Command.run("prune", "shop.yaml", in: folder)
      #expect(listed.error == "next: understudy prune shop.yaml --yes removes them\n")
      #expect(try Command.run(Command.path, Array(proposed(listed).prefix(3)), in: folder).code == 0)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(orphan)"))
    }
  }

  @Test func `prune removes nothing behind a link that leads out of the fixtures`() throws {
    try withProject(["precious/404.json": "{}"]) { other in
      try withProject(Self.project.merging(["fixtures/shop/gone/200.json": "{}"]) { $1 }) { folder in
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/fixtures/shop/old", withDestinationPath: "\(other)/precious")
        let result = try Command.run("prune", "shop.yaml", "--yes", in: folder)
        #expect(result.error.contains("fixtures/shop/old: a link leads out of fixtures/shop"), "\(result.error)")
        #expect(result.code == 2)
        #expect(FileManager.default.fileExists(atPath: "\(other)/precious/404.json"))
      }
    }
  }

  @Test func `a pruned fixture is in no index`() throws {
    try withProject(Self.project) { folder in
      #expect(try Command.run("record", "shop.yaml", "--from", "a.ndjson", in: folder).code == 0)
      let index = folder + "/fixtures/shop/_recorded.yaml"
      #expect(try String(contentsOfFile: index, encoding: .utf8).contains("listCats/200.json"))
      let renamed = Self.project["shop.yaml"]?.replacing("listCats", with: "listTomcats") ?? ""
      try renamed.write(toFile: folder + "/shop.yaml", atomically: true, encoding: .utf8)
      #expect(try Command.run("prune", "shop.yaml", "--yes", in: folder).code == 0)
      #expect(try !String(contentsOfFile: index, encoding: .utf8).contains("listCats"))
    }
  }

  @Test func `check scans files and folders, and obeys the rules that are off`() throws {
    let key = "AKIAIOSFODNN7EXAMPLQ"
    let files = ["a.json": #"{"note": "\#(key)"}"#, "b/c.json": #"{"note": "\#(key)"}"#, "empty/.keep": ""]
    try withProject(files) { folder in
      let found = try Command.run("record", "--check", "a.json", "b", in: folder)
      #expect(found.code == 1)
      #expect(found.output.split(separator: "\n").count == 2)
      #expect(found.output.contains("a.json:1: ") && found.output.contains("b/c.json:1: "), "\(found.output)")
      let rule = found.output.split(separator: "[").last?.dropLast(2) ?? ""
      let off = try Command.run("record", "--check", "a.json", "b", "--no-redact", String(rule), in: folder)
      #expect(off.code == 0, "\(off.output)\(off.error)")
      let nothing = try Command.run("record", "--check", "empty", in: folder)
      #expect(nothing.code == 4)
    }
  }

  @Test func `a draft replaces a contract, and no other file`() throws {
    try withProject(Self.project) { folder in
      let refused = try Command.run(
        "record", "--from", "a.ndjson", "--draft", "a.ndjson", "--mode", "all", in: folder)
      #expect(refused.code == 2)
      #expect(refused.error.hasPrefix("error: a.ndjson exists and is not a contract, which would replace it\n"))
      #expect(try String(contentsOfFile: folder + "/a.ndjson", encoding: .utf8) == Self.line("[]"))
    }
  }
}
