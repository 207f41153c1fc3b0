import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy sweep`: a command against every answer that it can get.
@Suite(.waitsForProcesses)
struct SweepCommandTests {
  static let curl = "curl -sf \"$UNDERSTUDY_BASE_URL/pets/1\" > /dev/null"

  /// Sweeps a shell script with the contract of the shop.
  static func sweep(
    _ script: String, _ arguments: String..., files: [String: String] = [:]
  ) throws -> Command.Result {
    try withProject(Shop.files.merging(files) { _, new in new }) { folder in
      try Command.run(
        Command.path, ["sweep", "shop.yaml"] + arguments + ["--", "sh", "-c", script], in: folder)
    }
  }

  @Test func `the table has every status and every hostile variant`() throws {
    let result = try Self.sweep(Self.curl)
    #expect(
      result.output.prefix { $0 != "!" }.split(separator: "\n\n", maxSplits: 2).prefix(2).joined(separator: "\n\n")
        == """
        readPet
          status 200 found         exit 0
          status 404               exit 22
          required-null /name      exit 0
          required-missing /name   exit 0
          additional-member        exit 0
          wrong-type               exit 0
          wrong-type /name         exit 0
          long-text /name          exit 0
          html                     exit 0
          truncated-body           exit 0
          empty-body               exit 0
          byte-order-mark          exit 0
          utf-16                   exit 0
          undocumented-status 299  exit 0
          redirect 302             exit 0
          slow                     exit 0
          drip                     exit 0
          stall                    exit 0
          invalid-utf8             exit 0
          duplicate-headers        exit 0
          conflicting-headers      exit 18
          cut                      exit 18
          reset                    exit 56
          reset head               exit 56
          close                    exit 52
          close head               exit 0
          garbage                  exit 1
          reset after-head         exit 56
          reset body               exit 56
          close after-head         exit 18
          wrong-length 1           exit 18
          bad-chunk                exit 56

        32 variants: 20 exit 0, 1 exit 1, 4 exit 18, 1 exit 22, 1 exit 52, 5 exit 56
        """)
    #expect(result.output.contains("coverage: of 2 documented answers served 2 (100 %)"), "\(result.output)")
    #expect(result.code == 0)
  }

  @Test func `a success without an answer to use is a warning`() throws {
    let result = try Self.sweep(Self.curl, "--fail-on", "warning")
    let found = result.output.split(separator: "\n").filter { $0.hasPrefix("warning:") || $0.hasPrefix("  also:") }
    #expect(
      found == [
        "warning: html: expected a failure, found exit 0 [sweep.swallowed]", "  also: truncated-body",
        "  also: empty-body", "  also: close head",
      ])
    #expect(result.code == 1)
  }

  @Test func `a crash is an error under the name of its variant`() throws {
    let result = try Self.sweep("\(Self.curl) || kill -SEGV $$", "--only", "status 404")
    #expect(
      result.output.contains(
        "error: status 404: expected an answer or an error, found crashed (SIGSEGV) [sweep.crash]"), "\(result.output)")
    #expect(result.code == 1)
  }

  @Test func `a command that does not end is an error, and so are the processes that it started`() throws {
    let result = try Self.sweep(
      "\(Self.curl) || { tail -f /dev/null & wait; }", "--limit", "1s", "--only", "status 404")
    #expect(
      result.output.contains("error: status 404: expected an end within the limit, found hung [sweep.hang]"),
      "\(result.output)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "skipped: no setsid"))
  func `processes that leave the group of the command end with the sweep, and are named`() throws {
    // What has not left the group by then ends with it.
    let daemon = "echo $$ >>left; echo >$0; exec tail -f /dev/null"
    let client = "\(Self.curl) || { mkfifo p$$; setsid sh -c '\(daemon)' p$$ & read line <p$$; exit 1; }"
    try withProject(Shop.files) { folder in
      let result = try Command.run("sweep", "shop.yaml", "--", "sh", "-c", client, in: folder)
      #expect(
        result.error.contains(/remark: ended \d+ processes that outlived the command: (sh|setsid|tail)\b/),
        "\(result.error)")
      let left = try String(contentsOfFile: folder + "/left", encoding: .utf8).split(separator: "\n")
      #expect(!left.isEmpty && left.allSatisfy { kill(pid_t($0) ?? 0, 0) != 0 }, "\(left)")
    }
  }

  @Test func `a child that a shell started before it became the sweep is left alone`() throws {
    try withProject(Shop.files) { folder in
      let sweep = #"exec "$0" sweep shop.yaml --only 'status 404' -- sh -c "$1""#
      let script = """
        (sleep 600 >/dev/null 2>&1 </dev/null & echo $! > before; \(sweep))
        kill -KILL "$(cat before)" && echo alive
        """
      let result = try Command.run("/bin/sh", ["-c", script, Command.path, Self.curl], in: folder)
      #expect(result.output.hasSuffix("\nalive\n"), "\(result.output)\(result.error)")
      #expect(!result.error.contains("outlived"), "\(result.error)")
    }
  }

  @Test func `a command that ignores signals ends at the limit`() throws {
    let result = try Self.sweep(
      "trap '' INT TERM HUP QUIT; \(Self.curl) || while :; do sleep 60; done", "--limit", "1s", "--only", "status 404")
    #expect(result.output.contains("found hung [sweep.hang]") && result.code == 1, "\(result.output)")
  }

  @Test func `an endless loop shows what the client sent next`() throws {
    let result = try Self.sweep("until \(Self.curl); do :; done", "--limit", "1s", "--only", "status 404")
    #expect(result.output.contains(/error: status 404: .*, found hung; it then sent readPet x\d+ \[sweep.hang\]/))
  }

  @Test func `the file of expectations decides, the narrowest line first`() throws {
    let expectations = """
      "*":
        html: passes
        truncated-body: any
        status 4XX: passes
      readPet:
        status 404: 22
        empty-body: 3
        close head: any
      """
    let result = try Self.sweep(
      Self.curl, "--expect-file", "sweep.yaml", "--fail-on", "warning", files: ["sweep.yaml": expectations])
    let found = result.output.split(separator: "\n").filter { $0.contains("[sweep.") }
    #expect(found == ["error: empty-body: expected exit code 3, found exit 0 [sweep.unexpected]"])
  }

  @Test(arguments: [
    ("html: fails", "error: sweep.yaml: `html` is not an operation of the contract"),
    ("[]", "error: sweep.yaml: expected a mapping of operations to variants, found array"),
    ("readPets: {html: fails}", "did you mean `readPet`?"), ("\"*\": {htlm: fails}", "did you mean `html`?"),
    ("\"*\": {html: maybe}", "expected passes, fails, any or an exit code"),
    ("\"*\": {html: {exits: 3}}", "did you mean `exit`?"),
    ("\"*\": {html: {within: soon}}", "`within` of `html` is `\"soon\"`"),
    ("\"*\": {html: {next: [readPets]}}", "did you mean `readPet`?"),
  ])
  func `a wrong file of expectations is reported before the command runs`(_ text: String, _ message: String) throws {
    let result = try Self.sweep("echo ran", "--expect-file", "sweep.yaml", files: ["sweep.yaml": text])
    #expect(result.error.contains(message) && result.code == 2, "\(result)")
  }

  @Test(arguments: [
    ("exit 3", "error: the command fails with default responses (exit 3)", 4),
    ("true", "error: the command called no operation", 4),
    ("curl -s \"$UNDERSTUDY_BASE_URL/dogs\"", "help: it called GET /dogs", 4),
  ])
  func `a command that cannot be swept is refused`(_ script: String, _ message: String, _ code: Int32) throws {
    let result = try Self.sweep(script)
    #expect(result.error.contains(message) && result.code == code, "\(result)")
  }

  @Test func `a report in another format has a case for each variant`() throws {
    let result = try Self.sweep(Self.curl, "--format", "junit")
    #expect(result.output.contains(/name="required-null \/name"/), "\(result.output)")
  }

  @Test func `a program that does not exist is reported`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("sweep", "shop.yaml", "--", "no-such-program", in: folder)
      #expect(result.error.contains("`no-such-program` cannot be started") && result.code == 127, "\(result)")
    }
  }
}

/// The client in Python among the examples.
struct PythonClientTests {
  @Test func `a sweep of the client in Python has no finding`() throws {
    let result = try Command.run(
      "sweep", "specs/slp.yaml", "--expect-file", "Examples/python-client/expect.yaml", "--fail-on", "warning", "--",
      "python3", "Examples/python-client/client.py")
    #expect(result.code == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains(/\n  status 401 firebaseTokenError +exit 4: the token is refused\n/))
    #expect(result.output.contains(/\n  html +exit 5: the answer cannot be read:\s/))
  }

  private static let hasPytest =
    (try? Command.run("/usr/bin/env", ["python3", "-c", "import pytest"]))?.code == 0

  @Test(.enabled(if: hasPytest)) func `the tests of the client in Python pass beside a mock`() throws {
    let result = try Command.run(
      "run", "specs/slp.yaml", "--", "python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
      "Examples/python-client")
    #expect(result.code == 0 && result.output.contains("4 passed"), "\(result.output)\(result.error)")
  }
}
