import Foundation
import Testing
import UnderstudyTestSupport

@Suite(.waitsForProcesses)
struct ServeTests {
  // MARK: - Output

  @Test func `the banner, a line for each request, and a graceful end`() throws {
    try withProject(Shop.files.merging(["fixtures/shop/readPet/404.txt": "gone"]) { first, _ in first }) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      #expect(try Curl.get(mock.url + "/pets/1").body == "{\"name\":\"Tom\"}")
      #expect(try Curl.get(mock.url + "/pets/1?__code=404").body == "gone")
      #expect(try Curl.get(mock.url + "/pets/one").status == 422)
      #expect(mock.waits(for: "[req.param.schema]"))
      let (code, printed) = mock.end()
      #expect(
        steady(printed) == """
          understudy 0.1.0 listening on URL
            shop: 1 operation, 2 cells, 1 fixture, no problems in the contract
            try: curl -i URL/pets/1 -H 'Prefer: code=404'
            console: URL/__admin/
            ready in N ms; Ctrl-C stops
          TIME GET /pets/1 200 N ms example readPet/200.cat
          TIME GET /pets/1?__code=404 404 N ms fixture readPet/404 (preferred)
          TIME GET /pets/one 422 N ms problem 422 invalid request
            error: the path parameter `id` must be an integer, found `one` [req.param.schema]
              shop.yaml:8:11: the contract

          stopped

          """)
      #expect(code == 0)
    }
  }

  @Test func `the suggested curl line works for any method and path`() throws {
    let contract = Shop.contract.replacing("    get:", with: "    post:").replacing(
      "        \"404\"", with: "        \"402\"")
    try withProject(["shop.yaml": contract]) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let line = try #require(mock.printed.split(separator: "\n").first { $0.contains("try: ") })
      let answer = try Command.run("/bin/sh", ["-c", String(line.trimmingPrefix("  try: "))])
      #expect(answer.output.hasPrefix("HTTP/1.1 402 "), "\(line)")
    }
  }

  @Test func `every answer is logged with its time`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      for _ in 0..<3 { _ = try Curl.get(mock.url + "/pets/1") }
      #expect(mock.waits(for: "example readPet", count: 3))
      let (_, printed) = mock.end()
      #expect(printed.matches(of: /200 \d+(\.\d)? ms example/).count == 3)
    }
  }

  @Test func `without lines for requests only the banner is printed`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--quiet", "--no-watch"], in: folder)
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
      let (code, printed) = mock.end()
      #expect(!printed.contains("GET"))
      #expect(printed.hasSuffix("Ctrl-C stops\n\nstopped\n"))
      #expect(code == 0)
    }
  }

  @Test func `several contracts answer on one port, each below its own base path`() throws {
    let mock = try ServedMock(["specs/slp.yaml", "specs/petstore.yaml"])
    defer { mock.stop() }
    #expect(mock.printed.contains("  slp: 18 operations"))
    #expect(mock.printed.contains("  petstore: 7 operations"))
    #expect(try Curl.get(mock.url + "/v1/user", ("idtoken", "x")).status == 200)
    #expect(try Curl.get(mock.url + "/api/pets").headers["understudy-reply"] == "fixture findPets/200")
    // An unknown path is answered by the nearest contract, else by the first.
    let near = try Curl.get(mock.url + "/pets")
    #expect(near.status == 404)
    #expect(near.body.contains("did you mean `/api/pets`?"))
    #expect(try Curl.get(mock.url + "/nowhere/near").status == 500)
  }

  @Test func `the banner lists four contracts with their own findings and counts the others`() throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let files = names.map { name in
      let contract = Shop.contract.replacing("/pets/", with: "/\(name)/")
      return ("\(name).yaml", name == "b" ? contract.replacing("title: Shop, ", with: "") : contract)
    }
    try withProject(Dictionary(uniqueKeysWithValues: files)) { folder in
      let mock = try ServedMock(names.map { "\($0).yaml" }, in: folder)
      defer { mock.stop() }
      #expect(
        steady(mock.printed) == """
          understudy 0.1.0 listening on URL
            a: 1 operation, 2 cells, 0 fixtures, no problems in the contract
            b: 1 operation, 2 cells, 0 fixtures, 1 warning in the contract: understudy lint b.yaml
            c: 1 operation, 2 cells, 0 fixtures, no problems in the contract
            d: 1 operation, 2 cells, 0 fixtures, no problems in the contract
            and 2 more contracts
            try: curl -i URL/a/1 -H 'Prefer: code=404'
            console: URL/__admin/
            ready in N ms; Ctrl-C stops

          """)
    }
  }

  @Test func `a flag wins over the environment, the environment over the file`() throws {
    let files = ["understudy.yaml": "contracts: [shop.yaml]\nforce: {readPet: 404}\nbase-path: false\n"]
    try withProject(files.merging(Shop.files) { first, _ in first }) { folder in
      let forced = try ServedMock([], in: folder)
      #expect(try Curl.get(forced.url + "/pets/1").status == 404)
      forced.stop()
      let overridden = try ServedMock(["--force", "readPet=found"], in: folder)
      #expect(try Curl.get(overridden.url + "/pets/1").status == 200)
      overridden.stop()
    }
  }

  #if os(Linux)
  private static let otherUser = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]

  /// Whether this user can act as one without privileges, who can read the program.
  private static var canStepDown: Bool {
    let check = try? Command.run("/usr/bin/env", ["setpriv"] + otherUser + ["test", "-x", Command.path])
    return check?.code == 0
  }

  @Test(.enabled(if: canStepDown, "only root can act as another user; for anybody else all tests of `serve` show it"))
  func `a user without privileges gets answers`() throws {
    let mock = try ServedMock(
      ["specs/petstore.yaml"], after: "exec setpriv \(Self.otherUser.joined(separator: " ")) \"$0\" \"$@\"")
    #expect(try Curl.get(mock.url + "/api/pets/1").status == 200)
  }
  #endif

  // MARK: - How it ends

  @Test(.timeLimit(.minutes(5))) func `an unread log delays neither answers nor the end`() throws {
    try withProject(Shop.files) { folder in
      let (process, url) = try start(in: folder, printingTo: Pipe())
      defer { if process.isRunning { process.terminate() } }
      let client = try RawClient(port: Int(url.split(separator: ":").last ?? "") ?? 0)
      // More lines than a pipe holds, and than are kept.
      let target = "/pets/1?" + String(repeating: "a", count: 250)
      for _ in 0..<6_000 {
        try client.get(target)
        _ = try client.response()
      }
      process.interrupt()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  @Test func `a second signal ends the process at once`() throws {
    let files = ["fixtures/shop/readPet/404.yaml": "delay: 60s\ntext: late\n"]
    try withProject(Shop.files.merging(files) { first, _ in first }) { folder in
      let (process, url) = try start(in: folder, printingTo: Pipe())
      defer { if process.isRunning { process.terminate() } }
      let port = Int(url.split(separator: ":").last ?? "") ?? 0
      let idle = try RawClient(port: port)
      let client = try RawClient(port: port)
      try client.get("/pets/1")
      try client.get("/pets/1?__code=404")
      #expect(try client.response().status == 200)
      process.interrupt()
      // Connections without a request are closed at once; the delayed answer is still in progress.
      _ = try idle.rest()
      #expect(process.isRunning)
      process.interrupt()
      process.waitUntilExit()
      #expect(process.terminationStatus == 130)
    }
  }

  @Test func `a fixture may send a body that HTTP forbids`() throws {
    let files = ["fixtures/shop/readPet/204.yaml": "text: illegal\nviolates: [resp.body.unexpected]\n"]
    try withProject(Shop.files.merging(files) { first, _ in first }) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let client = try RawClient(port: mock.port)
      try client.get("/pets/1?__code=204")
      let response = try client.response()
      #expect(response.status == 204)
      #expect(response.body == "illegal")
      #expect(try client.rest() == .closed)
    }
  }

  /// A mock of the shop whose log goes to a pipe, of which only the first piece is read.
  private func start(in folder: String, printingTo pipe: Pipe) throws -> (Process, url: String) {
    let process = Process()
    process.executableURL = URL(filePath: Command.path)
    process.arguments = ["serve", "shop.yaml", "--port", "0", "--color", "never"]
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardError = pipe
    try process.run()
    var printed = ""
    var url: String?
    while url == nil, let piece = try pipe.fileHandleForReading.read(upToCount: 1), !piece.isEmpty {
      printed += String(decoding: piece, as: UTF8.self)
      url = printed.firstMatch(of: /listening on (\S+)\n/).map { String($0.1) }
    }
    return (process, try #require(url, "\(printed)"))
  }

  // MARK: - Why it does not start

  @Test func `a port that is taken`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(["shop.yaml"], in: folder)
      defer { mock.stop() }
      let result = try Command.run("serve", "shop.yaml", "--port", "\(mock.port)", in: folder)
      #expect(result.output == "")
      #expect(
        result.error == "error: port \(mock.port) is taken; choose another with --port, or --port 0 for a free one\n")
      #expect(result.code == 3)
      #expect(try Curl.get(mock.url + "/pets/1").status == 200)
    }
  }

  @Test func `a contract that is broken`() throws {
    try withProject(["shop.yaml": "openapi: 3.1.0\ninfo: {title: Shop, version: 1}\npaths: [a, b\n"]) { folder in
      let result = try Command.run("serve", "shop.yaml", "--port", "0", in: folder)
      #expect(result.output == "")
      #expect(result.error.hasPrefix("shop.yaml:"))
      #expect(result.error.contains("[spec.unparsable]\n"))
      #expect(result.code == 3)
    }
  }

  @Test func `an address of another machine`() throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run("serve", "shop.yaml", "--port", "0", "--host", "198.51.100.1", in: folder)
      #expect(
        result.error
          == "error: 198.51.100.1 is not an address of this machine; try --host 127.0.0.1, or --host 0.0.0.0 for all of them\n"
      )
      #expect(result.code == 3)
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var environment: [String: String] = [:]
    var error: String
    var testDescription: String { arguments.joined(separator: " ") + environment.keys.joined() }
  }

  static let mistakes = [
    Mistake(
      arguments: [],
      error: """
        error: no contract is named
          help: shop.yaml is a contract: `understudy serve shop.yaml`; `understudy init shop.yaml` starts a project

        """),
    Mistake(
      arguments: ["shop.yaml", "--force", "readPet=fuond"],
      error: """
        error: --force asks readPet for `fuond`, which it does not have [config.invalid]
          help: did you mean `found`?

        """),
    Mistake(
      arguments: ["shop.yaml", "--force", "readPet=203"],
      error: """
        error: --force asks readPet for `203`, which it does not have [config.invalid]
          help: it has 200 found, 404, 200.cat

        """),
    Mistake(
      arguments: ["shop.yaml", "--force", "readPets=404"],
      error: """
        error: --force names the operation `readPets`, which no contract has [config.invalid]
          help: did you mean `readPet`?

        """),
    Mistake(
      arguments: ["shop.yaml", "--force", "readPet"],
      error: """
        error: `--force readPet` is incomplete
          help: expected operation=cell, as in joinQueue=penaltyFirst

        """),
    Mistake(
      arguments: ["shop.yaml", "--port", "65536"],
      error: """
        error: the value `65536` is invalid for `--port <port>`: expected a number from 0 to 65535
          help: `understudy serve --help` lists what it takes

        """),
    Mistake(
      arguments: ["shop.yaml"], environment: ["UNDERSTUDY_PORT": "http"],
      error: "error: UNDERSTUDY_PORT is `http`, expected a port from 0 to 65535\n"),
    Mistake(
      arguments: ["shop.yaml", "--on-invalid", "problm"],
      error: """
        error: `--on-invalid problm` is unknown
          help: did you mean `problem`?

        """),
    Mistake(
      arguments: ["shop.yaml", "--bsae-path"],
      error: """
        error: unknown option `--bsae-path`
          help: did you mean `--base-path`?

        """),
    Mistake(
      arguments: ["--config", "missing.yaml"],
      error: """
        missing.yaml: error: no such file or folder [config.unreadable]
          help: check the path and the working directory

        """),
  ]

  @Test(arguments: mistakes) func `a usage error has advice`(_ mistake: Mistake) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        Command.path, ["serve"] + mistake.arguments, in: folder, environment: mistake.environment)
      #expect(result.output == "")
      #expect(result.error == mistake.error)
      #expect(result.code == 2)
    }
  }
}
