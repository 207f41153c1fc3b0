import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Contracts that come from elsewhere than a path.
struct ContractInMemoryTests {
  private static let pets = ContractFixture.text(
    paths: """
        /pets:
          get:
            operationId: listPets
            responses:
              "200": {description: Pets, content: {application/json: {example: [Rex]}}}
              4XX: {description: Refused, x-meaning: refused}
              "400": {description: Bad}
      """)

  private func body(of contract: Contract) -> String {
    let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/pets")
    return String(decoding: Mock(contracts: [contract]).reply(to: request).body, as: UTF8.self)
  }

  @Test func `a string and bytes are contracts with a name`() throws {
    for contract in [try Contract(Self.pets, name: "pets"), try Contract(Array(Self.pets.utf8), name: "pets")] {
      #expect(contract.name == "pets" && contract.diagnostics.isEmpty)
      #expect(body(of: contract) == #"["Rex"]"#)
    }
  }

  @Test func `a contract in memory has the fixtures of its name`() throws {
    try withProject(["fixtures/pets/listPets/200.json": #"["Ada"]"#]) { folder in
      let contract = try Contract(Self.pets, name: "pets", fixtures: "\(folder)/fixtures")
      #expect(body(of: contract) == #"["Ada"]"#)
    }
  }

  @Test func `a file URL is a contract, with the fixtures of another one`() throws {
    try withProject(["pets.yaml": Self.pets, "f/pets/listPets/200.json": #"["Ada"]"#]) { (folder) throws in
      let url = URL(filePath: folder)
      let file = url.appending(path: "pets.yaml")
      #expect(try body(of: Contract(contentsOf: file)) == #"["Rex"]"#)
      #expect(try body(of: Contract(contentsOf: file, fixtures: url.appending(path: "f"))) == #"["Ada"]"#)
      #expect(try body(of: Contract(contentsOf: file.path, fixtures: nil)) == #"["Rex"]"#)
    }
  }

  @Test func `an unusable contract says where it is`() throws {
    let broken = #expect(throws: DiagnosticError.self) { try Contract("paths: [", name: "pets") }
    #expect(broken?.description.hasPrefix("pets:1:9: error: ") == true, "\(broken?.description ?? "")")
    let remote = try #require(URL(string: "https://localhost/pets.yaml"))
    #expect(throws: DiagnosticError.self) { try Contract(contentsOf: remote) }
    #expect(throws: DiagnosticError.self) { try Contract("", name: "https://localhost/pets.yaml") }
  }

  @Test func `a cell has the status that is sent, and the key of the contract`() throws {
    let cells = try Contract(Self.pets, name: "pets").operations.flatMap(\.cells)
    #expect(cells.map(\.status) == [200, 401, 400] && cells.map(\.key) == ["200", "4XX", "400"])
    #expect(cells.map(\.description) == ["listPets 200", "listPets 4XX refused", "listPets 400"])
  }
}
