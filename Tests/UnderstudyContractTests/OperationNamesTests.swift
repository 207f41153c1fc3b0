import Testing
import UnderstudyContract
import UnderstudyTestSupport

@Suite struct OperationNamesTests {
  private func ids(_ paths: String) throws -> [String] {
    try ContractFixture("openapi: 3.1.0\npaths:\n" + paths).api.operations.map(\.id)
  }

  @Test func `an operation is called by its id, else by method and path`() throws {
    #expect(
      try ids("  /pets/{id}: {get: {operationId: readPet}, put: {}, post: {operationId: \"\"}}\n  /: {get: {}}")
        == ["readPet", "PUT_pets_{id}", "POST_pets_{id}", "GET_"])
  }

  @Test(arguments: ["a/b", "../x", ".hidden", "_scenarios", "a\\\\b", "a\\u0000b", "a\\nb"])
  func `an id that cannot name a folder is not used for one`(_ id: String) throws {
    #expect(try ids("  /pets: {get: {operationId: \"\(id)\"}}") == ["GET_pets"])
  }

  @Test func `an id that is too long for a file system is not used`() throws {
    let long = String(repeating: "é", count: 150)
    let path = String(repeating: "/abcdefghi", count: 30)
    let found = try ids("  \(path): {get: {operationId: \(long)}}")
    #expect(found.first?.utf8.count == 200)
    #expect(found.first?.utf8.starts(with: "GET_abcdefghi_".utf8) == true)
  }

  @Test func `ids stay apart where paths differ in a slash, or ids in case`() throws {
    #expect(
      try ids("  /a/b: {get: {}}\n  /a_b: {get: {}}\n  /c: {get: {operationId: get_a_b}}") == [
        "GET_a_b", "GET_a_b_2", "GET_c",
      ])
  }

  @Test func `a second use of an operationId is an error at its place`() throws {
    let api = try ContractFixture(
      "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths:\n  /a: {get: {operationId: x}}\n  /b: {get: {operationId: x}}"
    ).api
    #expect(api.diagnostics.map(\.place) == ["spec.operation.id-duplicate 5:27"])
    #expect(api.diagnostics.first?.notes.first?.location?.start?.line == 4)
    #expect(api.operations.map(\.id) == ["x", "GET_b"])
  }

  @Test func `an operation is found by folder and by id`() throws {
    let api = try ContractFixture("openapi: 3.1.0\npaths: {/a: {get: {operationId: x/y}}}").api
    #expect(api.operation("GET_a")?.path == "/a")
    #expect(api.operation("x/y")?.path == "/a")
    #expect(api.operation("z") == nil)
  }
}
