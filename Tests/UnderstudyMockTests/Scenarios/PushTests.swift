import Foundation
import HTTPTypes
import Testing
import UnderstudyJSON
import UnderstudyMock
import UnderstudyTestSupport

/// Push messages that scenarios send.
struct PushTests {
  private static let contract =
    MockContract.notes + """
      x-understudy-push: {$ref: "#/components/schemas/Push"}
      components:
        schemas:
          Push: {type: object, required: [kind], properties: {kind: {type: string}}}

      """

  private static func fixture(_ rule: String, message: String = #"{"kind": "new"}"#) -> ContractFixture {
    ContractFixture(
      contract,
      fixtures: [
        "_push/new.json": message, "_push/gone.yaml": "kind: gone\n",
        "_scenarios/notify.yaml": "machine: {states: {a: {final: true, on: {readNote: \(rule)}}}}\n",
      ])
  }

  private func played(_ rule: String, requests: Int = 1) throws -> (state: LaneState, replies: [Reply]) {
    let mock = try Self.fixture(rule).mock { $0.scenario = "notify" }
    #expect(mock.diagnostics.isEmpty && mock.contracts[0].diagnostics.isEmpty)
    var state = mock.newState()
    let replies = (0..<requests).map { _ in
      mock.reply(to: Mock.request(.get, "/notes/7"), in: &state, at: Mock.Instant(microsecondsSince1970: 5))
    }
    return (state, replies)
  }

  @Test func `a rule puts its message into the lane, with the schema of the contract`() throws {
    let (state, replies) = try played("{answer: 200, push: new}")
    let message = try #require(state.pushes.messages.first)
    #expect(state.pushes.messages.count == 1)
    #expect(message.name == "new" && message.recipient == nil && message.request == 1 && message.time == 5)
    #expect(message.content == ["kind": "new"])
    #expect(message.schema == "#/components/schemas/Push")
    #expect(replies.map(\.pushes) == [["new"]])
  }

  @Test func `a rule may send several messages, each to a user that the request names`() throws {
    let (state, replies) = try played(#"{answer: 200, push: [{message: new, to: "{{request.path.id}}"}, gone]}"#)
    #expect(state.pushes.messages.map(\.name) == ["new", "gone"])
    #expect(state.pushes.messages.map(\.recipient) == ["7", nil])
    #expect(replies.map(\.pushes) == [["new", "gone"]])
  }

  @Test func `a rule without a status sends its message after the success alone`() throws {
    let mock = try Self.fixture("{push: new}").mock { $0.scenario = "notify" }
    var state = mock.newState()
    let at = Mock.Instant(microsecondsSince1970: 0)
    for code in ["404", "200"] {
      let request = Mock.request(.get, "/notes/7", ["Prefer": "code=\(code)"])
      let reply = mock.reply(to: request, in: &state, at: at)
      #expect(reply.pushes == (code == "200" ? ["new"] : []))
    }
    #expect(state.pushes.messages.map(\.request) == [2])
  }

  @Test func `a timer sends its messages when it runs out, each once`() throws {
    let states = "{a: {after: {20s: {to: b, push: [new, gone]}}, on: {readNote: 200}}, b: {final: true}}"
    let fixture = ContractFixture(
      Self.contract,
      fixtures: [
        "_push/new.json": #"{"kind": "new"}"#, "_push/gone.yaml": "kind: gone\n",
        "_scenarios/notify.yaml": "machine: {per: {header: X-User}, states: \(states)}\n",
      ])
    let mock = try fixture.mock {
      $0.scenario = "notify"
      $0.now = { 5 }
    }
    #expect(mock.contracts[0].diagnostics.isEmpty)
    var state = mock.newState()
    func read() {
      _ = mock.reply(
        to: Mock.request(.get, "/notes/7", ["X-User": "u1"]), in: &state, at: Mock.Instant(microsecondsSince1970: 5))
    }
    read()
    state.clock.advance(by: .microseconds(19_999_999))
    #expect(mock.pushes(of: state) == [])
    state.clock.advance(by: .seconds(10))
    // Whoever reads them, with a request between and without one.
    for _ in 0...1 {
      let pushes = mock.pushes(of: state)
      #expect(pushes.map(\.name) == ["new", "gone"] && pushes.map(\.recipient) == ["u1", "u1"])
      #expect(pushes.map(\.time) == [20_000_005, 20_000_005] && pushes.map(\.request) == [0, 0])
      read()
    }
    #expect(state.pushes.messages == mock.pushes(of: state))
  }

  @Test(arguments: [
    ("{20s: {push: new}}", "`to` is missing, as in `after: {20s: {to: found, push: matched}}`"),
    ("{20s: {to: b, push: nwe}}", "no file of `_push` has the name `nwe`"),
    ("{20s: {to: b, psh: new}}", "unknown key `psh`"), ("{20s: {to: c}}", "the machine has no state `c`"),
  ])
  func `a timer that cannot be read is reported`(timer: String, message: String) throws {
    let fixture = ContractFixture(
      Self.contract,
      fixtures: [
        "_push/new.json": #"{"kind": "new"}"#,
        "_scenarios/notify.yaml":
          "machine: {states: {a: {after: \(timer), on: {readNote: {to: b}}}, b: {final: true}}}\n",
      ])
    let found = try fixture.contract().scenarios.flatMap(\.diagnostics)
    #expect(found.contains { $0.message == message && $0.location != nil }, "\(found.map(\.message))")
  }

  @Test func `a lane holds the last 200 messages`() throws {
    let state = try played("{answer: 200, push: new}", requests: 203).state
    #expect(state.pushes.messages.map(\.request) == Array(4...203))
  }

  @Test func `the messages are stored with the state, and no member without them`() throws {
    let state = try played("{answer: 200, push: new}").state
    let data = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(LaneState.self, from: data) == state)
    let empty = String(decoding: try JSONEncoder().encode(LaneState()), as: UTF8.self)
    #expect(!empty.contains("pushes"))
    #expect(try JSONDecoder().decode(LaneState.self, from: Data(empty.utf8)).pushes.messages.isEmpty)
  }

  @Test(arguments: [
    ("{push: nwe}", "no file of `_push` has the name `nwe`", "did you mean `new`?"),
    ("{push: {to: a}}", "`message` is missing, as in `push: {message: matched}`", nil),
    ("{push: {message: new, too: a}}", "unknown key `too`", "did you mean `to`?"),
    ("{}", "a rule needs `answer`, `to`, `set`, `moves`, `push`, `send` or `advance`", nil),
  ])
  func `a message that cannot be sent is reported`(rule: String, message: String, help: String?) throws {
    let contract = try Self.fixture(rule).contract()
    let found = try #require(contract.scenarios.flatMap(\.diagnostics).first { $0.message == message })
    #expect(found.help == help && found.location != nil)
  }

  @Test func `a message that breaks the schema is reported at its file`() throws {
    let contract = try Self.fixture("{push: new}", message: #"{"kind": 1}"#).contract()
    let found = contract.scenarios.flatMap(\.diagnostics)
    #expect(found.map(\.rule.id) == ["event.schema"], "\(found.map(\.message))")
    #expect(found.first?.message.hasPrefix("the push message `new`: ") == true)
    #expect(found.first?.location?.path?.hasSuffix("_push/new.json") == true)
  }
}
