import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// A state that an earlier version has stored continues in this one.
struct LaneStateFormatTests {
  private func encoded(_ state: LaneState) throws -> JSON {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try JSON(parsing: String(decoding: encoder.encode(state), as: UTF8.self))
  }

  private func decoded(_ text: String) throws -> LaneState {
    try JSONDecoder().decode(LaneState.self, from: Data(text.utf8))
  }

  @Test func `a state is encoded with the number of its format`() throws {
    #expect(try encoded(LaneState())["format"]?.int == 1)
  }

  @Test(arguments: ["format-0.json"])
  func `a state of an earlier format is decoded with all of its members`(_ file: String) throws {
    let stored = try JSON(parsing: Project.text("Tests/LaneStates/\(file)"))
    let state = try encoded(decoded(JSONWriter.text(stored)))
    let members = state.members.filter { $0.name != "format" }.map { ($0.name, $0.value) }
    #expect(JSONWriter.text(.object(members)) == JSONWriter.text(stored))
    #expect(state["format"]?.int == 1)
  }

  @Test func `the routes of a lane are encoded where it has some, and decoded`() throws {
    let lane = Lane(LaneState())
    #expect(try encoded(lane.value)["routes"] == nil)
    lane.change(.routes([AddedRoute("GET /a", ["json": 1])]), by: try ContractFixture(MockContract.notes).mock())
    let text = JSONWriter.text(try encoded(lane.value))
    #expect(try JSON(parsing: text)["routes"] == [["key": "GET /a", "reply": #"{"json":1}"#]])
    #expect(try decoded(text).routes == lane.value.routes)
  }

  @Test func `a state of a later format is rejected by its number`() throws {
    let error = try #require(throws: DecodingError.self) { try decoded(#"{"format": 2}"#) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.debugDescription == "unknown format 2 of a lane's state: expected at most 1")
  }
}
