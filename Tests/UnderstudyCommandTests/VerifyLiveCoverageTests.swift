import Testing
import UnderstudyTestSupport

/// The coverage of live runs in reports and gates, and the requests that fixtures add.
struct VerifyLiveCoverageTests {
  private static let files = [
    "shop.yaml": Shop.contract,
    "fixtures/shop/readPet/404.gone.yaml": "when: {path: {id: 404}}\n",
    "no-fixtures/README.md": "",
  ]

  @Test func `the request of a fixture is asked of the server, and reaches its cell`() throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--quiet", "--no-watch"], in: folder)
      func served(_ options: String...) throws -> (Command.Result, gate: Command.Result) {
        let result = try Command.run(
          Command.path,
          ["verify", "--live", mock.url, "shop.yaml", "--fail-on", "info", "--report", "json=live.json"] + options,
          in: folder)
        return (result, try Command.run("coverage", "merge", "live.json", "--require", "readPet:200,404", in: folder))
      }
      let with = try served()
      #expect(with.0.code == 0, "\(with.0.output)\(with.0.error)")
      #expect(with.0.output.contains("coverage: of 2 documented answers served 2 (100 %), asserted 2 (100 %)\n"))
      #expect(with.gate.code == 0, "\(with.gate.output)\(with.gate.error)")
      let without = try served("--fixtures", "no-fixtures")
      #expect(without.0.code == 0)
      #expect(without.gate.code == 5)
      #expect(without.gate.error.contains("missing: GET /pets/{id} 404"), "\(without.gate.error)")
    }
  }

  @Test func `a run of fixtures and a server keeps the coverage of the second`() throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--quiet", "--no-watch"], in: folder)
      let settings = "contracts: shop.yaml\nverify: {live: {url: \"\(mock.url)\"}}\n"
      let result = try Command.run(
        "/bin/sh", ["-c", "printf '%s' '\(settings)' > understudy.yaml; '\(Command.path)' verify"], in: folder)
      #expect(result.code == 0, "\(result.output)\(result.error)")
      #expect(result.output.contains("coverage: of 2 documented answers served 2 (100 %)"), "\(result.output)")
    }
  }

  @Test func `a server that answers otherwise than a fixture is remarked`() throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(["shop.yaml", "--fixtures", "no-fixtures", "--quiet", "--no-watch"], in: folder)
      let result = try Command.run("verify", "--live", mock.url, "shop.yaml", in: folder)
      #expect(result.code == 0)
      let remark = "1 of 1 request of fixtures got another status than the fixture has: readPet/404.gone.yaml got 200"
      #expect(result.output.contains("remark: \(remark)\n"), "\(result.output)")
    }
  }

  @Test func `every report has the matrix, and parts of a run are joined`() throws {
    let contract = Project.path("specs/petstore.yaml")
    let mock = try ServedMock([contract, "--quiet", "--no-watch"])
    try withTemporaryFolder { folder in
      for part in ["1", "2"] {
        let result = try Command.run(
          "verify", "--live", mock.url, "--allow-unsafe", contract, "--shard", "\(part)/2", "--report",
          "json=\(part).json", "--report", "html=\(part).html", "--report", "markdown=\(part).md", in: folder)
        #expect(result.code == 0, "\(result.output)\(result.error)")
      }
      let page = try Command.run("/bin/cat", ["1.html"], in: folder).output
      #expect(page.contains("<h2") && page.contains("asserted"))
      let markdown = try Command.run("/bin/cat", ["1.md"], in: folder).output
      #expect(markdown.contains("documented answers: fixture "), "\(markdown)")
      let gates = ["--min-coverage", "served=60,asserted=60", "--format", "json"]
      let whole = try Command.run(Command.path, ["coverage", "merge", "1.json", "2.json"] + gates, in: folder)
      #expect(whole.code == 0, "\(whole.output)\(whole.error)")
      let half = try Command.run("coverage", "merge", "1.json", "--min-coverage", "served=60", in: folder)
      #expect(half.code == 4 || half.code == 5, "\(half.output)\(half.error)")
      let merged = try Command.run("report", "merge", "1.json", "2.json", "--format", "markdown", in: folder)
      #expect(merged.code == 0, "\(merged.output)\(merged.error)")
      #expect(merged.output.contains("documented answers: fixture "))
    }
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no Python"))
  func `a key in a header is shown as a variable`() throws {
    let server = try PythonServer(
      PythonServer.handler(
        """
        def do_GET(self): self.answer(500)
        """))
    defer { server.stop() }
    try withProject(Shop.files) { folder in
      let result = try Command.run(
        "verify", "--live", "http://127.0.0.1:\(server.port)", "shop.yaml", "--header", "X-Api-Key: s3cret", in: folder)
      #expect(result.code == 1 || result.code == 4, "\(result.output)\(result.error)")
      #expect(result.output.contains("${X_API_KEY}"), "\(result.output)")
      #expect(!(result.output + result.error).contains("s3cret"))
    }
  }
}
