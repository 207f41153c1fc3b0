import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct NetworkProfileTests {
  /// The replies to a number of requests, one of which reaches no operation.
  private func replies(_ profile: NetworkProfile, _ count: Int) throws -> [Reply] {
    try ContractFixture(MockContract.notes).withMock {
      $0.faults = profile.rules()
    } _: { mock in
      #expect(mock.diagnostics.isEmpty)
      let client = LaneClient(mock)
      return (0..<count).map { _ in client.send("/notes/1") } + [client.send("/elsewhere")]
    }
  }

  @Test(arguments: NetworkProfile.allCases) func `every fault of a network can be read`(profile: NetworkProfile) {
    #expect(profile.rules().count == profile.texts.count)
  }

  @Test func `without a network each connection is reset`() throws {
    #expect(try replies(.offline, 3).allSatisfy { $0.fault == .reset })
  }

  @Test func `on 3G each answer is late and slow`() throws {
    let replies = try replies(.mobile3g, 50)
    #expect(replies.allSatisfy { $0.fault == .bandwidth(200_000) && $0.delay > .milliseconds(50) })
    #expect(Set(replies.map(\.delay)).count > 40)
  }

  @Test func `a flaky network gives two empty replies after eight answers`() throws {
    let faults = try replies(.flaky, 20).map(\.fault)
    #expect((0..<20).filter { faults[$0] == .close } == [8, 9, 18, 19])
  }

  @Test func `a lossy network breaks a few answers`() throws {
    let replies = try replies(.lossy, 1000)
    #expect(5...50 ~= replies.count { $0.fault == .reset(at: .body) })
    #expect(20...100 ~= replies.count { $0.delay >= .seconds(1) })
  }

  @Test func `an unknown network is reported with a similar one`() {
    let problem = #expect(throws: UsageProblem.self) { try NetworkProfile.named("flakey") }
    #expect(problem?.help == "did you mean `flaky`?")
  }
}
