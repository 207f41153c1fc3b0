import Foundation
import Testing
import UnderstudyTestSupport

/// What must not pass in silence: runs that validated next to nothing, options that mean nothing, gates that something swallows.
struct VerifyGuardTests {
  @Test func `a server that refuses every valid request is not green`() throws {
    try withProject(["shop.yaml": Shop.contract]) { folder in
      let mock = try ServedMock(["shop.yaml", "--force", "readPet=404", "--no-watch"], in: folder)
      defer { mock.stop() }
      let result = try Command.run("verify", "shop.yaml", "--live", mock.url, "--mode", "positive", in: folder)
      #expect(result.code == 4)
      #expect(result.error.contains("got a 2xx or 3xx: is \(mock.url) the base URL"), "\(result.error)")
    }
  }

  @Test(
    arguments: [
      (["--live", "http://127.0.0.1:1", "--har", "t.har"], "--live and --har are separate runs"),
      (["--allow-unsafe"], "`--allow-unsafe` needs a server"),
      (["--before", "touch x"], "`--before` needs a server"),
      (["--live", "http://127.0.0.1:1", "--timeout", "5"], "`--timeout 5` is not a duration"),
      (["--strict-host"], "--strict-host needs a recording"),
      (["--report", "json=./shop.yaml"], "would replace shop.yaml, which this run reads"),
    ])
  func `options that contradict each other, or mean nothing, are refused`(_ options: [String], _ message: String) throws
  {
    try withProject(["shop.yaml": Shop.contract]) { folder in
      let result = try Command.run(Command.path, ["verify", "shop.yaml"] + options, in: folder)
      #expect(result.code == 2)
      #expect(result.error.contains(message), "\(result.error)")
    }
  }

  @Test func `a contract without operations has nothing to check`() throws {
    try withProject(["empty.yaml": "openapi: 3.1.0\ninfo: {title: E, version: '1'}\npaths: {}\n"]) { folder in
      let result = try Command.run("verify", "empty.yaml", in: folder)
      #expect(result.code == 4)
      #expect(result.error.contains("nothing was checked"))
    }
  }

  @Test func `a pipe among the fixtures is reported without waiting`() throws {
    try withProject(["shop.yaml": Shop.contract, "fixtures/shop/readPet/404.json": "{}"]) { folder in
      let path = folder + "/fixtures/shop/readPet/200.json"
      #expect(try Command.run("/usr/bin/mkfifo", [path]).code == 0)
      let result = try Command.run("verify", "shop.yaml", in: folder)
      #expect(result.code == 1)
      let message = "expected a regular file, found a pipe, socket or device [fixture.unreadable]"
      #expect(result.output.contains(message), "\(result.output)")
    }
  }

  /// A line that begins with `::` or `##[` is a command to a CI system.
  @Test(arguments: ["text", "junit", "github"])
  func `the name of a fixture or an example, and a body, begin no line of a report`(format: String) throws {
    let forged = "\n::stop-commands::x\n##[error]x"
    let quoted = #""a\n::stop-commands::x\n##[error]x""#
    let contract = Shop.contract.replacing("cat: {value: {name: Tom}}", with: "\(quoted): {value: {nme: Tom}}")
    let files = [
      "shop.yaml": contract, "fixtures/shop/readPet/200.a\(forged).json": "{",
      "fixtures/shop/readPet/200.b.json": "{\(forged)",
      "fixtures/shop/readPet/200.c.yaml": "body: {name: [\(quoted)]}\n",
    ]
    try withProject(files) { folder in
      let result = try Command.run("verify", "shop.yaml", "--format", format, in: folder)
      #expect(result.code == 1, "\(result.error)")
      #expect(result.output.contains("stop-commands"), "\(result.output)")
      for line in (result.output + result.error).split(separator: "\n") {
        #expect(!line.hasPrefix("::stop") && !line.hasPrefix("##["), "\(line)")
      }
    }
  }

