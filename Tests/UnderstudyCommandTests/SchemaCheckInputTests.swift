import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Invalid and ambiguous files of `understudy schema check`.
struct SchemaCheckInputTests {
  @Test(arguments: [
    ("a.json", ""), ("a.yaml", ""), ("a.yaml", "# nothing\n"), ("-", ""), ("-", " \n"), ("-", "# nothing\n"),
    ("a.txt", ""),
  ])
  func `an empty text holds no value`(name: String, text: String) throws {
    let result = try SchemaCheck.run("any.json", name, files: ["any.json": "{}", name: text], input: text)
    #expect(
      result.error == """
        \(name == "-" ? "<stdin>" : name): error: no value: the text is empty [config.unreadable]
          help: write `null` to validate null
        checked: 0, invalid: 0, not validated: 0

        """)
    #expect(result.code == 2)
  }

  @Test(arguments: [
    ("<html>502 Bad Gateway</html>\n", "read as the YAML string \"<html>502 Bad Gateway</html>\""),
    ("hello\n", "read as the YAML string \"hello\""),
    (#"{"a": tru}"#, "read as YAML, since it is not valid JSON: "),
    ("[1, 2,]", "read as YAML, since it is not valid JSON: "),
  ])
  func `a text that is YAML by chance is validated with a warning`(text: String, message: String) throws {
    let result = try SchemaCheck.run("any.json", "-", files: ["any.json": "{}"], input: text)
    #expect(result.output.contains(": warning: \(message)"), "\(result.output)")
    #expect(result.output.contains("[instance.bare-text]\n"))
    #expect(result.error == "checked: 1, invalid: 0, not validated: 0\n")
  }

  @Test(arguments: ["a: 1\n", "'hello'\n", "\"hello\"\n", "- 1\n", "12", "null", "{\"a\": 1}"])
  func `a text that is plainly JSON or YAML is validated without one`(text: String) throws {
    let result = try SchemaCheck.run("any.json", "-", files: ["any.json": "{}"], input: text)
    #expect(result.output == "")
    #expect(result.code == 0)
  }

  @Test(arguments: ["{\"a\": 1}\n{\"a\": 2}\n", "1\n2\n"])
  func `the message for JSON Lines names the option`(text: String) throws {
    let result = try SchemaCheck.run("any.json", "-", files: ["any.json": "{}"], input: text)
    #expect(result.output.contains("  help: with --jsonl each line is a value\n"), "\(result.output)")
  }

  @Test func `JSON Lines may be larger than the limit of a value`() throws {
    let line = "\"" + String(repeating: "x", count: 1 << 20) + "\"\n"
    try withTemporaryFolder { folder in
      try write(["any.json": "{}", "a.jsonl": String(repeating: line, count: 65) + "1"], in: folder)
      let result = try Command.run("schema", "check", "any.json", "a.jsonl", in: folder)
      #expect(result.error == "checked: 66, invalid: 0, not validated: 0\n")
      #expect(try Command.run("schema", "check", "any.json", "a.jsonl", "--quiet", in: folder).code == 0)
    }
  }

  @Test func `a value that is too deep is not validated`() throws {
    let deep = String(repeating: "[", count: 1_001) + String(repeating: "]", count: 1_001)
    let result = try SchemaCheck.run("any.json", "deep.json", files: ["any.json": "{}", "deep.json": deep])
    #expect(
      result.output.hasPrefix(
        "deep.json:1:1001: error: not validated: nested deeper than 1000 levels [instance.not-validated]\n"))
    #expect(result.output.hasSuffix("  help: this is a limit of understudy, not of JSON or YAML\n"))
    #expect(result.error == "checked: 0, invalid: 0, not validated: 1\n")
    #expect(result.code == 4)
    let schema = try SchemaCheck.run("deep.json", "a.json", files: ["deep.json": deep, "a.json": "1"])
    #expect(schema.error.hasSuffix("  help: this is a limit of understudy, not of JSON or YAML\n"))
    #expect(schema.code == 3)
  }

  @Test func `an unreadable value has an output document`() throws {
    let result = try SchemaCheck.run(
      "any.json", "none.json", "a.json", "--format", "basic", files: ["any.json": "{}", "a.json": "1"])
    let documents = try result.output.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)).root }
    #expect(documents.map { $0["valid"]?.bool } == [false, true])
    #expect(documents.first?["error"]?.string == "no such file or folder")
    #expect(result.code == 2)
  }

  // MARK: - References that lead to no schema

  @Test(arguments: [
    ("none.json", "leads nowhere: `none.json`: no such file or folder"),
    ("folder", "leads nowhere: `folder`: this is a folder; expected a file"),
    ("broken.json", "leads nowhere: `broken.json`: the file is neither JSON nor YAML (line 2, column 1)"),
    ("/dev/zero", "leads nowhere: `/dev/zero`: expected a regular file, found a pipe, socket or device"),
    ("pipe", "leads nowhere: `pipe`: expected a regular file, found a pipe, socket or device"),
    ("notes.txt", "does not lead to a schema: expected an object or a boolean, found string"),
    ("empty.yaml", "does not lead to a schema: expected an object or a boolean, found null"),
    ("https://ex.com/a.json", "leads nowhere: `https://ex.com/a.json`: it is on another machine"),
  ])
  func `a broken reference is reported without the content of its target`(reference: String, reason: String) throws {
    try withTemporaryFolder { folder in
      try write(
        [
          "s.json": #"{"$ref": "\#(reference)"}"#, "folder/a.json": "1", "broken.json": "secret: [\n", "empty.yaml": "",
          "notes.txt": "secret of mine",
        ], in: folder)
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      let result = try Command.run("schema", "check", "s.json", "-", in: folder, input: "1")
      #expect(
        result.output.hasPrefix("s.json:1:10: error: the reference `\(reference)` \(reason) [spec.schema.ref]\n"),
        "\(result.output)")
      #expect(!result.output.contains("secret"))
      #expect(result.error == "checked: 0, invalid: 0, not validated: 1\n")
      #expect(result.code == 4)
    }
  }

  @Test func `the schema may be a pipe`() throws {
    let result = try withTemporaryFolder { folder in
      try Command.run(
        "/bin/sh", ["-c", "echo '{\"type\": \"null\"}' | '\(Command.path)' schema check /dev/stdin v.yaml"],
        in: try {
          try write(["v.yaml": "null"], in: folder)
          return folder
        }())
    }
    #expect(result.error == "checked: 1, invalid: 0, not validated: 0\n")
  }
}
