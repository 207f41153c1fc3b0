import Foundation
import Testing
import UnderstudyJSON
import UnderstudySchema
import UnderstudySockets
import UnderstudyText

struct SocketScriptTests {
  private let chat = """
    events:
      changesocketid: {from: client, arguments: [{type: string}]}
      chat: {from: server, arguments: [{type: object}]}
    rules:
      - {on: {event: changesocketid}, remember: {uid: "{{event.0}}"}}
      - on: {operation: sendChat, status: 200}
        to: {uid: "{{request.path.to}}"}
        do: [{emit: chat, argument: "{{response.body}}"}]
    """

  func script(_ text: String, scenario: String = "[]", fixtures: [String: JSON] = [:]) throws -> SocketScript {
    var reader = SocketReader()
    let descriptions = reader.descriptions(try yaml(text))
    let rules = reader.rules(try yaml(scenario))
    #expect(reader.problems.map(\.message) == [])
    return SocketScript(descriptions, scenario: rules, fixtures: fixtures)
  }

  func yaml(_ text: String) throws -> JSON {
    try TextDocument.read(SourceFile(path: "sockets.yaml", bytes: Array(text.utf8))).root
  }

  func connect(
    _ id: Int, _ script: SocketScript, _ state: inout SocketState, namespace: String = "/", auth: JSON? = nil
  ) {
    script.apply(
      .connecting(id, description: 0, namespace: namespace, auth: auth, request: .object([])), to: &state, at: 0)
  }

  func emitted(_ state: inout SocketState) -> [String] {
    state.takeOutputs().map { output in
      switch output.action {
      case .accept: "\(output.socket) accept"
      case .refuse(let message, let data): "\(output.socket) refuse \(message) \(data.map(\.text) ?? "")"
      case .emit(let event, let arguments, _): "\(output.socket) \(event) \(arguments)"
      case .acknowledge(let id, let arguments, _): "\(output.socket) ack \(id) \(arguments)"
      case .disconnect: "\(output.socket) disconnect"
      case .close(let code, let reason): "\(output.socket) close \(code.rawValue) \(reason)"
      case .drop: "\(output.socket) drop"
      case .cut(let event, _): "\(output.socket) cut \(event)"
      case .malformed(let event, _): "\(output.socket) malformed \(event)"
      case .hold(let event, _): "\(output.socket) hold \(event)"
      }
    }
  }

