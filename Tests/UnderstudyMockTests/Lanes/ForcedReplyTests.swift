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

  private func force(_ replies: ForcedReply..., in lane: LaneClient) {
    var opening = LaneOpening()
    opening.forced = replies
    opening.apply(to: &lane.state, of: lane.mock)
  }

  @Test func `forcing an operation again replaces its forced answers`() throws {
    let lane = try lane(ForcedReply(operation: "*", answer: "404"))
    force(ForcedReply(operation: "readNote", answer: "500", times: 1), in: lane)
    force(ForcedReply(operation: "readNote", answer: "404"), in: lane)
    force(ForcedReply(operation: "readNote", answer: "200"), in: lane)
    #expect(lane.state.forced.map(\.answer) == ["404", "200"])
    #expect((0..<2).map { _ in lane.send("/notes/1").status } == [200, 200])
  }

  @Test func `forcing the same answer again for some requests begins their number anew`() throws {
    let lane = try lane()
    for _ in 0..<2 { force(ForcedReply(operation: "readNote", answer: "404", times: 1), in: lane) }
    #expect((0..<2).map { _ in lane.send("/notes/1").status } == [404, 200])
  }

  @Test func `a chance comes before the forced answer, and begins anew when it is forced again`() throws {
    let lane = try lane(ForcedReply(operation: "readNote", answer: "404"))
    let rare = ForcedReply(operation: "readNote", answer: "500", conditions: try FaultConditions("@first:1"))
    for _ in 0..<2 {
      force(rare, in: lane)
      #expect((0..<2).map { _ in lane.send("/notes/1").status } == [500, 404])
    }
    #expect(lane.state.forced.count == 2)
  }

  @Test func `another answer for some requests comes before the forced one, which stays`() throws {
    let lane = try lane(ForcedReply(operation: "readNote", answer: "404"))
    force(ForcedReply(operation: "readNote", answer: "500", times: 1), in: lane)
    #expect((0..<2).map { _ in lane.send("/notes/1").status } == [500, 404])
  }
}
