import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct FixtureStoreTests {
  @Test func `without a folder there are no fixtures and no findings`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      #expect(mock.contracts[0].fixtures.count == 0)
      #expect(mock.complaints == [])
    }
  }

  @Test func `fixtures are found by operation, status and name, in the order of their file names`() throws {
    let files = [
      "readNote/200.json": "1", "readNote/200.b.json": "2", "readNote/200.a.b.json": "3", "readNote/5XX.txt": "4",
      "writeNote/409.json": "5",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      let fixtures = mock.contracts[0].fixtures
      #expect(fixtures.count == 5)
      #expect(
        fixtures.fixtures["readNote"]?.map(\.label)
          == ["readNote/200.a.b", "readNote/200.b", "readNote/200", "readNote/5XX"])
      #expect(fixtures.fixtures["writeNote"]?.map(\.name) == [nil])
    }
  }

  @Test func `files that people and editors leave behind are not fixtures`() throws {
    let files = [
      "readNote/200.json": "{}", "readNote/.200.json.swp": "", "readNote/200.json~": "", "readNote/README.md": "",
      "readNote/_draft.json": "", "_scenarios/a.yaml": "", ".git/b": "", "readNote/folder/notes.json": "",
      "README.md": "", "readNote/#200.json#": "", "readNote/.#200.json": "", "readNote/_aside/200.json": "",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.contracts[0].fixtures.count == 1)
      #expect(mock.complaints == [])
    }
  }

  @Test func `a fixture outside its folder is reported, a body file is not`() throws {
    let files = [
      "200.json": "{}", "readNote/errors/500.json": "{}", "readNote/bodies/200.json": "{}",
      "writeNote/errors/409.json": "{}", "readNote/200.yaml": "bodyFile: bodies/200.json",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      let found = mock.contracts.flatMap(\.diagnostics)
      #expect(found.allSatisfy { $0.rule == .fixtureMisplaced })
      let places = found.compactMap { $0.location?.path }.map {
        $0.split(separator: "/").suffix(2).joined(separator: "/")
      }
      #expect(places == ["api/200.json", "errors/500.json", "errors/409.json"])
    }
  }

  @Test(arguments: ["2000.json", "099.json", "600.json", "ok.json", "200", "200.", "20X.json", "200..json"])
  func `a file name without a status is reported`(name: String) throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNote/\(name)": "{}", "readNote/404.json": "{}"]).withMock {
      mock in
      #expect(mock.complaints == ["fixture.file-name  `\(name)` does not start with a status"])
      #expect(mock.contracts[0].fixtures.count == 1)
    }
  }

  @Test func `a folder of no operation is reported with the nearest one`() throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNotes/200.json": "{}"]).withMock { mock in
      let found = mock.contracts[0].diagnostics
      #expect(found.map(\.message) == ["no operation of `api` is called `readNotes`"])
      #expect(found.first?.help == "did you mean `readNote`?")
    }
  }

  @Test func `an undocumented status is reported, and served on request`() throws {
    let files = [
      "readNote/418.json": "{}", "readNote/451.yaml": "violates: [resp.status.undocumented]\n",
      "readNote/502.txt": "down",
    ]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.complaints == ["fixture.status.undocumented  readNote documents no 418"])
      #expect(mock.send("/notes/1", ["Prefer": "code=418"]).reason == "fixture readNote/418 (preferred)")
      #expect(mock.send("/notes/1", ["Prefer": "code=502"]).text == "down")
    }
  }

  @Test func `the first of two defaults with one media type is served, the second reported`() throws {
    let files = ["readNote/200.json": "{\"n\":1}", "readNote/200.yaml": "body: {n: 2}\n", "readNote/200.txt": "three"]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.complaints == ["fixture.duplicate  a second fixture for readNote/200"])
      #expect(mock.contracts[0].diagnostics.first?.location?.path?.hasSuffix("200.yaml") == true)
      #expect(mock.send("/notes/1").text == "{\"n\":1}")
      #expect(mock.send("/notes/1", ["Accept": "text/plain"]).text == "three")
    }
  }

  @Test func `a broken fixture takes no other with it`() throws {
    let files = ["readNote/200.yaml": "body: [", "readNote/404.yaml": "nobody: 1\n", "readNote/500.txt": "good"]
    try ContractFixture(MockContract.notes, fixtures: files).withMock { mock in
      #expect(mock.contracts[0].diagnostics.map(\.rule) == [.fixtureUnreadable, .fixtureUnknownKey])
      #expect(mock.send("/notes/1").reason == "example readNote/200.first")
      #expect(mock.send("/notes/1", ["Prefer": "code=500"]).text == "good")
    }
  }
}
