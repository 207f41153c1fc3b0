import Testing
import UnderstudyTestSupport

struct CoverageCommandTests {
  private static func entry(_ path: String, _ status: Int) -> String {
    """
    {"startedDateTime": "2026-01-01T10:00:00Z", "request": {"method": "GET", "url": "http://h\(path)"},
    "response": {"status": \(status), "headers": [{"name": "Content-Type", "value": "application/json"}],
    "content": {"size": 14, "text": "\(status == 200 ? #"{\"name\":\"Tom\"}"# : "")"}}}
    """
  }

  private static func har(_ entries: String...) -> String {
    #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
  }

  @Test func `the matrix of a contract without traffic shows its fixtures`() throws {
    try withProject(["api.yaml": Shop.contract, "fixtures/api/readPet/404.json": ""]) { (folder) throws in
      let result = try Command.run("coverage", "api.yaml", in: folder, environment: ["LC_ALL": "C"])
      #expect(result.code == 0)
      #expect(
        result.output == """
          api            200  404
          GET /pets/{id} FV.. FV..

          capital letter: every media type of the request; small: some; .: none; !: seen, not documented

          F fixture      2 of 2  100 %
          V valid        2 of 2  100 %
          S served       0 of 2    0 %
          A asserted     0 of 2    0 %

          documented, never tried: 2
            GET /pets/{id} 200 found application/json
            GET /pets/{id} 404

          """)
    }
  }

  @Test func `the recordings of several jobs are merged, and a gate names missing cells`() throws {
    try withProject([
      "api.yaml": Shop.contract, "a.har": Self.har(Self.entry("/pets/1", 200)),
      "b.har": Self.har(Self.entry("/pets/2", 404), Self.entry("/pets/3", 418)),
    ]) { (folder) throws in
      func run(_ arguments: String...) throws -> Command.Result {
        try Command.run(
          Command.path, ["coverage", "api.yaml"] + arguments, in: folder, environment: ["LC_ALL": "C.UTF-8"])
      }
      let whole = try run(
        "--har", "a.har", "--har", "b.har", "--min-coverage", "served=100", "--require", "pets/*:200,404")
      #expect(whole.code == 0, "\(whole.error)")
      #expect(whole.output.contains("GET /pets/{id} FVSA ··S· !\n"), "\(whole.output)")
      #expect(whole.output.contains("seen, not documented: 1\n  GET /pets/{id} 418 (1 time)\n"))
      let half = try run("--har", "a.har", "--min-coverage", "served=80", "--require", "readPet:*")
      #expect(half.code == 5)
      #expect(
        half.error.contains("too low: served: 50 %, expected 80 % (1 of 2)\n  missing: GET /pets/{id} 404\n"))
      #expect(
        half.error.contains("too low: readPet: 1 of 2 cells served\n  missing: GET /pets/{id} 404\n"))
    }
  }

  @Test(
    arguments: [
      ("--min-coverage", "lots", "`lots` is not a share"), ("--require", "readPet", "`readPet` has no colon"),
      ("--require", "readPot:200", "`readPot` matches no operation"),
    ])
  func `a gate that means nothing is a mistake in the command`(
    _ flag: String, _ value: String, _ message: String
  ) throws {
    try withProject(Shop.files) { (folder) throws in
      let result = try Command.run("coverage", "shop.yaml", flag, value, in: folder)
      #expect(result.code == 2)
      #expect(result.error.contains(message))
    }
  }
}
