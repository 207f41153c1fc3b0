import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyTesting

private let pets = ContractFixture.text(
  paths: """
      /pets:
        get:
          operationId: listPets
          responses: {"200": {description: Pets, content: {application/json: {example: [Rex]}}}}
    """)

/// Mocks of contracts that are not found by a path.
@Suite(.understudy(try Contract(pets, name: "pets")))
struct ContractSourceTests {
  private func answer() throws -> RawClient.Response { try send("/pets", fields: "") }

  @Test func `a contract in memory answers, and its replies can be chosen`() async throws {
    let lane = try #require(Lane.current)
    #expect(try answer().body == #"["Rex"]"#)
    try await lane.reply(with: Cell(operation: "listPets", status: 200))
    #expect(try answer().status == 200)
    try await lane.reply(
      to: "listPets", .response(418, headers: ["X-Brew": "tea"], body: "short"),
      .response(200, body: Data([0x21])).header("Set-Cookie", "a=1").header("Set-Cookie", "b=2"), .response(204),
      .fault(.reset), .status(200).with(fault: .html))
    let (text, bytes) = (try answer(), try answer())
    #expect(text.status == 418 && text["x-brew"] == "tea" && text.body == "short")
    #expect(bytes.body == "!" && bytes.fields.filter { $0.name == "set-cookie" }.map(\.value) == ["a=1", "b=2"])
    #expect(try answer().status == 204)
    #expect(throws: (any Error).self) { try answer() }
    #expect(try answer().body.hasPrefix("<!DOCTYPE html>"))
  }

  @Test func `a URL is a contract, with fixtures of another URL`() async throws {
    let folder = try TemporaryFolder(["pets.yaml": pets, "f/pets/listPets/200.json": #"["Ada"]"#])
    let url = URL(filePath: folder.path)
    let trait: LaneTrait = .understudy(
      try Contract(contentsOf: url.appending(path: "pets.yaml"), fixtures: url.appending(path: "f")))
    let found = try await failures(of: trait) {
      let answer = try send("/pets", fields: "")
      #expect(answer.body == #"["Ada"]"#)
    }
    #expect(found == [])
  }

  @Test func `a broken contract fails the test at its trait`() async throws {
    let broken = try await failures(of: .understudy(try Contract("paths: [", name: "pets"))) {
      Issue.record("the test ran")
    }
    #expect(broken.count == 1 && broken.first?.contains("pets:1:9: error: ") == true, "\(broken)")
  }

  @Test func `a mock without the trait takes a contract as well`() async throws {
    let lane = try await Lane.open(on: .start(try Contract(pets, name: "pets")))
    #expect(try send("GET", "/pets", "", to: lane).body == #"["Rex"]"#)
    try await lane.close()
    let broken = pets.replacing("{example: [Rex]}", with: "{schema: {$ref: 'none.yaml'}}")
    let contract = try Contract(broken, name: "pets")
    await #expect(throws: UnderstudyError.self) { try await Lane.open(on: .start(contract)) }
    _ = try await RunningMock.start(contract, allowing: ["spec.ref.unresolved"])
  }

  @Test func `a header without a valid name fails the test at its reply`() async throws {
    let found = try await failures(of: .understudy(try Contract(pets, name: "pets"))) {
      try await Lane.current?.reply(to: "listPets", .response(200, headers: ["a b": "c"]))
    }
    #expect(found.count == 1 && found.first?.contains("`a b` is not a valid name") == true, "\(found)")
  }

  @Test func `a mock of its own has the options of the test`() async throws {
    var options = Mock.Options()
    options.force("listPets", "500")
    options.fault("listPets", "drip:1ms")
    options.delay("listPets", by: "1ms")
    let forced = ContractFixture.text(
      paths: """
          /pets:
            get:
              operationId: listPets
              responses: {"200": {description: Pets}, "500": {description: Broken}}
        """)
    let lane = try await Lane.open(on: .start(try Contract(forced, name: "pets"), options: options))
    #expect(try send("/pets", fields: "", to: lane).status == 500)
    try await lane.close()
    options.force("listPts", "200")
    await #expect(throws: UnderstudyError.self) {
      try await Lane.open(on: .start(try Contract(forced, name: "pets"), options: options))
    }
  }

  @Test func `the cells of a contract in memory are arguments of a test`() throws {
    #expect(Cell.all(of: try Contract(pets, name: "pets")).map(\.key) == ["200"])
    #expect(Cell.all(of: try Contract("paths: [", name: "pets")).count == 1)
  }

  @Test func `a violation names the member, and none of the secrets`() async throws {
    let contract = ContractFixture.text(
      paths: """
          /login:
            post:
              operationId: login
              requestBody:
                content:
                  application/json:
                    schema: {properties: {a: {properties: {n: {type: integer}}}, password: {type: string}}}
              responses: {"204": {description: In}}
        """)
    let lane = try await Lane.open(on: .start(try Contract(contract, name: "shop")))
    let fields = "Content-Type: application/json\r\n"
    try send("POST", "/login", fields, body: #"{"a": {"n": "x"}, "password": "hunter2-Zz9"}"#, to: lane)
    try send("/nowhere/hunter2-Zz9", fields: "", to: lane)
    let shown = try await lane.close(checking: false).description
    #expect(shown.contains("POST /login (login): /a/n: expected integer"), "\(shown)")
    #expect(!shown.contains("hunter2") && shown.contains("GET /nowhere/[redacted 1]"), "\(shown)")
  }
}
