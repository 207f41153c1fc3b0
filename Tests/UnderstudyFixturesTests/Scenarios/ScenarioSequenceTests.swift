import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ScenarioSequenceTests {
  private func played<R>(_ steps: String, _ body: (LaneClient) throws -> R) throws -> R {
    let fixtures = ["_scenarios/polling.yaml": "sequence: {readNote: \(steps)}\n", "readNote/200.empty.json": "{}"]
    return try ContractFixture(MockContract.notes, fixtures: fixtures).withMock(configure: { $0.scenario = "polling" })
    {
      try body(LaneClient($0))
    }
  }

  @Test(arguments: [
    ("[404*2, 200]", [404, 404, 200, 200, 200]), ("[404*2]", [404, 404, 404, 404, 404]),
    ("[404, 500, loop]", [404, 500, 404, 500, 404]), ("[404*2, 500, loop]", [404, 404, 500, 404, 404]),
    ("[404, loop]", [404, 404, 404, 404, 404]),
    ("[lost*2, {answer: 500*2}, 200.empty, loop]", [404, 404, 500, 500, 200]),
  ]) func `a step answers as often as it says, and a loop starts again`(steps: String, statuses: [Int]) throws {
    try played(steps) { lane in
      #expect(lane.mock.complaints == [])
      #expect(statuses.indices.map { _ in lane.send("/notes/1").status } == statuses)
    }
  }

  @Test func `a step with a time follows that long after the first answer of the step before`() throws {
    try played("[404, {answer: 200, after: 5s}, 500]") { lane in
      lane.advance(by: 60)
      #expect(lane.send("/notes/1").status == 404)
      lane.advance(by: 4)
      #expect(lane.send("/notes/1").status == 404)
      lane.advance(by: 1)
      #expect(lane.send("/notes/1").status == 200)
      #expect(lane.send("/notes/1").status == 500)
    }
  }

  @Test func `a repeated step answers its number of times, even if the time of the next one has come`() throws {
    try played("[404*2, {answer: 200, after: 5s}, loop]") { lane in
      var statuses: [Int] = []
      for _ in 0..<4 {
        statuses.append(lane.send("/notes/1").status)
        lane.advance(by: 10)
      }
      #expect(statuses == [404, 404, 200, 404])
    }
  }

  @Test func `the reason counts steps, not their repetitions`() throws {
    try played("[404*2, 500]") { lane in
      let reasons = (0..<3).map { _ in lane.send("/notes/1").reason.prefix { $0 != "," } }
      #expect(reasons == ["scenario polling step 1/2", "scenario polling step 1/2", "scenario polling step 2/2"])
    }
  }

  @Test(arguments: [
    ("[↓404*0, 200]", "fixture.invalid", "expected a whole number from 1 to 1000000"),
    ("[↓404*9999999]", "fixture.invalid", "expected a whole number from 1 to 1000000"),
    ("[↓404*x]", "fixture.invalid", "expected a whole number from 1 to 1000000"),
    ("[↓418*2]", "fixture.sequence.cell", "it has 200, 404, 5XX"),
    ("[↓200.emty*2]", "fixture.sequence.cell", "did you mean `200.empty`?"),
    ("[404, ↓lop]", "fixture.sequence.cell", "did you mean `loop`?"),
    ("[404, ↓loop, 200]", "fixture.invalid", "write `[200, 500, loop]`"),
    ("[↓loop]", "fixture.invalid", "write `[200, 500, loop]`"),
    ("[404, {↓anser: 200, answer: 200}]", "fixture.unknown-key", "did you mean `answer`?"),
    ("[404, {answer: 200, ↓afetr: 5s}]", "fixture.unknown-key", "did you mean `after`?"),
    ("[404, ↓{after: 5s}]", "fixture.invalid", ""), ("[{answer: 200, ↓after: 5s}]", "fixture.invalid", ""),
    ("[404, {answer: 200, after: ↓soon}]", "fixture.invalid", ""),
    ("[404, {answer: 200, after: ↓2h}]", "fixture.invalid", ""),
    ("[404, {answer: ↓[200]}]", "fixture.invalid", ""),
  ]) func `a mistake in a sequence is reported where it is`(marked: String, rule: String, help: String) throws {
    let places = MarkedText(marked)
    try played(places.text) { lane in
      let found = lane.mock.contracts[0].scenarios.flatMap(\.diagnostics)
      #expect(found.map(\.rule.id) == [rule])
      #expect(found.first?.help?.hasPrefix(help) ?? help.isEmpty, "\(found.first?.help ?? "")")
      let before = "sequence: {readNote: ".utf8.count
      #expect(found.compactMap { $0.location?.range?.lowerBound } == places.offsets.map { $0 + before })
    }
  }
}
