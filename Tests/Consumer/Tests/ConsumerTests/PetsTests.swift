import Foundation
import UnderstudyMock
import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private let pets = """
  openapi: 3.1.0
  info: {title: Pets, version: "1"}
  paths:
    /pets/{id}:
      get:
        operationId: readPet
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        responses: {"200": {description: A pet.}, 4XX: {description: No pet., x-meaning: noPet}}
  """

/// Of this target, beside that of Understudy.
private struct Contract { var years = 2 }

/// A contract needs no file.
@Suite(.understudy(try UnderstudyMock.Contract(pets, name: "pets")))
struct PetsTests {
  @Test func `a cell of a range has a status and a name`() async throws {
    let lane = try #require(Lane.current)
    let cell = Cell(operation: "readPet", status: 400, key: "4XX", meaning: "noPet")
    try await lane.reply(with: cell)
    let (_, response) = try await URLSession.shared.data(from: lane.baseURL.appending(path: "pets/1"))
    #expect((response as? HTTPURLResponse)?.statusCode == cell.status)
    let call = try #require(try await lane.calls().first)
    #expect(lane.value("id", of: call) == 1 && Contract().years == 2)
  }

  @Test func `a reply has any headers, bytes and faults`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(
      to: "readPet", .response(418, headers: ["Retry-After": "1"], body: "tea"),
      .response(200, headers: ["ETag": "a"], body: Data([0x21])), .fault("reset:body"))
    let url = lane.baseURL.appending(path: "pets/1")
    let (tea, response) = try await URLSession.shared.data(from: url)
    #expect(String(decoding: tea, as: UTF8.self) == "tea")
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Retry-After") == "1")
    #expect(try await URLSession.shared.data(from: url).0 == Data([0x21]))
    await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
  }
}
