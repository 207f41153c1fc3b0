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

  @Test func `a contract in memory answers, and its replies can be chosen`() throws {
    let api = try #require(Understudy.current)
    #expect(try answer().body == #"["Rex"]"#)
    api.reply(with: Cell(operation: "listPets", status: 200))
    #expect(try answer().status == 200)
    api.reply(
      to: "listPets", .response(418, headers: ["X-Brew": "tea"], body: "short"),
      .response(200, headers: [.setCookie: "a=1", .setCookie: "b=2"], body: Data([0x21])),
      .response(202, headers: [.eTag: "a"]), .response(204), .fault(.reset), .status(200).with(fault: .html))
    let (text, bytes, fields) = (try answer(), try answer(), try answer())
    #expect(text.status == 418 && text["x-brew"] == "tea" && text.body == "short")
    #expect(bytes.body == "!" && fields["etag"] == "a")
    #expect(try answer().status == 204)
    #expect(throws: (any Error).self) { try answer() }
    #expect(try answer().body.hasPrefix("<!DOCTYPE html>"))
  }

  @Test func `a URL is a contract, with fixtures of another URL`() async throws {
    let folder = try TemporaryFolder(["pets.yaml": pets, "f/pets/listPets/200.json": #"["Ada"]"#])
    let url = URL(filePath: folder.path)
    let trait: UnderstudyTrait = .understudy(
      try Contract(contentsOf: url.appending(path: "pets.yaml"), fixtures: url.appending(path: "f")))
    let found = try await failures(of: trait) {
      let answer = try send("/pets", fields: "")
      #expect(answer.body == #"["Ada"]"#)
    }
    #expect(found == [])
  }

  @Test func `a missing resource and a broken contract fail the test at its trait`() async throws {
    let missing = try await failures(of: .understudy(try Contract(contentsOf: nil))) { Issue.record("the test ran") }
    #expect(missing.count == 1 && missing.first?.contains("the URL of the contract is `nil`") == true, "\(missing)")
    let broken = try await failures(of: .understudy(try Contract("paths: [", name: "pets"))) {
      Issue.record("the test ran")
    }
    #expect(broken.count == 1 && broken.first?.contains("pets:1:9: error: ") == true, "\(broken)")
  }

  @Test func `a mock without the trait takes a contract as well`() async throws {
    let api = try await Understudy.start(try Contract(pets, name: "pets"))
    #expect(try send("GET", "/pets", "", to: api).body == #"["Rex"]"#)
    try await api.stop()
    let broken = pets.replacing("{example: [Rex]}", with: "{schema: {$ref: 'none.yaml'}}")
    let contract = try Contract(broken, name: "pets")
    await #expect(throws: UnderstudyError.self) { try await Understudy.start(contract) }
    let allowed = try await Understudy.start(contract, allowing: ["spec.ref.unresolved"])
    try await allowed.stop()
  }

  @Test func `a header without a valid name fails the test at its reply`() async throws {
    let found = try await failures(of: .understudy(try Contract(pets, name: "pets"))) {
      try #require(Understudy.current).reply(to: "listPets", .response(200, headers: ["a b": "c"]))
    }
    #expect(found.count == 1 && found.first?.contains("`a b` is not a valid name") == true, "\(found)")
  }
}
