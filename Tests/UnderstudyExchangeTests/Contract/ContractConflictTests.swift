import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ContractConflictTests {
  private static func contract(_ path: String, server: String = "/v1") -> String {
    """
    openapi: 3.1.0
    info: {title: A, version: "1"}
    servers: [{url: "\(server)"}]
    paths:
      \(path):
        get: {responses: {"200": {description: OK}}}

    """
  }

  private func serving<R>(_ contracts: [String: String], _ body: (Mock) throws -> R) throws -> R {
    try ContractFixture(contracts: contracts).withMock(body)
  }

  @Test func `two contracts of one name are an error`() throws {
    try serving(["a/api.yaml": Self.contract("/a"), "b/api.yaml": Self.contract("/b")]) { mock in
      #expect(mock.diagnostics.map(\.rule) == [.configContractName])
      #expect(mock.conflicts.isEmpty)
    }
  }

  @Test func `a route that two contracts have is a warning that names the one that answers`() throws {
    try serving(["a.yaml": Self.contract("/pets/{id}"), "b.yaml": Self.contract("/pets/{name}")]) { mock in
      #expect(mock.diagnostics.isEmpty)
      #expect(
        mock.conflicts.map(\.message)
          == ["`GET /v1/pets/{name}` of `b` is also a route of `a`, which answers it"])
      #expect(mock.conflicts.first?.severity == .warning)
    }
  }

  @Test func `another base path, or another path, does not conflict`() throws {
    let files = [
      "a.yaml": Self.contract("/pets/{id}"), "b.yaml": Self.contract("/pets/{id}", server: "/v2"),
      "c.yaml": Self.contract("/pets/{id}.json"),
    ]
    try serving(files) { mock in
      #expect(mock.diagnostics.isEmpty)
      #expect(mock.conflicts.isEmpty)
    }
  }
}
