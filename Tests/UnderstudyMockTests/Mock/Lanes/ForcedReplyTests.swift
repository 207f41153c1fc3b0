import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ForcedReplyTests {
  private func lane(_ forced: ForcedReply...) throws -> LaneClient {
    let lane = LaneClient(try ContractFixture(MockContract.notes).mock())
    lane.state.forced = forced
    return lane
  }

  @Test func `a forced answer precedes a preference, for its number of requests`() throws {
    let lane = try lane(ForcedReply(operation: "readNote", answer: "404", times: 2))
    let statuses = (0..<3).map { _ in lane.send("/notes/1", ["Prefer": "code=200"]).status }
    #expect(statuses == [404, 404, 200])
    #expect(lane.state.forced == [])
  }

  @Test func `of several forced answers the last one that the operation has counts`() throws {
    let lane = try lane(
      ForcedReply(operation: "*", answer: "404"), ForcedReply(operation: "readNote", answer: "lost"),
      ForcedReply(operation: "*", answer: "204"))
    #expect(lane.send("/notes/1").reason.hasSuffix("(forced in the lane)"))
    #expect(lane.send("/notes/1").status == 404)
    #expect(lane.send(.post, "/notes/1").status == 204)
  }
}