  @Test func `an answer of an operation reaches the socket that remembers the recipient, after the response`() throws {
    let script = try script(chat)
    var state = SocketState()
    for (id, uid) in [(1, "u1"), (2, "u2")] {
      connect(id, script, &state)
      script.apply(
        .event(id, namespace: "/", name: "changesocketid", SocketArguments([.string(uid)]), id: nil), to: &state, at: 0)
    }
    #expect(emitted(&state) == ["1 accept", "2 accept"])
    let environment: JSON = [
      "request": ["path": ["to": "u2"]], "response": ["status": 200, "body": ["_id": "7", "chat": "안녕"]],
    ]
    let held = script.apply(
      .answered(operation: "sendChat", status: 200, environment: environment), to: &state, at: 0)
    #expect(emitted(&state) == [])
    state.release(try #require(held))
    #expect(emitted(&state) == [#"2 chat [{"_id":"7","chat":"안녕"}]"#])
  }

  @Test func `an acknowledgement may follow a pause, and a speed shortens the pause`() throws {
    let rules = "rules: [{on: {event: m}, do: [{wait: 2s}, {ack: [1]}]}]"
    for (speed, due) in [("1", 2_000_000), ("4", 500_000), ("max", 0)] {
      var reader = SocketReader()
      let descriptions = reader.descriptions(try yaml(rules))
      let script = SocketScript(descriptions, speed: try #require(PlaybackSpeed(speed)))
      var state = SocketState()
      connect(1, script, &state)
      script.apply(.event(1, namespace: "/", name: "m", SocketArguments([]), id: 7), to: &state, at: 0)
      #expect(state.nextDue == (due > 0 ? due : nil))
      script.apply(.time, to: &state, at: due)
      #expect(emitted(&state) == ["1 accept", "1 ack 7 [1]"])
    }
  }

  @Test func `remember takes effect before the actions of its rule, and after its condition`() throws {
    let script = try script(
      """
      rules:
        - {on: {event: m}, if: {socket.uid: u1}, do: [{emit: known, argument: "{{socket.uid}}"}]}
        - {on: {event: m}, remember: {uid: "{{event.0}}"}, do: [{emit: new, argument: "{{socket.uid}}"}]}
      """)
    var state = SocketState()
    connect(1, script, &state)
    for uid in ["u1", "u2"] {
      script.apply(
        .event(1, namespace: "/", name: "m", SocketArguments([.string(uid)]), id: nil), to: &state, at: 0)
    }
    #expect(emitted(&state) == ["1 accept", #"1 new ["u1"]"#, #"1 known ["u1"]"#])
  }

  @Test func `a timer and the rest of a rule after a pause see what the socket remembers by then`() throws {
    let script = try script(
      """
      rules:
        - {on: {timer: 5s}, if: {socket.uid: {present: true}}, do: [{emit: timed, argument: "{{socket.uid}}"}]}
        - {on: {event: m}, remember: {uid: "{{event.0}}"}}
        - {on: {event: late}, do: [{wait: 2s}, {emit: rest, argument: "{{socket.uid}} {{event.0}}"}]}
      """)
    var state = SocketState()
    connect(1, script, &state)
    for (name, text) in [("late", "x"), ("m", "u1")] {
      script.apply(
        .event(1, namespace: "/", name: name, SocketArguments([.string(text)]), id: nil), to: &state, at: 0)
    }
    script.apply(.time, to: &state, at: 5_000_000)
    #expect(emitted(&state) == ["1 accept", #"1 rest ["u1 x"]"#, #"1 timed ["u1"]"#])
  }

  @Test(
    arguments: [
      ("7", #""7""#, true), (#""7""#, "7", true), ("7", "7", true), ("true", #""true""#, true), ("7", "8", false),
      (#""7""#, #""07""#, false), ("[7]", #""[7]""#, false), (#""\"a\"""#, #""a""#, false),
    ]) func `a number is the same recipient as its digits`(remembered: String, sent: String, isRecipient: Bool) throws
  {
    let script = try script(chat)
    var state = SocketState()
    connect(1, script, &state)
    let value = try JSONParser.parse(Array(remembered.utf8)).root
    script.apply(
      .event(1, namespace: "/", name: "changesocketid", SocketArguments([value]), id: nil), to: &state, at: 0)
    _ = emitted(&state)
    let environment: JSON = [
      "request": ["path": ["to": try JSONParser.parse(Array(sent.utf8)).root]], "response": ["body": 1],
    ]
    let held = script.apply(
      .answered(operation: "sendChat", status: 200, environment: environment), to: &state, at: 0)
    if let held { state.release(held) }
    #expect(emitted(&state) == (isRecipient ? ["1 chat [1]"] : []))
  }

  @Test func `an answer with another status emits nothing`() throws {
    let script = try script(chat)
    var state = SocketState()
    connect(1, script, &state)
    _ = emitted(&state)
    let held = script.apply(
      .answered(operation: "sendChat", status: 201, environment: .object([])), to: &state, at: 0)
    #expect(held == nil)
    #expect(state.isIdle == false)
    #expect(emitted(&state) == [])
  }

  @Test func `actions may precede the response`() throws {
    let script = try script(
      "{rules: [{on: {operation: send, status: 2XX}, order: before, to: all, do: [{emit: a}]}]}")
    var state = SocketState()
    connect(1, script, &state)
    #expect(script.apply(.answered(operation: "send", status: 201, environment: .object([])), to: &state, at: 0) == nil)
    #expect(emitted(&state) == ["1 accept", "1 a []"])
  }

  @Test func `an event whose response is being sent precedes what its client causes next`() throws {
    let script = try script(
      """
      rules:
        - {on: {operation: send}, to: all, do: [{emit: sent, argument: "{{response.body}}"}]}
        - {on: {event: message}, do: [{emit: back}]}
      """)
    var state = SocketState()
    connect(1, script, &state)
    _ = emitted(&state)
    func answer(_ number: Int) throws -> Int {
      let environment: JSON = ["response": ["body": .integer(number)]]
      return try #require(
        script.apply(.answered(operation: "send", status: 200, environment: environment), to: &state, at: 0))
    }
    // The client has the first response before the loop that wrote it goes on.
    let first = try answer(1)
    state.beginResponse(first)
    let second = try answer(2)
    state.beginResponse(second)
    state.release(second)
    #expect(emitted(&state) == ["1 sent [1]", "1 sent [2]"])
    state.release(first)
    #expect(emitted(&state) == [])
    let third = try answer(3)
    state.beginResponse(third)
    script.apply(.event(1, namespace: "/", name: "message", SocketArguments([]), id: nil), to: &state, at: 0)
    #expect(emitted(&state) == ["1 sent [3]", "1 back []"])
    // What waits for a slow response holds nothing up.
    let slow = try answer(4)
    let fast = try answer(5)
    state.beginResponse(fast)
    state.release(fast)
    #expect(emitted(&state) == ["1 sent [5]"])
    state.release(slow)
    #expect(emitted(&state) == ["1 sent [4]"])
  }

  @Test(arguments: ["before", "after"])
  func `a rule of the scenario replaces that of the contract for a response`(order: String) throws {
    let script = try script(
      "{rules: [{on: {operation: send}, to: all, do: [{emit: contract}]}]}",
      scenario: "[{on: {operation: send}, order: \(order), to: all, do: [{emit: scenario}]}]")
    var state = SocketState()
    connect(1, script, &state)
    let held = script.apply(.answered(operation: "send", status: 200, environment: .object([])), to: &state, at: 0)
    #expect((held == nil) == (order == "before"))
    if let held { state.release(held) }
    #expect(emitted(&state) == ["1 accept", "1 scenario []"])
  }

  @Test func `what the rules of two descriptions emit after a response is released together`() throws {
    let script = try script(
      """
      - {namespaces: [/a], rules: [{on: {operation: send}, to: all, do: [{emit: one}]}]}
      - {namespaces: [/], rules: [{on: {operation: send}, to: all, do: [{emit: two}]}]}
      """)
    var state = SocketState()
    for (id, namespace) in ["/a", "/"].enumerated() {
      script.apply(
        .connecting(id, description: id, namespace: namespace, auth: nil, request: .object([])), to: &state, at: 0)
    }
    _ = emitted(&state)
    let held = script.apply(.answered(operation: "send", status: 200, environment: .object([])), to: &state, at: 0)
    #expect(emitted(&state) == [])
    state.release(try #require(held))
    #expect(emitted(&state) == ["0 one []", "1 two []"])
  }

  @Test func `an event is echoed and acknowledged with its arguments and attachments`() throws {
    let script = try script(
      """
      rules:
        - {on: connect, do: [{emit: auth, argument: "{{auth}}"}]}
        - {on: {event: message}, do: [{emit: message-back, arguments: "{{event}}"}]}
        - {on: {event: message-with-ack}, do: [{ack: "{{event}}"}]}
      """)
    var state = SocketState()
    connect(1, script, &state, auth: ["token": "123"])
    #expect(emitted(&state) == ["1 accept", #"1 auth [{"token":"123"}]"#])
    let arguments = SocketArguments([1, ["_placeholder": true, "num": 0]], attachments: [[1, 2]])
    script.apply(.event(1, namespace: "/", name: "message", arguments, id: nil), to: &state, at: 0)
    #expect(
      state.takeOutputs() == [
        SocketOutput(1, "/", .emit("message-back", [1, ["_placeholder": true, "num": 0]], attachments: [[1, 2]]))
      ])
    script.apply(.event(1, namespace: "/", name: "message-with-ack", SocketArguments(["a"]), id: 7), to: &state, at: 0)
    #expect(emitted(&state) == [#"1 ack 7 ["a"]"#])
  }

  @Test func `an unknown namespace is refused, and credentials are checked by a rule`() throws {
    let script = try script(
      """
      namespaces: [/, /admin]
      rules:
        - {on: connect, if: {auth.token: {present: false}}, do: [{refuse: {message: Not authorized, data: {code: 1}}}]}
      """)
    var state = SocketState()
    connect(1, script, &state, namespace: "/random")
    connect(2, script, &state)
    connect(3, script, &state, namespace: "/admin", auth: ["token": "a"])
    #expect(
      emitted(&state) == ["1 refuse Invalid namespace ", #"2 refuse Not authorized {"code":1}"#, "3 accept"])
    #expect(state.sockets.map(\.id) == [3])
  }

  @Test func `broadcasts reach the other sockets of the namespace`() throws {
    let script = try script(
      """
      namespaces: [/, /a]
      rules: [{on: {event: typing}, do: [{broadcast: typing, arguments: "{{event}}"}]}]
      """)
    var state = SocketState()
    for id in 1...3 { connect(id, script, &state) }
    connect(4, script, &state, namespace: "/a")
    _ = emitted(&state)
    script.apply(.event(2, namespace: "/", name: "typing", SocketArguments(["u2"]), id: nil), to: &state, at: 0)
    #expect(emitted(&state) == [#"1 typing ["u2"]"#, #"3 typing ["u2"]"#])
  }

  @Test func `actions after a wait follow by the clock of the lane`() throws {
    let script = try script(
      """
      rules:
        - {on: connect, do: [{emit: a}, {wait: 200ms}, {emit: b}, {wait: 1s}, {close: {code: 4000, reason: bye}}]}
        - {on: {timer: 500ms}, do: [{emit: tick}]}
      """)
    var state = SocketState()
    connect(1, script, &state)
    #expect(emitted(&state) == ["1 accept", "1 a []"])
    #expect(state.nextDue == 200_000)
    script.apply(.time, to: &state, at: 199_999)
    #expect(emitted(&state) == [])
    script.apply(.time, to: &state, at: 600_000)
    #expect(emitted(&state) == ["1 b []", "1 tick []"])
    script.apply(.time, to: &state, at: 5_000_000)
    #expect(emitted(&state) == ["1 close 4000 bye"])
    #expect(state.nextDue == nil)
  }

  @Test func `what waits for a socket that left never happens`() throws {
    let script = try script("{rules: [{on: connect, do: [{wait: 1s}, {emit: a}]}]}")
    var state = SocketState()
    connect(1, script, &state)
    script.apply(.disconnected(1, namespace: "/"), to: &state, at: 1)
    _ = emitted(&state)
    script.apply(.time, to: &state, at: 9_000_000)
    #expect(emitted(&state) == [])
    #expect(state.isIdle)
  }

  @Test func `a rule applies a number of times, and the next one after it`() throws {
    let script = try script(
      """
      rules:
        - {on: connect, times: 2, do: [{refuse: busy}]}
        - {on: connect, do: [{emit: welcome}]}
      """)
    var state = SocketState()
    for id in 1...3 { connect(id, script, &state) }
    #expect(emitted(&state) == ["1 refuse busy ", "2 refuse busy ", "3 accept", "3 welcome []"])
  }

  @Test func `rules of a scenario precede those of the contract, and fixtures are arguments`() throws {
    let script = try script(
      "{rules: [{on: connect, do: [{emit: a}]}]}",
      scenario: "[{on: connect, do: [{emit: chat, fixture: chat.noID}, {drop: true}, {disconnect: true}]}]",
      fixtures: ["chat.noID": [["chat": "hi"]]])
    var state = SocketState()
    connect(1, script, &state)
    #expect(emitted(&state) == ["1 accept", #"1 chat [{"chat":"hi"}]"#, "1 drop", "1 disconnect"])
  }

  @Test func `a state survives a copy by its coding`() throws {
    let script = try script(chat)
    var state = SocketState()
    connect(1, script, &state)
    var copy = state
    #expect(copy == state)
    _ = emitted(&copy)
    #expect(copy != state)
  }

  @Test func `values keep their spelling and the order of their members through memory, pauses and templates`() throws {
    let script = try script(
      """
      rules:
        - {on: {event: m}, remember: {last: "{{event.0}}"}, do: [{wait: 1s}, {emit: back, arguments: ["{{socket.last}}", "{{auth}}"]}]}
      """)
    var state = SocketState()
    let value = try JSONParser.parse(Array(#"{"b":1.50,"a":[1E400,-0,12345678901234567890]}"#.utf8)).root
    connect(1, script, &state, auth: ["z": 1, "a": "\u{0}\u{e9}"])
    script.apply(.event(1, namespace: "/", name: "m", SocketArguments([value]), id: nil), to: &state, at: 0)
    state = try JSONDecoder().decode(SocketState.self, from: JSONEncoder().encode(state))
    script.apply(.time, to: &state, at: 1_000_000)
    #expect(
      emitted(&state) == [
        "1 accept",
        #"1 back [{"b":1.50,"a":[1E400,-0,12345678901234567890]},{"z":1,"a":"\u0000é"}]"#,
      ])
  }

  @Test func `a rule that wraps what it remembers keeps the last value of at most 1,000 levels`() throws {
    let script = try script(#"{rules: [{on: {event: m}, remember: {last: ["{{socket.last}}"]}}]}"#)
    var state = SocketState()
    connect(1, script, &state)
    for _ in 0..<1_100 {
      script.apply(.event(1, namespace: "/", name: "m", SocketArguments([]), id: nil), to: &state, at: 0)
    }
    let remembered = try #require(state.sockets[1, "/"]?.values["last"])
    #expect(remembered.text == String(repeating: "[", count: 1_000) + "null" + String(repeating: "]", count: 1_000))
  }

  @Test func `the outputs of a broadcast share the storage of their arguments`() throws {
    let script = try script(#"{rules: [{on: {event: m}, to: all, do: [{emit: a, arguments: [[1, 2]]}]}]}"#)
    var state = SocketState()
    for id in 1...3 { connect(id, script, &state) }
    _ = emitted(&state)
    script.apply(.event(1, namespace: "/", name: "m", SocketArguments([]), id: nil), to: &state, at: 0)
    let storages = state.takeOutputs().map { output -> UnsafeRawPointer? in
      guard case .emit(_, .array(let elements), _) = output.action else { return nil }
      return elements.withUnsafeBytes(\.baseAddress)
    }
    #expect(storages.count == 3 && storages[0] != nil && Set(storages).count == 1)
  }
}
