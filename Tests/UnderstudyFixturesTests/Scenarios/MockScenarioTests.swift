import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct MockScenarioTests {
  /// An mock over the notes, with fixtures and one scenario.
  private func played<R>(
    _ scenario: String, named name: String = "polling", _ body: (LaneClient) throws -> R
  ) throws -> R {
    let fixtures = [
      "_scenarios/polling.yaml": scenario, "readNote/200.empty.json": "{}",
      "readNote/200.when.yaml": "when: {path: {id: w}}\nbody: {from: when}\n",
    ]
    return try ContractFixture(MockContract.notes, fixtures: fixtures).withMock(
      configure: { $0.scenario = name }) { try body(LaneClient($0)) }
  }

  @Test func `an operation gives its answers in turn, and the last one again`() throws {
    try played("sequence: {readNote: [lost, 200.empty, 500], writeNote: [409]}\n") { lane in
      #expect(lane.mock.complaints == [])
      #expect((0..<4).map { _ in lane.send("/notes/1").status } == [404, 200, 500, 500])
      #expect(lane.send(.post, "/notes/1").status == 409)
    }
  }

  @Test func `the answer names the step of the scenario`() throws {
    try played("sequence: {readNote: [404, 200.empty]}\n") { lane in
      _ = lane.send("/notes/1")
      let reply = lane.send("/notes/1")
      #expect(reply.reason == "scenario polling step 2/2, fixture readNote/200.empty")
      guard case .made(let response, let body) = reply.content, let name = HTTPField.Name("Understudy-Reply") else {
        Issue.record("expected an answer of its own")
        return
      }
      #expect(response.headerFields[name] == reply.reason)
      #expect(body == Array("{}".utf8))
    }
  }

  @Test func `who asks for an answer gets it, and no step is used up; a condition waits for the end`() throws {
    try played("sequence: {readNote: [404, 500]}\n") { lane in
      #expect(lane.send("/notes/1", ["Prefer": "code=200"]).status == 200)
      #expect(lane.send("/notes/w").status == 404)
      #expect(lane.send("/notes/w").status == 500)
    }
  }

  @Test(arguments: ["-12", "+12", "600"]) func `a step is a status that can be sent`(step: String) throws {
    try played("sequence: {readNote: [\"\(step)\", 404]}\n") { lane in
      #expect(lane.mock.complaints.count == 1)
      #expect([200, 404].contains(lane.send("/notes/1").status))
    }
  }

  @Test func `an operation without a sequence answers as ever`() throws {
    try played("sequence: {writeNote: [409]}\n") { lane in
      #expect(lane.send("/notes/w").text == #"{"from":"when"}"#)
    }
  }

  @Test func `an unknown scenario is reported with the nearest one`() throws {
    try played("sequence: {readNote: [404]}\n", named: "poling") { lane in
      #expect(lane.mock.diagnostics.map(\.message) == ["unknown scenario `poling`"])
      #expect(lane.mock.diagnostics.first?.help == "did you mean `polling`?")
    }
  }

  @Test(arguments: [
    ("sequence: {↓readNotes: [200]}", "fixture.operation.unknown", "did you mean `readNote`?"),
    ("sequence: {readNote: [200, ↓418]}", "fixture.sequence.cell", "it has 200, 404, 5XX"),
    ("sequence: {readNote: [↓200.emty]}", "fixture.sequence.cell", "did you mean `200.empty`?"),
    ("sequence: {readNote: [200.first, 200.second, found.empty, 503, 5XX]}", "", ""),
    ("↓sequnce: {readNote: [200]}\nsequence: {readNote: [200]}", "fixture.unknown-key", "did you mean `sequence`?"),
    ("sequence: {readNote: ↓[]}", "fixture.invalid", ""),
    ("sequence: {readNote: ↓200}", "fixture.invalid", ""),
    ("sequence: {readNote: [↓[200]]}", "fixture.invalid", ""),
    (
      "sockets: [↓{on: {operation: readNotes}, do: [{emit: a}]}]", "fixture.operation.unknown",
      "did you mean `readNote`?"
    ),
    ("sockets: [↓{on: connect, do: [{emit: a, fixture: b}]}]", "fixture.invalid", "the folder has none"),
    ("sockets: [{on: connect, ↓when: a, do: [{emit: a}]}]", "fixture.invalid", "known: "),
    ("↓summary: nothing", "fixture.invalid", ""),
    ("- ↓a: [b", "fixture.unreadable", ""),
  ]) func `what a scenario names must be there`(marked: String, rule: String, help: String) throws {
    let places = MarkedText(marked)
    try played(places.text) { lane in
      let found = lane.mock.contracts[0].scenarios.flatMap(\.diagnostics)
      #expect(found.map(\.rule.id) == (rule.isEmpty ? [] : [rule]))
      if !help.isEmpty { #expect(found.first?.help?.hasPrefix(help) == true) }
      if rule != "fixture.unreadable" {
        #expect(found.compactMap { $0.location?.range?.lowerBound } == places.offsets)
      }
    }
  }
}
