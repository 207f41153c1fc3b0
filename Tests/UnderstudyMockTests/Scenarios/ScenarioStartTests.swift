import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Scenarios that begin in a state that is not their own start.
struct ScenarioStartTests {
  private static let scenario = """
    machine:
      states:
        waiting:
          on: {readNote: {answer: 404}}
          after: {10s: matched}
        matched:
          on: {readNote: {answer: 200}}
          after: {10s: over}
        over:
          on: {readNote: {answer: 503}}

    """
  private static let two = """
    machines:
      queue:
        states:
          waiting:
            on: {readNote: {answer: 404}}
          matched:
            on: {readNote: {answer: 503}}
      chat:
        states:
          waiting:
            on: {writeNote: {answer: 204}}
          full:
            on: {writeNote: {answer: 409}}

    """
  private static let users = """
    machine:
      per: {header: user}
      states:
        waiting:
          on: {readNote: {answer: 404, to: matched}}
        matched:
          on: {readNote: {answer: 200, to: waiting}}

    """
  private static let fixtures = [
    "_scenarios/queue.yaml": scenario, "_scenarios/two.yaml": two, "_scenarios/users.yaml": users,
    "_scenarios/steps.yaml": "sequence: {readNote: [404, 200]}\n",
  ]

  private func lane() throws -> LaneClient {
    let mock = try ContractFixture(MockContract.notes, fixtures: Self.fixtures).mock()
    #expect(mock.contracts.flatMap { $0.scenarios.flatMap(\.diagnostics) }.filter { $0.severity == .error }.isEmpty)
    return LaneClient(mock)
  }

  private func play(_ body: String, in lane: LaneClient) throws {
    try LaneOpeningReader.read(Array(body.utf8), for: lane.mock).apply(to: &lane.state, of: lane.mock)
  }

  @Test func `a scenario begins in the state that is named`() throws {
    let lane = try lane()
    try play(#"{"scenario": "queue"}"#, in: lane)
    #expect(lane.send("/notes/1").status == 404)
    try play(#"{"scenario": "queue", "state": "matched"}"#, in: lane)
    #expect(lane.send("/notes/1").status == 200)
    try play(#"{"scenario": "queue"}"#, in: lane)
    #expect(lane.send("/notes/1").status == 404)
  }

  @Test func `the timers of the state run from its beginning`() throws {
    let lane = try lane()
    lane.now = lane.mock.options.now()
    try play(#"{"scenario": "queue", "state": "matched", "stopClock": true}"#, in: lane)
    #expect(lane.send("/notes/1").status == 200)
    try play(#"{"advance": "11s"}"#, in: lane)
    #expect(lane.send("/notes/1").status == 503)
  }

  @Test func `each instance of a machine begins in the state`() throws {
    let lane = try lane()
    try play(#"{"scenario": "users", "state": "matched"}"#, in: lane)
    #expect(["a", "b", "a"].map { lane.send("/notes/1", ["user": $0]).status } == [200, 200, 404])
  }

  @Test func `a scenario with several machines begins in a state of each`() throws {
    let lane = try lane()
    try play(#"{"scenario": "two", "state": {"queue": "matched", "chat": "full"}}"#, in: lane)
    #expect(lane.send("/notes/1").status == 503)
    #expect(lane.send(.post, "/notes/1").status == 409)
    try play(#"{"scenario": "two", "state": "full"}"#, in: lane)
    #expect(lane.send("/notes/1").status == 404)
    #expect(lane.send(.post, "/notes/1").status == 409)
  }

  @Test(arguments: [
    (
      #"{"scenario": "queue", "state": "machted"}"#, "the scenario `queue` has no state `machted`",
      "did you mean `matched`? known: waiting, matched, over"
    ),
    (
      #"{"scenario": "queue", "state": "x"}"#, "the scenario `queue` has no state `x`",
      "known: waiting, matched, over"
    ),
    (
      #"{"scenario": "two", "state": "waiting"}"#, "several machines have a state `waiting`: `queue`, `chat`",
      #"name one, as in {"state": {"queue": "waiting"}}"#
    ),
    (
      #"{"scenario": "two", "state": {"queue": "full"}}"#, "the scenario `two` has no state `full`",
      "known: waiting, matched"
    ),
    (
      #"{"scenario": "two", "state": {"quue": "full"}}"#, "the scenario `two` has no machine `quue`",
      "did you mean `queue`?"
    ),
    (
      #"{"scenario": "steps", "state": "x"}"#, "the scenario `steps` has no states",
      "it answers with sequences, which begin with their first step"
    ),
    (
      #"{"state": "matched"}"#, "`state` needs `scenario`", #"expected {"scenario": "NAME", "state": "STATE"}"#
    ),
  ])
  func `a state that is not there is refused with the known ones`(body: String, message: String, help: String) throws {
    let lane = try lane()
    let problem = #expect(throws: LaneProblem.self) { try play(body, in: lane) }
    #expect(problem?.message.hasSuffix(message) == true, "\(problem?.message ?? "")")
    #expect(problem?.help == help)
  }
}
