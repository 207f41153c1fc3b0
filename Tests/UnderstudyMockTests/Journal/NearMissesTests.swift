import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct NearMissesTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: /v1}]
    paths:
      /pets/{id}:
        get: {operationId: readPet, responses: {"200": {description: One}}}
        delete: {operationId: deletePet, responses: {"204": {description: Gone}}}
      /pets/{id}/photos:
        get: {operationId: listPhotos, responses: {"200": {description: All}}}
    """

  private func misses(_ method: String, _ target: String) throws -> [NearMisses.Miss] {
    NearMisses(of: method, target, among: try ContractFixture(Self.contract).mock().contractSet).misses
  }

  @Test func `a wrong segment is named, and the method that fits comes first`() throws {
    let misses = try misses("DELETE", "/v1/pet/7?force=1")
    #expect(misses.map(\.operation) == ["deletePet", "readPet", "listPhotos"])
    #expect(misses.first?.differences == ["`pet` stands in the place of `pets`"])
    #expect(misses.dropFirst().first?.differences.first == "the method is DELETE, not GET")
  }

  @Test func `a path of another length says so`() throws {
    let last = try misses("GET", "/v1/pets/7/photo/1").first
    #expect(last?.operation == "listPhotos")
    #expect(last?.differences == ["the path has 5 segments, not 4"])
  }

  @Test(arguments: [("GET", "/v1/pets/7"), ("GET", "/something/quite/different/here")])
  func `a request that fits, and one that is like nothing, have none`(_ method: String, _ target: String) throws {
    #expect(try misses(method, target).isEmpty)
  }
}
