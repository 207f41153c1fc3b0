import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct LaneStateTests {
  private static let fixtures = [
    "_scenarios/polling.yaml": "sequence: {readNote: [404*2, {answer: 200.turn, after: 5s}, 5XX, loop]}\n",
    "readNote/200.turn.yaml": "template: true\ntext: '{{random}} {{uuid}} {{now}}'\n",
  ]

  private func played<R>(_ body: (Mock) throws -> R) throws -> R {
    try ContractFixture(MockContract.notes, fixtures: Self.fixtures).withMock(
      configure: { $0.scenario = "polling" }, body)
  }

  @Test func `a state that is encoded and decoded between two requests gives the same answers`() throws {
    try played { mock in
      let (one, other) = (LaneClient(mock), LaneClient(mock))
      for _ in 0..<12 {
        let (expected, reply) = (one.send("/notes/1"), other.send("/notes/1"))
        #expect(reply.reason == expected.reason)
        #expect(reply.text == expected.text)
        let data = try JSONEncoder().encode(other.state)
        other.state = try JSONDecoder().decode(LaneState.self, from: data)
        #expect(other.state == one.state)
        one.advance(by: 3)
        other.advance(by: 3)
      }
    }
  }

  @Test func `a copy of a state goes its own way`() throws {
    try played { mock in
      let lane = LaneClient(mock)
      _ = lane.send("/notes/1")
      let copy = lane.state
      let statuses = (0..<2).map { _ in lane.send("/notes/1").status }
      lane.state = copy
      #expect((0..<2).map { _ in lane.send("/notes/1").status } == statuses)
    }
  }

  @Test func `a mock without a lane answers each request as the first one`() throws {
    try played { mock in
      let first = mock.send("/notes/1")
      for _ in 0..<3 { #expect(mock.send("/notes/1").reason == first.reason) }
    }
  }

  @Test func `two lanes of one mock do not see each other's requests`() throws {
    try played { mock in
      let (one, other) = (LaneClient(mock), LaneClient(mock))
      #expect((0..<2).map { _ in one.send("/notes/1").status } == [404, 404])
      one.advance(by: 5)
      #expect(one.send("/notes/1").status == 200)
      #expect(other.send("/notes/1").status == 404)
    }
  }

  @Test func `a state of another version of the scenario begins the sequence again`() throws {
    let lane = try played { mock in
      let lane = LaneClient(mock)
      for _ in 0..<3 {
        _ = lane.send("/notes/1")
        lane.advance(by: 5)
      }
      return lane
    }
    let shorter = ["_scenarios/polling.yaml": "sequence: {readNote: [404]}\n"]
    let mock = try ContractFixture(MockContract.notes, fixtures: shorter).mock()
    let other = LaneClient(mock)
    other.state = lane.state
    #expect(other.send("/notes/1").status == 404)
  }

  @Test func `the clock of a lane moves its scenario`() throws {
    try played { mock in
      let lane = LaneClient(mock)
      #expect((0..<2).map { _ in lane.send("/notes/1").status } == [404, 404])
      lane.state.clock.advance(by: .seconds(5))
      #expect(lane.send("/notes/1").status == 200)
    }
  }
}
