import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct RefusalWordingTests {
  @Test func `a single byte is counted in the singular`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let reply = mock.send(.get, "/notes/1", body: "x")
      #expect(
        reply.diagnostics.map(\.message) == ["readNote documents no body, but the request has a body of 1 byte"])
    }
  }

  @Test func `a refused Accept lists each type that is offered once`() throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNote/200.json": "{}"]).withMock { mock in
      let reply = mock.send("/notes/1", ["Accept": "image/png"])
      #expect(reply.diagnostics.map(\.help) == ["offered: application/json"])
    }
  }
}
