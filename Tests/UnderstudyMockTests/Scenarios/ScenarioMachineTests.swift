import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ScenarioMachineTests {
  private func played<R>(_ scenario: String, _ body: (LaneClient) throws -> R) throws -> R {
    let fixtures = [
      "_scenarios/door.yaml": scenario,
      "readNote/200.seen.yaml": "template: true\ntext: '{{var.who}} {{var.me}}'\n",
      "readNote/200.others.yaml": """
      template: true
      text: "{{#others.toms}}{{me}}{{/others.toms}}|{{#others.rest}}{{me}} {{nick}}{{^isLast}}, {{/isLast}}{{/others.rest}}"
      """,
    ]
    return try ContractFixture(MockContract.notes, fixtures: fixtures).withMock(configure: { $0.scenario = "door" }) {
      try body(LaneClient($0))
    }
  }

  @Test func `a state answers, and a rule moves to the next one`() throws {
    let scenario = """
      machine:
        states:
          shut: {on: {readNote: 404, writeNote: {answer: 204, to: open}}}
          open: {on: {readNote: 200, writeNote: {answer: 409, to: shut}}}
      """
    try played(scenario) { lane in
      #expect(lane.mock.complaints == [])
      #expect(
        lane.send("/notes/1").reason == "scenario door state shut, plain 404" || lane.send("/notes/1").status == 404)
      #expect(lane.send(.post, "/notes/1").status == 204)
      #expect(lane.send("/notes/1").status == 200)
      #expect(lane.send(.post, "/notes/1").status == 409)
      #expect(lane.send("/notes/1").status == 404)
    }
  }

  @Test func `a rule without an answer waits for the success of the operation`() throws {
    let scenario = """
      machine:
        states:
          shut: {on: {readNote: 404, writeNote: {to: open}}}
          open: {final: true}
      """
    try played(scenario) { lane in
      #expect(lane.send(.post, "/notes/1", ["Prefer": "code=409"]).status == 409)
      #expect(lane.send("/notes/1").status == 404)
      #expect(lane.send(.post, "/notes/1").status == 204)
      #expect(lane.send("/notes/1").status == 200)
    }
  }

  @Test func `a rule may wait for another status, and for a part of the request`() throws {
    let scenario = """
      machine:
        states:
          shut:
            on:
              readNote: 404
              writeNote: {when: {body: {key: right}}, status: 409, to: open}
          open: {final: true}
      """
    try played(scenario) { lane in
      _ = lane.send(.post, "/notes/1", ["Prefer": "code=409"], body: "key=wrong")
      _ = lane.send(.post, "/notes/1", body: "key=right")
      #expect(lane.send("/notes/1").status == 404)
      _ = lane.send(.post, "/notes/1", ["Prefer": "code=409"], body: "key=right")
      #expect(lane.send("/notes/1").status == 200)
    }
  }

  @Test func `a timer moves on by the clock of the lane, also over several states`() throws {
    let scenario = """
      machine:
        states:
          first: {after: {1h: second}, on: {readNote: 404}}
          second: {after: {30m: third}, on: {readNote: 5XX}}
          third: {final: true}
      """
    try played(scenario) { lane in
      #expect(lane.send("/notes/1").status == 404)
      lane.advance(by: 3599)
      #expect(lane.send("/notes/1").status == 404)
      lane.advance(by: 1)
      #expect(lane.send("/notes/1").status == 500)
      lane.advance(by: 30 * 60)
      #expect(lane.send("/notes/1").status == 200)
      lane.state = lane.mock.newState()
      _ = lane.send("/notes/1")
      lane.advance(by: 90 * 60)
      #expect(lane.send("/notes/1").status == 200)
    }
  }

  @Test func `states that follow each other by time alone end after a leap of the clock`() throws {
    let scenario = """
      machine:
        states:
          one: {after: {1ms: two}, on: {readNote: 404}}
          two: {after: {1ms: one}, on: {readNote: 404}}
      """
    try played(scenario) { lane in
      _ = lane.send("/notes/1")
      lane.advance(by: 400 * 86_400)
      #expect(lane.send("/notes/1").status == 404)
    }
  }

  @Test func `each instance of a machine goes its own way, and may move another one`() throws {
    let scenario = """
      machine:
        per: {header: user}
        states:
          asleep:
            on:
              readNote: 404
              writeNote:
                answer: 204
                moves: {who: "{{request.path.id}}", to: awake, set: {who: "{{var.me}}"}}
          awake: {final: true, on: {readNote: 200.seen}}
      """
    try played(scenario) { lane in
      #expect(lane.mock.complaints == [])
      #expect(lane.send("/notes/1", ["user": "b"]).status == 404)
      #expect(lane.send(.post, "/notes/b", ["user": "a"]).status == 204)
      #expect(lane.send("/notes/1", ["user": "b"]).text == "a b")
      #expect(lane.send("/notes/1", ["user": "a"]).status == 404)
      // Without the header no instance is meant.
      #expect(lane.send("/notes/1").status == 200)
    }
  }

  @Test func `an answer shows the other instances, each in the first list that it fits`() throws {
    let scenario = """
      machine:
        per: {header: user}
        on:
          readNote: {answer: 200.others, others: {toms: {in: awake, if: {nick: Tom}}, rest: {in: awake}}}
        states:
          asleep: {on: {writeNote: {answer: 204, to: awake, set: {nick: "{{request.body.nick}}"}}}}
          awake: {after: {1h: asleep}, on: {writeNote: 409}}
      """
    try played(scenario) { lane in
      #expect(lane.mock.complaints == [])
      #expect(lane.send("/notes/1", ["user": "d"]).text == "|")
      for (user, nick) in [("c", "Cid"), ("a", "Tom"), ("b", "Bob")] {
        #expect(lane.send(.post, "/notes/1", ["user": user], body: "nick=\(nick)").status == 204)
        lane.advance(by: 1)
      }
      #expect(lane.send("/notes/1", ["user": "d"]).text == "a|c Cid, b Bob")
      #expect(lane.send("/notes/1", ["user": "b"]).text == "a|c Cid")
      // The timer of `c` runs out first, though nobody has asked for it.
      lane.advance(by: 3597)
      #expect(lane.send("/notes/1", ["user": "d"]).text == "a|b Bob")
    }
  }

  @Test func `an instance is found by a claim of a token`() throws {
    let scenario = """
      machine:
        per: {header: authorization, claim: sub}
        states:
          new: {on: {readNote: {answer: 404, to: known}}}
          known: {final: true}
      """
    // {"sub":"a"} in two tokens with other signatures.
    try played(scenario) { lane in
      #expect(lane.send("/notes/1", ["Authorization": "Bearer e30.eyJzdWIiOiJhIn0.x"]).status == 404)
      #expect(lane.send("/notes/1", ["Authorization": "Bearer e30.eyJzdWIiOiJhIn0.y"]).status == 200)
    }
  }

  @Test func `a value of a request or of an answer comes back later`() throws {
    let scenario = """
      machine:
        states:
          start:
            on:
              writeNote: {answer: 204, set: {who: "{{request.body.nick}}"}}
              readNote: {if: {who: Tom}, answer: 200.seen}
      """
    try played(scenario) { lane in
      #expect(lane.send("/notes/1").text.contains("contract"))
      _ = lane.send(.post, "/notes/1", body: "nick=Tom")
      #expect(lane.send("/notes/1").text == "Tom ")
    }
  }

  @Test func `set takes effect after the response of its rule, and no set sees another`() throws {
    let scenario = """
      machine:
        states:
          start:
            on:
              readNote:
                - {if: {who: Cid}, answer: 404}
                - {answer: 200.seen, set: {who: "{{request.header.nick}}", me: "{{var.who}}"}}
      """
    try played(scenario) { lane in
      #expect(lane.send("/notes/1", ["nick": "Tom"]).text == " ")
      #expect(lane.send("/notes/1", ["nick": "Bob"]).text == "Tom ")
      #expect(lane.send("/notes/1", ["nick": "Cid"]).text == "Bob Tom")
      // A condition sees what earlier requests have set.
      #expect(lane.send("/notes/1").status == 404)
    }
  }

  @Test func `a rule moves another instance by the variables that its request has found`() throws {
    let scenario = """
      machine:
        per: {header: user}
        states:
          start:
            final: true
            on:
              readNote: 200.seen
              writeNote:
                answer: 204
                set: {who: "{{request.body.nick}}"}
                moves: {who: b, set: {who: "was {{var.me}} {{request.body.nick}}"}}
      """
    try played(scenario) { lane in
      _ = lane.send(.post, "/notes/1", ["user": "a"], body: "nick=Tom")
      #expect(lane.send("/notes/1", ["user": "a"]).text == "Tom a")
      #expect(lane.send("/notes/1", ["user": "b"]).text == "was a Tom b")
    }
  }

  @Test func `a value that is missing leaves its variable unset, which is a finding about the scenario`() throws {
    let scenario = """
      machine:
        states:
          start:
            on:
              writeNote: {answer: 204, set: {who: "{{request.body.nick}}", all: ""}}
              readNote:
                - {if: {who: "{{request.header.nick}}"}, answer: 404}
                - {if: {who: {present: false}}, answer: 200}
                - {if: {all: "{{request.header.nick}}"}, answer: 404}
                - 5XX
      """
    try played(scenario) { lane in
      #expect(lane.send(.post, "/notes/1", body: "nick=Tom").rules == [])
      #expect(lane.send("/notes/1", ["nick": "Tom"]).status == 404)
      // No text is equal to a header that is missing, not even an empty one.
      #expect(lane.send("/notes/1").status == 500)
      let reply = lane.send(.post, "/notes/1", body: "name=Tom")
      #expect(reply.rules == ["scenario.variable.unset"])
      #expect(
        reply.diagnostics.map(\.message) == ["the variable `who` has no value: `{{request.body.nick}}` is missing"])
      #expect(reply.diagnostics.first?.notes.first?.location?.start?.line == 5)
      #expect(lane.send("/notes/1").status == 200)
      #expect(lane.mock.verdict(of: lane.state).findings.isEmpty)
    }
  }

  @Test func `a rule for every operation leaves out those that lack its answer`() throws {
    let scenario = """
      machine:
        states:
          only: {final: true, on: {"*": 409}}
      """
    try played(scenario) { lane in
      #expect(lane.mock.complaints == [])
      #expect(lane.send("/notes/1").status == 200)
      #expect(lane.send(.post, "/notes/1").status == 409)
    }
  }

  @Test func `a rule lets time pass`() throws {
    let scenario = """
      machine:
        states:
          early: {after: {1h: late}, on: {readNote: 404, writeNote: {answer: 204, advance: 1h}}}
          late: {final: true}
      """
    try played(scenario) { lane in
      #expect(lane.send("/notes/1").status == 404)
      _ = lane.send(.post, "/notes/1")
      #expect(lane.send("/notes/1").status == 200)
    }
  }

  @Test func `10,000 users do not fill the memory of a lane`() throws {
    let scenario = """
      machine:
        per: {path: id}
        states:
          new: {on: {readNote: {answer: 404, to: known}}}
          known: {final: true}
      """
    try played(scenario) { lane in
      for user in 0..<10_000 { #expect(lane.send("/notes/\(user)").status == 404) }
      #expect(lane.state.machines.values.reduce(0) { $0 + $1.count } == 1_000)
      #expect(lane.send("/notes/7").status == 200)
    }
  }

  // MARK: - Mistakes

  @Test(arguments: [
    ("machine: {states: {a: {on: {readNote: {to: ↓b}}}}}", "scenario.state.unknown", "it has a"),
    ("machine: {start: ↓shot, states: {shut: {final: true}}}", "scenario.state.unknown", "did you mean `shut`?"),
    ("machine: {states: {a: {after: {1h: ↓c}}}}", "scenario.state.unknown", ""),
    (
      "machine: {states: {a: {final: true, on: {readNote: {answer: 200, others: {x: {in: ↓b}}}}}}}",
      "scenario.state.unknown", "it has a"
    ),
    (
      "machine: {states: {a: {final: true, on: {readNote: {answer: 200, others: {x: {if: {↓nick: b}}}}}}}}",
      "scenario.variable.unset", ""
    ),
    (
      "machine: {states: {a: {final: true, on: {readNote: {answer: 200, others: {x: {who: b}}}}}}}",
      "fixture.unknown-key", ""
    ),
    (
      "machine: {states: {a: {final: true, on: {readNote: {to: a, others: ↓{x: {in: a}}}}}}}", "fixture.invalid", ""
    ),
    ("machine: {states: {a: {final: true}, ↓b: {final: true}}}", "scenario.state.unreachable", "name it as `to`"),
    ("machine: {states: {↓a: {on: {readNote: 200}}}}", "scenario.state.no-exit", "add a rule with `to`"),
    ("machine: {states: {a: {on: {readNote: ↓418}, final: true}}}", "fixture.sequence.cell", "it has 200"),
    ("machine: {states: {a: {on: {↓readNotes: 200}, final: true}}}", "fixture.operation.unknown", "did you mean"),
    ("machine: {states: {a: {never: ↓readNotes, final: true}}}", "fixture.operation.unknown", "did you mean"),
    ("machine: {states: {a: {onn: {}, final: true}}}", "fixture.unknown-key", "did you mean `on`?"),
    ("machine: {states: {a: {final: true, on: {readNote: {anser: 1, answer: 200}}}}}", "fixture.unknown-key", ""),
    (
      "machine: {states: {a: {final: true, on: {readNote: {if: {↓who: x}, answer: 200}}}}}", "scenario.variable.unset",
      ""
    ),
    ("machine: {states: {a: {final: true, on: {readNote: ↓{status: 200}}}}}", "fixture.invalid", ""),
    ("machine: {states: {a: {after: {↓soon: a}, final: true}}}", "fixture.invalid", ""),
    ("machine: {states: ↓{}}", "fixture.invalid", ""), ("machine: ↓7", "fixture.invalid", ""),
    ("machines: ↓[]", "fixture.invalid", ""),
    ("machine: {per: ↓{}, states: {a: {final: true}}}", "fixture.invalid", ""),
  ]) func `a mistake in a machine is reported where it is`(marked: String, rule: String, help: String) throws {
    let places = MarkedText(marked)
    let fixtures = ["_scenarios/door.yaml": places.text]
    try ContractFixture(MockContract.notes, fixtures: fixtures).withMock { mock in
      let found = mock.contracts[0].scenarios.flatMap(\.diagnostics)
      #expect(found.map(\.rule.id) == [rule])
      #expect(found.first?.help?.hasPrefix(help) ?? help.isEmpty, "\(found.first?.help ?? "")")
      if !places.offsets.isEmpty {
        #expect(found.compactMap { $0.location?.range?.lowerBound } == places.offsets)
      }
    }
  }

  @Test(arguments: [(0, "a"), (19, "a"), (20, "b"), (39, "b"), (40, "a"), (3_600_000, "a"), (3_600_030, "b")])
  func `states that lead to each other by time are found after any time`(milliseconds: Int, state: String) throws {
    let scenario = """
      machine:
        start: a
        states:
          a: {after: {20ms: b}, on: {readNote: 404}}
          b: {after: {20ms: a}, on: {readNote: 200}}
      """
    let mock = try ContractFixture(MockContract.notes, fixtures: ["_scenarios/loop.yaml": scenario + "\n"]).mock {
      $0.scenario = "loop"
    }
    let lane = Lane(mock.newState())
    _ = mock.reply(to: Mock.request(.get, "/notes/1"), body: [], in: lane, at: LaneTime { 1_000_000 })
    let later = LaneTime { 1_000_000 + milliseconds * 1_000 }
    let reply = mock.reply(to: Mock.request(.get, "/notes/1"), body: [], in: lane, at: later)
    #expect(reply.status == (state == "a" ? 404 : 200))
  }

  @Test(arguments: [4_096, 4_097, 30_000]) func `a long variable equals only itself`(length: Int) throws {
    let scenario = """
      machine:
        start: valid
        states:
          valid: {on: {readNote: {answer: 404, to: expired, set: {old: "{{request.header.token}}"}}}}
          expired:
            on:
              readNote:
                - {if: {old: "{{request.header.token}}"}, answer: 404}
                - {answer: 200, to: fresh}
          fresh: {final: true}
      """
    let mock = try ContractFixture(MockContract.notes, fixtures: ["_scenarios/token.yaml": scenario + "\n"]).mock {
      $0.scenario = "token"
    }
    let lane = Lane(mock.newState())
    func status(_ token: String) -> Int {
      mock.reply(to: Mock.request(.get, "/notes/1", ["token": token]), body: [], in: lane).status
    }
    let token = String(repeating: "t", count: length)
    #expect([status(token), status(token), status(token), status(token.dropLast() + "u")] == [404, 404, 404, 200])
  }
}
