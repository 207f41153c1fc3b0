import Foundation
import Testing
import UnderstudyTestSupport

/// What a sweep runs, and what it finds without a file of expectations.
struct SweepChoiceTests {
  private static let curl = SweepCommandTests.curl

  /// The rows of the table, with one blank between words.
  private func rows(_ result: Command.Result) -> [String] {
    let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("  ") && $0.contains("  exit ") }
    return lines.map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test(arguments: [
    (["html"], ["html exit 0"]), (["status 404"], ["status 404 exit 22"]),
    (["readPet status 200", "cut"], ["status 200 found exit 0", "cut exit 18"]),
  ]) func `only the named rows are run`(only: [String], expected: [String]) throws {
    try withProject(Shop.files) { folder in
      let arguments = ["sweep", "shop.yaml"] + only.flatMap { ["--only", $0] } + ["--", "sh", "-c", Self.curl]
      let result = try Command.run(Command.path, arguments, in: folder)
      #expect(rows(result) == expected, "\(result.output)\(result.error)")
    }
  }

  @Test func `a row that the sweep does not have is an error with a suggestion`() throws {
    let result = try SweepCommandTests.sweep(Self.curl, "--only", "statsu 404")
    #expect(result.code == 2)
    #expect(
      result.error.contains("`--only statsu 404` names no row of this sweep\n  help: did you mean `status 404`?"),
      "\(result.error)")
  }

  @Test func `a fixture with a name is a row`() throws {
    let result = try SweepCommandTests.sweep(
      Self.curl, "--fixtures", ".", "--only", "fixture",
      files: ["shop/readPet/200.old.json": #"{"name": "Old"}"#, "shop/readPet/404.json": "{}"])
    #expect(rows(result) == ["fixture 200.old exit 0"], "\(result.output)\(result.error)")
  }

  @Test func `an end in time leaves runs out, and the report says so`() throws {
    let result = try SweepCommandTests.sweep(Self.curl, "--max-time", "1ms")
    #expect(result.output.contains("`--max-time` has ended it after 0 of 32 variants"), "\(result.output)")
    #expect(result.code == 4)
  }

  @Test func `the rows of one cause are one entry, and the variable may have the base path`() throws {
    let script = "import os, urllib.request; urllib.request.urlopen(os.environ['UNDERSTUDY_BASE_URL'] + '/pets/1')"
    let contract = Shop.contract.replacing("paths:", with: "servers: [{url: http://localhost/v1}]\npaths:")
    let result = try withProject(["shop.yaml": contract, "client.py": script]) { folder in
      try Command.run(
        Command.path,
        ["sweep", "shop.yaml", "--with-base-path", "--only", "reset", "--only", "status 404", "--only", "cut"]
          + ["--", PythonServer.path ?? "python3", "client.py"], in: folder)
    }
    #expect(result.output.contains("also: reset head\n"), "\(result.output)\(result.error)")
    #expect(result.output.ranges(of: "[sweep.uncaught]").count == 2, "\(result.output)")
  }

  @Test func `a storm of equal requests is an error without any setting`() throws {
    let script = "\(Self.curl) || { for i in $(seq 30); do \(Self.curl); done; exit 3; }"
    let result = try SweepCommandTests.sweep(script, "--only", "status 404")
    let storm = "error: status 404: it sent readPet 31 times, each time the same request [sweep.retry-storm]"
    #expect(result.output.contains(storm), "\(result.output)")
    let calm = try SweepCommandTests.sweep("\(Self.curl) || \(Self.curl)", "--only", "status 404")
    #expect(!calm.output.contains("sweep.retry-storm") && calm.code == 0, "\(calm.output)")
  }

  @Test func `an exception that nothing caught is told from an error`() throws {
    let client = """
      import json, os, sys, urllib.request, urllib.error
      try:
        body = urllib.request.urlopen(os.environ["UNDERSTUDY_BASE_URL"] + "/pets/1").read()
      except urllib.error.HTTPError as error:
        sys.exit("error: " + str(error))
      json.loads(body)["name"].upper()

      """
    let result = try SweepCommandTests.sweep(
      "python3 client.py", "--only", "wrong-type", "--only", "status 404", files: ["client.py": client])
    #expect(
      result.output.contains(
        "warning: wrong-type /name: expected an error of the client's own, found the uncaught AttributeError: "),
      "\(result.output)")
    #expect(!result.output.contains("status 404: expected an error"), "\(result.output)")
  }

  @Test func `a command that fails with default responses shows what its requests break`() throws {
    let result = try SweepCommandTests.sweep("curl -sf \"$UNDERSTUDY_BASE_URL/pets/tom\"")
    #expect(result.code == 4)
    #expect(result.error.contains("readPet: /path/id: error: ") && result.error.contains("[req."), "\(result.error)")
    #expect(result.error.contains("for which the mock may have refused them"), "\(result.error)")
  }

  @Test func `a check of the client is one of each run`() throws {
    let script = "\(Self.curl) || \(Self.curl) || exit 1"
    let result = try SweepCommandTests.sweep(script, "--only", "reset", "--check", "retry-backoff")
    #expect(result.output.contains("[check.retry-backoff]"), "\(result.output)")
  }
}