  @Test func `a pipe in the place of an example's file is reported without waiting`() throws {
    let contract = Shop.contract.replacing("cat: {value: {name: Tom}}", with: "cat: {externalValue: cat.json}")
    try withProject(["shop.yaml": contract]) { folder in
      #expect(try Command.run("/usr/bin/mkfifo", [folder + "/cat.json"]).code == 0)
      let result = try Command.run("verify", "shop.yaml", in: folder)
      let message = "expected a regular file, found a pipe, socket or device [example.external]"
      #expect(result.output.contains(message), "\(result.output)\(result.error)")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "skipped: no /dev/full"))
  func `a report that cannot be printed is a failure`() throws {
    let result = try Command.run("/bin/sh", ["-c", "'\(Command.path)' explain resp.time > /dev/full"])
    #expect(result.code == 2)
    #expect(result.error == "error: standard output cannot be written: no space left on device\n")
    #expect(try Command.run("/bin/sh", ["-c", "'\(Command.path)' explain | head -1"]).error == "")
  }

  @Test(
    arguments: [
      (["shp.yaml"], 3, "a contract cannot be loaded"),
      (["--shard", "9/8"], 2, "`--shard 9/8` is not a part"),
      (["--har", "none.har"], 3, "none.har"),
      (["--fix"], 1, "1 file could be repaired"),
    ])
  func `a run that ends early replaces an earlier report`(
    _ arguments: [String], _ code: Int, _ reason: String
  ) throws {
    let files = [
      "shop.yaml": Shop.contract, "report.json": "an older report", "fixtures/shop/readPet/200.json": #"{"id": 7}"#,
    ]
    try withProject(files) { folder in
      let given = arguments.first?.hasSuffix(".yaml") == true ? arguments : ["shop.yaml"] + arguments
      let result = try Command.run(Command.path, ["verify", "--report", "json=report.json"] + given, in: folder)
      #expect(result.code == Int32(code), "\(result.error)")
      let report = try String(contentsOfFile: folder + "/report.json", encoding: .utf8)
      #expect(report.contains("\"abortedBecause\"") && report.contains(reason), "\(report)")
    }
  }

  @Test func `each option of a live run needs a server`() throws {
    let help = try Command.run("verify", "--help").output
    let options = help.matches(of: /(--[a-z-]+)(?:, --[a-z-]+)?( <[^>]+>)?\s+With --live:/).map(\.output)
    #expect(options.count > 15)
    try withProject(["shop.yaml": Shop.contract]) { folder in
      // Fixtures have base paths as well.
      for (_, flag, value) in options where !flag.hasSuffix("base-path") {
        let arguments = [String(flag)] + (value == nil ? [] : [flag == "--mode" ? "positive" : "1"])
        let error = try Command.run(Command.path, ["verify", "shop.yaml"] + arguments, in: folder).error
        #expect(error.hasPrefix("error: `\(flag)` needs a server\n"), "\(error)")
      }
    }
  }

  @Test func `an unknown key below verify is reported`() throws {
    let config = "contracts: [shop.yaml]\nverify: {lvie: {url: http://127.0.0.1:1}}\n"
    try withProject(["shop.yaml": Shop.contract, "understudy.yaml": config]) { folder in
      let result = try Command.run("verify", in: folder)
      #expect(result.code == 2)
      #expect(
        result.error.contains("understudy.yaml:2:10: error: unknown key `lvie` [config.unknown-key]"), "\(result.error)"
      )
    }
  }

  @Test func `a request without the base path is reported, but not a page of the site`() throws {
    let contract = Shop.contract.replacing("paths:\n", with: "servers: [{url: \"https://api.example/v1\"}]\npaths:\n")
    func har(_ path: String) -> String {
      """
      {"log": {"entries": [{"startedDateTime": "2026-01-01T10:00:00Z",
      "request": {"method": "GET", "url": "https://api.example\(path)"},
      "response": {"status": 200, "content": {"size": 0}}}]}}
      """
    }
    try withProject(["shop.yaml": contract, "lost.har": har("/pets/1"), "page.har": har("/about")]) { folder in
      let lost = try Command.run("verify", "shop.yaml", "--har", "lost.har", in: folder)
      #expect(lost.code == 1)
      #expect(lost.output.contains("[req.path.unknown]"), "\(lost.output)")
      let page = try Command.run("verify", "shop.yaml", "--har", "page.har", in: folder)
      #expect(page.code == 4)
      #expect(page.output.contains("a path outside the base path of the contract's server"), "\(page.output)")
    }
  }

  @Test func `an error of a contract is an error of every run`() throws {
    let har = """
      {"log": {"entries": [{"startedDateTime": "2026-01-01T10:00:00Z",
      "request": {"method": "GET", "url": "http://h/pets/1"}, "response": {"status": 200,
      "headers": [{"name": "Content-Type", "value": "application/json"}], "content": {"size": -1, "text": "{}"}}}]}}
      """
    try withProject(["shop.yaml": Shop.referring(to: "#/nowhere"), "t.har": har]) { folder in
      let result = try Command.run("verify", "shop.yaml", "--har", "t.har", in: folder)
      #expect(result.code == 1)
      #expect(result.output.contains("[spec.ref.unresolved]"), "\(result.output)")
    }
  }

  @Test func `every gate holds, and no baseline swallows one`() throws {
    try withProject(["shop.yaml": Shop.contract]) { folder in
      func code(_ options: String...) throws -> Int32 {
        try Command.run(Command.path, ["coverage", "shop.yaml"] + options, in: folder).code
      }
      let codes = [
        try code("--min-coverage", "served=50", "--min-coverage", "fixture=1"),
        try code("--min-coverage", "90", "--baseline", "b.yaml", "--update-baseline"),
        try code("--min-coverage", "90", "--baseline", "b.yaml"),
      ]
      #expect(codes == [5, 5, 5])
    }
  }
}
