import Testing
import UnderstudyTestSupport

/// `understudy status --har`: fixtures that answered nothing.
struct StatusTests {
  private static let files = [
    "api.yaml": """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pet:
        get:
          operationId: readPet
          responses: {"200": {description: A pet., content: {application/json: {}}}}

    """,
    "fixtures/api/readPet/200.json": "{}", "fixtures/api/readPet/200.empty.json": "{}",
  ]

  @Test func `a fixture that answered in no recording is marked`() throws {
    try withProject(Self.files) { folder in
      let mock = try ServedMock(["api.yaml", "--har", "t.har"], in: folder)
      #expect(try Curl.get(mock.url + "/pet").status == 200)
      #expect(mock.end().code == 0)
      let status = try Command.run("status", "api.yaml", "--har", "t.har", in: folder)
      #expect(
        status.output == """
          api: 2 fixtures, 1 of 1 cell have one, 0 orphans
            readPet 200.empty  by hand  never served
            readPet 200        by hand

          """, "\(status.error)")
      #expect(try !Command.run("status", "api.yaml", in: folder).output.contains("never served"))
    }
  }

  @Test func `a broken fixture is named, with its error`() throws {
    let broken = ["fixtures/api/readPet/200.bad.yaml": "summary: A pet.\nbodyFile: gone.json\n"]
    try withProject(Self.files.merging(broken) { $1 }) { folder in
      let status = try Command.run("status", "api.yaml", in: folder)
      #expect(
        status.output == """
          api: 2 fixtures, 1 of 1 cell have one, 0 orphans
            readPet 200.empty  by hand
            readPet 200        by hand
            broken fixtures/api/readPet/200.bad.yaml:2: the body file `gone.json` cannot be read: no such file or folder

          """, "\(status.error)")
    }
  }

  @Test func `a recording of another program does not show which fixture answered`() throws {
    let har = #"{"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "1"}, "entries": []}}"#
    try withProject(Self.files.merging(["t.har": har]) { $1 }) { folder in
      let status = try Command.run("status", "api.yaml", "--har", "t.har", in: folder)
      #expect(status.code == 2)
      #expect(
        status.error == """
          error: t.har: no mock of Understudy recorded this
            help: `understudy serve --har FILE` records which fixture answered

          """)
    }
  }
}
