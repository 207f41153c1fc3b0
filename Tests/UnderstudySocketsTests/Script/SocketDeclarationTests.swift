import Testing
import UnderstudySchema
import UnderstudySockets
import UnderstudyText

/// Sockets that a rule with `to` reaches in its own declaration.
struct SocketDeclarationTests {
  private let chat = SocketScriptTests()

  /// A socket of each of three declarations, which all remember the same user.
  private func threeDeclarations(_ rules: String, scenario: String = "[]") throws -> (SocketScript, SocketState) {
    let script = try chat.script(
      """
      - transport: socketio
        rules:
          - {on: {event: join}, remember: {uid: "{{event.0}}"}}
      \(rules)
      - {transport: websocket, path: /ws, rules: [{on: {event: join}, remember: {uid: "{{event.0}}"}}]}
      - {transport: sse, operation: read, rules: [{on: connect, remember: {uid: u1}}]}
      """, scenario: scenario)
    var state = SocketState()
    for (id, number) in [(1, 0), (2, 1), (3, 2), (4, 0)] {
      script.apply(
        .connecting(id, description: number, namespace: "/", auth: nil, request: .object([])), to: &state, at: 0)
      if number < 2 {
        script.apply(
          .event(id, namespace: "/", name: "join", SocketArguments(["u1"]), id: nil), to: &state, at: 0)
      }
    }
    _ = state.takeOutputs()
    return (script, state)
  }

  @Test(arguments: ["", "to: self,", "to: all,", "to: others,", "to: {uid: u1},"])
  func `a rule about an operation reaches the sockets of its own declaration alone`(_ to: String) throws {
    var (script, state) = try threeDeclarations(
      "    - {on: {operation: send}, order: before, \(to) do: [{emit: a}, {wait: 1s}, {emit: b}]}")
    script.apply(.answered(operation: "send", status: 200, environment: .object([])), to: &state, at: 0)
    script.apply(.time, to: &state, at: 1_000_000)
    #expect(chat.emitted(&state) == ["1 a []", "4 a []", "1 b []", "4 b []"])
  }

  @Test(arguments: [("all", ["1 a []", "4 a []"]), ("others", ["4 a []"]), ("{uid: u1}", ["1 a []", "4 a []"])])
  func `an event of a socket reaches the sockets of its declaration alone, by a rule of a scenario too`(
    to: String, expected: [String]
  ) throws {
    let rule = "{on: {event: m}, to: \(to), do: [{emit: a}]}"
    for scenario in ["[]", "[\(rule)]"] {
      var (script, state) = try threeDeclarations(scenario == "[]" ? "    - \(rule)" : "", scenario: scenario)
      script.apply(.event(1, namespace: "/", name: "m", SocketArguments([]), id: nil), to: &state, at: 0)
      #expect(chat.emitted(&state) == expected)
    }
  }

  @Test func `an action from outside, and a scenario's rule about an operation, reach all declarations`() throws {
    let rule = "{on: {operation: send}, order: before, to: all, do: [{emit: a}, {wait: 1s}, {emit: b}]}"
    var (script, state) = try threeDeclarations("", scenario: "[\(rule)]")
    script.apply(.answered(operation: "send", status: 200, environment: .object([])), to: &state, at: 0)
    script.apply(.time, to: &state, at: 1_000_000)
    #expect(chat.emitted(&state) == [1, 2, 3, 4].map { "\($0) a []" } + [1, 2, 3, 4].map { "\($0) b []" })
    var command = SocketRule(.connect, at: .null)
    command.actions = [.emit("c", .arguments([]), to: .remembering([("uid", "u1")]))]
    script.apply(.command(command), to: &state, at: 1_000_000)
    #expect(chat.emitted(&state) == ["1 c []", "2 c []", "3 c []", "4 c []"])
  }
}
