import Foundation
import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// One exchange, written as a fixture.
struct ExchangeFixtureTests {
  private func exchange(_ path: String, in mock: Mock) -> ServedRequest {
    let request = Mock.request(.get, path)
    let reply = mock.reply(to: request, body: [])
    return ServedRequest(
      startedAt: 0, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: reply.status)
  }

  private func save(_ path: String = "/notes/1", name: String?, _ body: ([String], String) throws -> Void) throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let paths = try ExchangeFixture(exchange(path, in: mock), name: name, of: mock, RedactionSettings()).write()
      try body(paths, mock.contracts[0].fixtures.folder)
    }
  }

  @Test func `an answer becomes a variant, which holds what was sent`() throws {
    try save(name: "mine") { paths, folder in
      #expect(paths.count == 1 && paths[0].hasPrefix("\(folder)/readNote/"), "\(paths)")
      #expect(Path.name(of: paths[0]).contains(".mine."))
      #expect(FileManager.default.fileExists(atPath: paths[0]))
    }
  }

  @Test func `a file that is not loaded yet stays as it is, and so does a fixture with another extension`() throws {
    for (path, name) in [("200.mine.yaml", "mine"), ("200.yaml", nil)] {
      try ContractFixture(MockContract.notes).withMock { mock in
        let folder = Path.join(mock.contracts[0].fixtures.folder, "readNote")
        try FileSystem.makeFolder(mock.contracts[0].fixtures.folder)
        try FileSystem.makeFolder(folder)
        try FileSystem.write(Array("mine".utf8), to: Path.join(folder, path))
        let fixture = try ExchangeFixture(exchange("/notes/1", in: mock), name: name, of: mock, RedactionSettings())
        let problem = #expect(throws: LaneProblem.self) { try fixture.write() }
        #expect(problem?.kind == .conflict)
        #expect(try FileSystem.names(in: folder) == [path])
      }
    }
  }

  @Test func `a description is neither replaced nor replaces a body`() throws {
    for (path, isKept) in [("200.mine.yaml", true), ("200.mine.json", false)] {
      try ContractFixture(MockContract.notes).withMock { mock in
        let folder = Path.join(mock.contracts[0].fixtures.folder, "readNote")
        try FileSystem.makeFolder(mock.contracts[0].fixtures.folder)
        try FileSystem.makeFolder(folder)
        try FileSystem.write(Array("mine".utf8), to: Path.join(folder, path))
        let fixture = try ExchangeFixture(
          exchange("/notes/1", in: mock), name: "mine", of: mock, RedactionSettings())
        if isKept {
          let problem = #expect(throws: LaneProblem.self) { try fixture.write(replacing: true) }
          #expect(problem?.message.hasSuffix(path) == true, "\(problem?.message ?? "")")
        } else {
          _ = try fixture.write(replacing: true)
        }
        #expect(try FileSystem.names(in: folder) == [path])
        let text = String(decoding: try FileSystem.read(Path.join(folder, path)).bytes, as: UTF8.self)
        #expect((text == "mine") == isKept)
      }
    }
  }

  @Test func `what is to be replaced need not exist`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let fixture = try ExchangeFixture(
        exchange("/notes/1", in: mock), name: "mine", of: mock, RedactionSettings())
      #expect(try fixture.write(replacing: true).count == 1)
    }
  }

  @Test(arguments: ["../x", "a/b", "", ".", "a b", "é", String(repeating: "a", count: 61)])
  func `a name that could lead out of the folder is refused`(_ name: String) {
    let problem = #expect(throws: LaneProblem.self) { try save(name: name) { _, _ in } }
    #expect(problem?.kind == .invalid)
  }

  @Test func `a request that reached no operation has no fixture`() {
    let problem = #expect(throws: LaneProblem.self) { try save("/nowhere", name: "x") { _, _ in } }
    #expect(problem?.kind == .conflict)
  }
}
