import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy run`: a mock for as long as a command runs.
@Suite(.waitsForProcesses)
struct RunTests {
  private static let get = "curl -s \"$UNDERSTUDY_BASE_URL/pets/1\""

  @Test func `the command finds a mock that listens`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("run", "shop.yaml", "--", "sh", "-c", Self.get, in: folder)
      #expect(result.output == "{\"name\":\"Tom\"}")
      #expect(
        steady(result.error) == """
          understudy 0.1.0 listening on URL for `sh -c 'curl -s "$UNDERSTUDY_BASE_URL/pets/1"'`

          """)
      #expect(result.code == 0)
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "skipped: no /proc"))
  func `the command gets the descriptors that run was started with, and none of the mock`() throws {
    try withProject(Shop.files) { folder in
      let list = #"for file in /proc/$$/fd/*; do echo "${file##*/}"; done"#
      let both = #"exec 9>nine; sh -c "$1"; echo; "$0" run shop.yaml -- sh -c "$1""#
      let lists = try Command.run("/bin/sh", ["-c", both, Command.path, list], in: folder).output.split(
        separator: "\n\n")
      #expect(lists.count == 2 && lists[0].contains("9") && lists[1] == lists[0] + "\n", "\(lists)")
    }
  }

  @Test func `run takes a free port despite the ports of the config file and the environment`() throws {
    let files = ["understudy.yaml": "contracts: shop.yaml\nport: 4010\n"]
    try withProject(Shop.files.merging(files) { first, _ in first }) { folder in
      let result = try Command.run(
        "run", "--", "sh", "-c", "echo $UNDERSTUDY_BASE_URL", in: folder, environment: ["UNDERSTUDY_PORT": "4011"])
      let port = result.output.split(separator: ":").last.flatMap { Int($0.dropLast()) } ?? 0
      #expect(port > 1023 && port != 4010 && port != 4011, "\(result)")
    }
  }

  @Test(arguments: [("exit 3", 3), ("kill -KILL $$", 137), ("exit 0", 0)])
  func `the exit code is that of the command`(_ script: String, _ code: Int32) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("run", "shop.yaml", "--", "sh", "-c", script, in: folder)
      #expect(result.code == code)
    }
  }

  @Test(arguments: [
    ("readPet:200", "", 0), ("readPet:404", "", 5), ("readPet:404", "; exit 1", 5), ("readPet:404", "; exit 7", 7),
    ("readPet:200", "; exit 1", 1),
  ])
  func `the exit code is the larger of the command's and the gate's`(
    _ cells: String, _ end: String, _ code: Int32
  ) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "run", "shop.yaml", "--require", cells, "--", "sh", "-c", Self.get + end, in: folder)
      #expect(result.code == code, "\(result.error)")
      #expect(result.error.contains("missing: GET /pets/{id} 404") == (cells == "readPet:404"), "\(result.error)")
      #expect(result.output == "{\"name\":\"Tom\"}")
    }
  }

  @Test func `a gate with an unknown cell is reported before the command starts`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("run", "shop.yaml", "--require", "readPet:418", "--", "echo", "started", in: folder)
      #expect(result.output == "")
      #expect(result.error.contains("418"), "\(result.error)")
      #expect(result.code == 2)
    }
  }

  @Test func `a gate counts the exchanges of this run alone, and the recording keeps them`() throws {
    try withProject(Shop.files) { folder in
      let missing = Self.get + " -H 'Prefer: code=404'"
      let first = try Command.run("run", "shop.yaml", "--har", "t.har", "--", "sh", "-c", missing, in: folder)
      #expect(first.error.contains("recorded 1 exchange in t.har\n"))
      #expect(
        try Command.run("coverage", "shop.yaml", "--har", "t.har", "--require", "readPet:404", in: folder).code == 0)
      let second = try Command.run(
        "run", "shop.yaml", "--har", "t2.har", "--require", "readPet:404", "--", "sh", "-c", Self.get, in: folder)
      #expect(second.code == 5)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["shop.yaml", "t.har", "t2.har"])
    }
  }

  @Test func `a report of the coverage is written where one is asked for`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "run", "shop.yaml", "--report", "json=coverage.json", "--", "sh", "-c", Self.get, in: folder)
      #expect(result.code == 0, "\(result.error)")
      let report = try String(contentsOfFile: "\(folder)/coverage.json", encoding: .utf8)
      #expect(report.contains("\"served\""))
    }
  }

  // MARK: - Checks

  /// Printed text without times and dates: `the request came T after`.
  private static func withoutTimes(_ text: String) -> String {
    steady(text).replacing(/\b\d+(\.\d)?m?s\b/, with: "T").replacing(/\d{4}-\d\d-\d\dTTIME\.\d+Z/, with: "DATE")
  }

  @Test(arguments: [("", 1), ("; exit 7", 7)])
  func `what a client broke between its requests fails the run, and is in every report`(
    _ end: String, _ code: Int32
  ) throws {
    let formats = ["text", "json", "junit", "sarif", "github", "gitlab", "markdown", "html"]
    try withProject(Shop.files) { folder in
      var arguments = ["run", "shop.yaml", "--check", "poll-interval", "--har", "t.har"]
      for format in formats { arguments += ["--report", "\(format)=report.\(format)"] }
      arguments += ["--", "sh", "-c", "\(Self.get); \(Self.get)\(end)"]
      let result = try Command.run(Command.path, arguments, in: folder)
      #expect(result.code == code, "\(result.error)")
      #expect(result.error.components(separatedBy: "[check.poll-interval]").count == 2, "\(result.error)")
      #expect(result.error.contains("exit 1: failed: 1 error, by `--fail-on error`\n"), "\(result.error)")
      for format in formats {
        let report = try String(contentsOfFile: "\(folder)/report.\(format)", encoding: .utf8)
        #expect(report.contains("check.poll-interval") && report.contains("request 1: GET /pets/1"), "\(report)")
      }
      let text = try String(contentsOfFile: "\(folder)/report.text", encoding: .utf8)
      let finding = """
        GET /pets/{id}
        error: the same request came again after T; at least T are expected [check.poll-interval]
          note: request 1: GET /pets/1 -> 200
          note: request 2, T later: GET /pets/1 -> 200

        """
      let help = "  help: wait for the answer, then for the interval, before the next request\n\n"
      #expect(Self.withoutTimes(text).hasPrefix(finding + help + "checked: "), "\(text)")
      let verified = try Command.run("verify", "shop.yaml", "--har", "t.har", in: folder)
      #expect(verified.code == 1, "\(verified.error)")
      let place = "  t.har:3:1: note: first seen in entry 1, DATE\n"
      let shown = finding + place + help + "remark: read 2 exchanges\nchecked: "
      #expect(Self.withoutTimes(verified.output).hasPrefix(shown), "\(verified.output)")
    }
  }

  private static let list = """
    openapi: 3.1.0
    info: {title: List, version: "1"}
    paths:
      /pets:
        get: {operationId: listPets, responses: {"200": {description: All}}}
        post: {operationId: addPet, responses: {"201": {description: Added}}}

    """

  @Test func `a list that is read right after a POST fails the run`() throws {
    let script = "curl -s -X POST $UNDERSTUDY_BASE_URL/pets; curl -s $UNDERSTUDY_BASE_URL/pets"
    try withProject(["list.yaml": Self.list]) { folder in
      let checked = try Command.run(
        "run", "list.yaml", "--check", "read-after-send", "--", "sh", "-c", script, in: folder)
      #expect(checked.code == 1, "\(checked.error)")
      #expect(checked.error.contains("[check.read-after-send]"), "\(checked.error)")
      #expect(try Command.run("run", "list.yaml", "--", "sh", "-c", script, in: folder).code == 0)
    }
  }

  @Test(
    arguments: [
      ([], 0), (["--check", "req.param.undeclared"], 1), (["--check", "req.param.undeclared:addPet"], 0),
      (["--fail-on", "warning"], 1), (["--fail-on", "error"], 0),
    ] as [([String], Int32)])
  func `a parameter without a name fails the run where it is asked for`(_ options: [String], _ code: Int32) throws {
    try withProject(["list.yaml": Self.list]) { folder in
      let command = ["--", "sh", "-c", "curl -s \"$UNDERSTUDY_BASE_URL/pets?=\""]
      let result = try Command.run(Command.path, ["run", "list.yaml"] + options + command, in: folder)
      #expect(result.code == code, "\(result.error)")
      let remark = "remark: 1 request had warnings: `--fail-on warning` fails the run for that\n"
      #expect(result.error.contains(remark) == (options.isEmpty || options.last?.hasSuffix(":addPet") == true))
    }
  }

  @Test func `a run without checks names the requests that broke the contract, and the flag that fails them`() throws {
    try withProject(Shop.files) { folder in
      let script =
        "curl -s $UNDERSTUDY_BASE_URL/pets/x; curl -s $UNDERSTUDY_BASE_URL/dogs; curl -s $UNDERSTUDY_BASE_URL/pets/1?a=1"
      let passed = try Command.run("run", "shop.yaml", "--", "sh", "-c", script, in: folder)
      #expect(passed.code == 0)
      #expect(
        passed.error.hasSuffix(
          "remark: 2 requests broke the contract, 1 request had warnings: `--fail-on error` fails the run for that\n"),
        "\(passed.error)")
      let failed = try Command.run("run", "shop.yaml", "--fail-on", "error", "--", "sh", "-c", script, in: folder)
      #expect(failed.code == 1)
      #expect(failed.error.hasSuffix("exit 1: failed: 2 errors, by `--fail-on error`\n"), "\(failed.error)")
      #expect(!failed.error.contains("remark:"), "\(failed.error)")
    }
  }

  @Test(arguments: [(#"["join",7]"#, "1 error"), (#"["leave"]"#, nil)] as [(String, String?)])
  func `an event of a socket that breaks the contract fails a run with --fail-on`(
    _ event: String, _ failure: String?
  ) throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Chat, version: "1"}
      paths: {}
      x-understudy-events: {transport: socketio, events: {join: {from: client, arguments: [{type: string}]}}}

      """
    let script = #"""
      url="$UNDERSTUDY_BASE_URL/socket.io/?EIO=4&transport=polling"
      url="$url&sid=$(curl -s "$url" | sed 's/.*"sid":"\([^"]*\)".*/\1/')"
      curl -s -d 40 "$url"; curl -s --data-binary "42$1" "$url"; curl -s -d 41 "$url"; curl -s -d 1 "$url"
      """#
    try withProject(["chat.yaml": contract]) { folder in
      let command = ["--", "sh", "-c", script, "sh", event]
      let passed = try Command.run(Command.path, ["run", "chat.yaml"] + command, in: folder)
      let flag = failure == nil ? "warning" : "error"
      #expect(passed.code == 0)
      #expect(passed.error.contains("`--fail-on \(flag)` fails the run for that"), "\(passed.error)")
      let failed = try Command.run(Command.path, ["run", "chat.yaml", "--fail-on", flag] + command, in: folder)
      #expect(failed.code == 1)
      #expect(
        failed.error.hasSuffix("exit 1: failed: \(failure ?? "1 warning"), by `--fail-on \(flag)`\n"), "\(failed.error)"
      )
    }
  }

  @Test func `a client that keeps its checks passes the run`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "run", "shop.yaml", "--check", "poll-interval", "--", "sh", "-c", Self.get, in: folder)
      #expect(
        steady(result.error) == """
          understudy 0.1.0 listening on URL for `sh -c 'curl -s "$UNDERSTUDY_BASE_URL/pets/1"'`

          """)
      #expect(result.code == 0)
    }
  }

  @Test func `a request that a scenario expects, and one that it forbids, fail the run`() throws {
    let states = "start: {on: {readPet: {to: seen}}}, seen: {STATE: [readPet], final: true}"
    func run(_ key: String, _ script: String) throws -> Command.Result {
      let scenario = "machine: {states: {\(states.replacing("STATE", with: key))}}\n"
      let files = Shop.files.merging(["fixtures/shop/_scenarios/visit.yaml": scenario]) { first, _ in first }
      return try withProject(files) { folder in
        try Command.run("run", "shop.yaml", "--scenario", "visit", "--", "sh", "-c", script, in: folder)
      }
    }
    let missing = try run("expects", Self.get)
    #expect(missing.code == 1, "\(missing.error)")
    #expect(
      missing.error.hasSuffix(
        """
        error: the client did not call `readPet` in the state seen [check.missing-request]
          note: request 1: GET /pets/1 -> 200
          help: the answer that led to the state asks for it
        exit 1: failed: 1 error, by `--fail-on error`

        """), "\(missing.error)")
    let unexpected = try run("never", "\(Self.get); \(Self.get)")
    #expect(unexpected.code == 1, "\(unexpected.error)")
    #expect(unexpected.error.components(separatedBy: "[check.unexpected-request]").count == 2, "\(unexpected.error)")
    #expect(try run("never", Self.get).code == 0)
  }

  @Test(arguments: [(["./shop.yaml"], 126, "permission denied"), (["nowhere-to-be-found"], 127, "no such file")])
  func `a command that cannot be started has the exit code of a shell`(
    _ command: [String], _ code: Int32, _ reason: String
  ) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(Command.path, ["run", "shop.yaml", "--"] + command, in: folder)
      #expect(result.error.contains("error: `\(command[0])` cannot be started: \(reason)"), "\(result.error)")
      #expect(result.code == code)
    }
  }

  @Test func `a command has to be named`() throws {
    let result = try Command.run("run", "specs/petstore.yaml")
    #expect(result.error.contains("no command is named: write it after `--`"), "\(result.error)")
    #expect(result.code == 2)
  }

  @Test func `options of the command are the command's own`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("run", "shop.yaml", "--", "echo", "--port", "--help", "--", "-q", in: folder)
      #expect(result.output == "--port --help -- -q\n")
    }
  }

  // MARK: - Signals

  /// Prints `ready`, and at SIGTERM how many SIGINT came before.
  private static let counter = """
    import signal, sys
    count = 0
    for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, lambda *_: None)
    # A signal that came just before `pause` would be lost; one that is blocked waits.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    print("ready", flush=True)
    while signal.sigwait([signal.SIGINT, signal.SIGTERM]) == signal.SIGINT:
        count += 1
        print("interrupted", flush=True)
    print("count", count, flush=True)
    sys.exit(9)
    """

  @Test func `signals are passed on to the command`() throws {
    let python = try #require(PythonServer.path)
    try withProject(Shop.files.merging(["count.py": Self.counter]) { first, _ in first }) { folder in
      let driver = """
        import signal, subprocess, sys
        # A shell starts what it runs in the background with SIGINT ignored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Without a terminal, whose signals a Mac does not tell from others.
        run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert run.stdout.readline() == "ready\\n"
        run.send_signal(signal.SIGINT)
        assert run.stdout.readline() == "interrupted\\n"
        run.send_signal(signal.SIGTERM)
        print(run.stdout.readline(), run.wait())
        """
      let result = try Command.run(
        python, ["-c", driver, Command.path, "run", "shop.yaml", "--", python, "count.py"], in: folder)
      #expect(result.output == "count 1\n 9\n", "\(result.error)")
    }
  }

  @Test func `Ctrl-C reaches the command once`() throws {
    let python = try #require(PythonServer.path)
    try withProject(Shop.files.merging(["count.py": Self.counter]) { first, _ in first }) { folder in
      let driver = """
        import os, pty, signal, sys
        child, terminal = pty.fork()
        if child == 0: os.execv(sys.argv[1], sys.argv[1:])
        text = b""
        def until(word):
            global text
            while word not in text: text += os.read(terminal, 1000)
        until(b"ready")
        os.write(terminal, b"\\x03")
        until(b"interrupted")
        os.kill(child, signal.SIGTERM)
        until(b"count")
        print(text.count(b"interrupted"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
      let result = try Command.run(
        python, ["-c", driver, Command.path, "run", "shop.yaml", "--", python, "count.py"], in: folder)
      #expect(result.output == "1 9\n", "\(result.error)")
    }
  }
}
