import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// `UnderstudyEvidence bowtie` as the harness of the meta-suite talks to it.
struct BowtieTests {
  private static func run(_ flags: [String] = [], input: String) throws -> Command.Result {
    try Command.run(Command.evidence, ["bowtie"] + flags, input: input)
  }

  @Test func `a session runs from start to stop`() throws {
    let result = try Self.run(
      input: """
        {"cmd": "start", "version": 1}
        {"cmd": "dialect", "dialect": "http://json-schema.org/draft-07/schema#"}
        {"cmd": "run", "seq": 7, "case": {"description": "a remote", "schema": {"$ref": "urn:x"}, \
        "registry": {"urn:x": {"minimum": 3}}, "tests": [{"description": "", "instance": 3}, {"description": "", "instance": 2}]}}
        {"cmd": "stop"}
        {"cmd": "start", "version": 1}

        """)
    #expect(
      result.output == """
        {"version":1,"implementation":{"language":"swift","name":"understudy","homepage":"urn:understudy",\
        "issues":"urn:understudy:issues","source":"urn:understudy:source","dialects":[\
        "https://json-schema.org/draft/2020-12/schema","https://json-schema.org/draft/2019-09/schema",\
        "http://json-schema.org/draft-07/schema#","http://json-schema.org/draft-06/schema#",\
        "http://json-schema.org/draft-04/schema#"]}}
        {"ok":true}
        {"seq":7,"results":[{"valid":true},{"valid":false}]}

        """)
    #expect(result.error == "")
    #expect(result.code == 0)
  }

  @Test(arguments: [
    ("", #"{"errored":true,"context":{"message":"the line is not valid JSON: "#),
    ("{", #"{"errored":true,"context":{"message":"the line is not valid JSON: "#),
    ("[]", #"{"errored":true,"context":{"message":"expected a `cmd` of start, dialect, run or stop, found none"}}"#),
    (#"{"cmd": "dialect"}"#, #"{"ok":false}"#),
    (#"{"cmd": "dialect", "dialect": "urn:unknown"}"#, #"{"ok":false}"#),
    (#"{"cmd": "run", "seq": "a"}"#, #"{"seq":"a","errored":true,"#),
    (
      #"{"cmd": "run", "seq": 1.0, "case": {"schema": true, "tests": [{}]}}"#,
      #"{"seq":1.0,"results":[{"errored":true,"#
    ),
    (
      ##"{"cmd": "run", "seq": 1, "case": {"schema": {"$ref": "#/no"}, "tests": [{"instance": 1}]}}"##,
      ##"{"seq":1,"results":[{"errored":true,"context":{"message":"not validated: the reference `#/no` leads nowhere"}}]}"##
    ),
    (
      #"{"cmd": "run", "seq": 1, "case": {"schema": {"not": {"pattern": "("}}, "tests": [{"instance": "x"}]}}"#,
      #"{"seq":1,"results":[{"errored":true,"context":{"message":"not validated: the pattern `(` is invalid"}}]}"#
    ),
    (
      ##"{"cmd": "run", "seq": 1, "case": {"schema": {"$ref": "#"}, "tests": [{"instance": 1}]}}"##,
      ##"{"seq":1,"results":[{"errored":true,"##
    ),
  ])
  func `an invalid line is answered with an error`(line: String, answer: String) throws {
    let result = try Self.run(input: line + "\n" + #"{"cmd": "start", "version": 1}"# + "\n")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(answer) == true, "\(result.output)")
    #expect(lines.last?.hasPrefix(#"{"version":1,"#) == true)
    #expect(result.code == 0)
  }

  @Test func `after a dialect that was refused nothing is validated`() throws {
    let result = try Self.run(
      input: """
        {"cmd": "dialect", "dialect": "urn:unknown"}
        {"cmd": "run", "seq": 1, "case": {"schema": true, "tests": [{"instance": 1}]}}
        {"cmd": "dialect", "dialect": "http://json-schema.org/draft-07/schema#"}
        {"cmd": "run", "seq": 2, "case": {"schema": true, "tests": [{"instance": 1}]}}

        """)
    #expect(
      result.output == """
        {"ok":false}
        {"seq":1,"errored":true,"context":{"message":"unknown dialect"}}
        {"ok":true}
        {"seq":2,"results":[{"valid":true}]}

        """)
  }

  @Test func `another version of the protocol ends the talk`() throws {
    let result = try Self.run(input: #"{"cmd": "start", "version": 2}"# + "\n")
    #expect(result.output == "")
    #expect(result.error.hasPrefix("Error: expected version 1 of the protocol\n"))
    #expect(result.code == 64)
  }

  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
  func `the whole official suite passes, but for the listed optional tests`() throws {
    var differences: [String] = []
    var count = 0
    for promise in SuiteFile.Promise.allCases {
      let flags: [String] =
        switch promise {
        case .none: []
        case .formats: ["--format-assertion"]
        case .content: ["--content-assertion"]
        }
      let groups = try SuiteFile.all.filter { $0.promise == promise }.map { ($0, try $0.groups()) }
      let result = try Self.run(flags, input: try Self.conversation(groups))
      #expect(result.code == 0)
      var answers = result.output.split(separator: "\n")[...]
      for (_, groups) in groups {
        #expect(answers.popFirst() == #"{"ok":true}"#)
        for group in groups {
          let line = answers.popFirst() ?? "null"
          let answer = try JSONParser.parse(Array(line.utf8)).root
          let results = try #require(answer["results"]).elements.map { $0["valid"]?.bool }
          count += results.count
          differences += zip(group.tests, results).filter { $0.isValid != $1 }.map(\.0.name)
        }
      }
      #expect(answers.isEmpty)
    }
    #expect(differences.sorted() == SuiteFile.exceptions.map(\.test).sorted())
    print("bowtie: \(count) tests of \(SuiteFile.all.count) files, \(differences.count) differences")
    #expect(count > 5_000)
  }

  /// What the harness would send for some files.
  private static func conversation(_ files: [(SuiteFile, [SuiteFile.Group])]) throws -> String {
    let registry = JSONWriter.text(.object(SuiteFile.remotes.map { ($0, $1.root) }))
    var lines: [String] = []
    for (file, groups) in files {
      let dialect = try #require(SuiteFile.dialects[file.draft])
      lines.append(#"{"cmd":"dialect","dialect":"\#(dialect)"}"#)
      for group in groups {
        let schema = JSONWriter.text(group.schema)
        let tests = group.tests.map { #"{"description":"","instance":\#(JSONWriter.text($0.data))}"# }
        // All the remote documents in every case would be hundreds of megabytes.
        let remotes = schema.contains(SuiteFile.remoteHost) ? registry : "{}"
        lines.append(
          #"{"cmd":"run","seq":\#(lines.count),"case":{"description":"","schema":\#(schema),"registry":\#(remotes),"#
            + #""tests":[\#(tests.joined(separator: ","))]}}"#)
      }
    }
    return lines.joined(separator: "\n") + "\n" + #"{"cmd":"stop"}"# + "\n"
  }
}
