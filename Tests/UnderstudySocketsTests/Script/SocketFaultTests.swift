import Testing
import UnderstudySchema
import UnderstudySockets
import UnderstudyText

struct SocketFaultTests {
  private static let description = """
    {"transport": "socketio", "rules": [
      {"on": {"event": "join"}, "remember": {"uid": "{{event.0}}"}, "do": [{"ack": ["ok"]}]},
      {"on": {"event": "send"}, "do": [{"emit": "chat", "arguments": "{{event}}", "to": "all"}]}
    ]}
    """

  /// What the sockets get for the events of clients while faults are in play.
  private func outputs(
    _ faults: String..., sockets: Int = 1, fixtures: [String: JSON] = [:], sending: [String] = [], at times: [Int] = [0]
  ) throws -> [String] {
    var reader = SocketReader()
    let script = SocketScript(
      reader.descriptions(try JSONParser.parse(Array(Self.description.utf8)).root), fixtures: fixtures)
    #expect(reader.problems.isEmpty)
    var state = SocketState()
    state.faults = try faults.map { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      return parts.count > 1 ? try SocketFault(parts[1], of: parts[0]) : try SocketFault(text)
    }
    for id in 1...sockets {
      script.apply(
        .connecting(id, description: 0, namespace: "/", auth: nil, request: .object([])), to: &state, at: 0)
      script.apply(.event(id, namespace: "/", name: "join", SocketArguments(["u1"]), id: 7), to: &state, at: 0)
    }
    for text in sending {
      let value = try JSONParser.parse(Array(text.utf8)).root
      script.apply(.event(1, namespace: "/", name: "send", SocketArguments([value]), id: nil), to: &state, at: 0)
    }
    for time in times { script.apply(.time, to: &state, at: time) }
    return state.outputs.map { output in
      switch output.action {
      case .accept: "\(output.socket) accept"
      case .refuse(let message, _): "\(output.socket) refuse \(message)"
      case .emit(let name, let arguments, _): "\(output.socket) \(name) \(arguments)"
      case .malformed(let name, let arguments): "\(output.socket) malformed \(name) \(arguments)"
      case .acknowledge: "\(output.socket) ack"
      case .drop: "\(output.socket) drop"
      case .hold(let name, let arguments): "\(output.socket) hold \(name) \(arguments)"
      default: "\(output.socket) ?"
      }
    }
  }

  @Test func `without a fault each event comes once`() throws {
    #expect(try outputs(sending: ["1"]) == ["1 accept", "1 ack", "1 chat [1]"])
  }

  @Test(arguments: [
    ("missing:/_id", #"{"a":1}"#), ("extra-keys", #"{"_id":"7","a":1,"__v":0,"understudyExtra":{"nested":[1,2]}}"#),
    ("numeric:/_id", #"{"_id":7,"a":1}"#), ("two-arguments", #"{"_id":"7","a":1},{"_id":"7","a":1}"#),
    ("missing:/b", #"{"_id":"7","a":1}"#), ("missing:/a/b", #"{"_id":"7","a":1}"#),
  ]) func `a fault changes the first argument`(fault: String, expected: String) throws {
    let sent = try outputs("chat=\(fault)", sending: [#"{"_id":"7","a":1}"#])
    #expect(sent.last == "1 chat [\(expected)]")
    #expect(try outputs("news=\(fault)", sending: [#"{"_id":"7","a":1}"#]).last == #"1 chat [{"_id":"7","a":1}]"#)
  }

  @Test func `a date becomes its milliseconds since 1970`() throws {
    #expect(
      try outputs("numeric:/at", sending: [#"{"at":"2022-12-06T11:03:09.412Z"}"#]).last
        == #"1 chat [{"at":1670324589412}]"#)
  }

  @Test func `faults of one event add up`() throws {
    #expect(
      try outputs("missing:/a", "duplicate", "renamed:news", sending: [#"{"a":1,"b":2}"#]).suffix(2)
        == [#"1 news [{"b":2}]"#, #"1 news [{"b":2}]"#])
    #expect(try outputs("malformed", sending: ["1"]).last == "1 malformed chat [1]")
    #expect(try outputs("renamed", sending: ["1"]).last == "1 chat-renamed [1]")
  }

  @Test func `a fault with a number applies so often`() throws {
    #expect(
      try outputs("missed*1", "duplicate*1", sending: ["1", "2", "3"]).suffix(3)
        == ["1 chat [2]", "1 chat [2]", "1 chat [3]"])
  }

  @Test func `the second of two events comes first`() throws {
    #expect(
      try outputs("reorder*1", sending: ["1", "2", "3"]).suffix(3) == ["1 chat [2]", "1 chat [1]", "1 chat [3]"])
  }

  @Test func `an event with nothing to exchange is reported when it is held`() throws {
    #expect(try outputs("chat=reorder*1", sending: ["1"]) == ["1 accept", "1 ack", "1 hold chat [1]"])
  }

  @Test(arguments: ["late:2s", "delay:2s"]) func `a late event comes after its time`(fault: String) throws {
    #expect(try outputs("chat=\(fault)", sending: ["1"], at: [1_999_999]) == ["1 accept", "1 ack"])
    #expect(try outputs("chat=\(fault)", sending: ["1"], at: [2_000_000]) == ["1 accept", "1 ack", "1 chat [1]"])
    #expect(try outputs("news=\(fault)", sending: ["1"]) == ["1 accept", "1 ack", "1 chat [1]"])
  }

  @Test func `late events keep their order, and one late event comes after those that follow it`() throws {
    #expect(
      try outputs("late:1s", "duplicate*1", sending: ["1", "2"], at: [1_000_000]).suffix(3)
        == ["1 chat [1]", "1 chat [1]", "1 chat [2]"])
    #expect(
      try outputs("late:1s*1", sending: ["1", "2"], at: [1_000_000]).suffix(2) == ["1 chat [2]", "1 chat [1]"])
  }

  @Test func `an early event precedes everything that the client has sent`() throws {
    #expect(
      try outputs("chat=early", fixtures: ["chat": ["hi"]]) == ["1 accept", #"1 chat ["hi"]"#, "1 ack"])
  }

  @Test func `every early event comes`() throws {
    #expect(
      try outputs("chat=early", "news=early", fixtures: ["chat": ["hi"], "news": ["new"]])
        == ["1 accept", #"1 chat ["hi"]"#, #"1 news ["new"]"#, "1 ack"])
  }

  @Test func `an event that waits for another one ends with its socket`() throws {
    var reader = SocketReader()
    let script = SocketScript(
      reader.descriptions(try JSONParser.parse(Array(Self.description.utf8)).root), fixtures: [:])
    var state = SocketState()
    state.faults = [try SocketFault("reorder")]
    script.apply(.connecting(1, description: 0, namespace: "/", auth: nil, request: .object([])), to: &state, at: 0)
    script.apply(.event(1, namespace: "/", name: "send", SocketArguments(["a"]), id: nil), to: &state, at: 0)
    #expect(state.reordered.count == 1)
    script.apply(.disconnected(1, namespace: "/"), to: &state, at: 0)
    #expect(state.reordered.isEmpty)
  }

  @Test func `of two sockets that remember the same, the first gets events`() throws {
    #expect(try outputs("one-of-two", sockets: 2, sending: ["1"]).suffix(1) == ["1 chat [1]"])
    #expect(try outputs(sockets: 2, sending: ["1"]).suffix(2) == ["1 chat [1]", "2 chat [1]"])
  }

  @Test func `events that are exchanged and late come late, in the exchanged order`() throws {
    func sent(at time: Int) throws -> [String] {
      try Array(outputs("reorder*1", "late:1s", sending: ["1", "2"], at: [time]).dropFirst(2))
    }
    #expect(try sent(at: 999_999) == ["1 hold chat [1]"])
    #expect(try sent(at: 1_000_000) == ["1 hold chat [1]", "1 chat [2]", "1 chat [1]"])
  }

  @Test(
    arguments: [
      (["late:1s", "late:2s"], ["late:2s"]), (["late:1s*2", "late:2s"], ["late:1s*2", "late:2s"]),
      (["late:1s", "late:2s*3"], ["late:2s*3", "late:1s"]), (["late:1s", "late:1s"], ["late:1s"]),
      (["refuse:503*3", "refuse:502*1"], ["refuse:503*3", "refuse:502*1"]),
      (["missing:/a", "missing:/b"], ["missing:/a", "missing:/b"]),
      (["late:1s", "duplicate", "late:2s"], ["duplicate", "late:2s"]),
    ] as [([String], [String])])
  func `a fault that would never apply is replaced, and others add up`(added: [String], left: [String]) throws {
    var faults: [SocketFault] = []
    for text in added { faults.add(try SocketFault(text, of: "chat")) }
    faults.add(try SocketFault("late:9s", of: "news"))
    #expect(faults.map { $0.text + ($0.times.map { "*\($0)" } ?? "") } == left + ["late:9s"])
  }

  @Test func `an event that is late by no time comes at once`() throws {
    #expect(try outputs("late:0s", sending: ["1"], at: []).last == "1 chat [1]")
  }

  @Test func `acknowledgements are late, or never come`() throws {
    #expect(try outputs("ack-never") == ["1 accept"])
    #expect(try outputs("ack-late:2s", at: [1_999_999]) == ["1 accept"])
    #expect(try outputs("ack-late:2s", at: [2_000_000]) == ["1 accept", "1 ack"])
  }

  @Test func `a connection is lost after a time, or refused`() throws {
    #expect(try outputs("lost:5s", at: [4_999_999]) == ["1 accept", "1 ack"])
    #expect(try outputs("lost:5s", at: [5_000_000]).last == "1 drop")
    #expect(try outputs("connect-error:No*1", sockets: 2) == ["1 refuse No", "2 accept", "2 ack"])
  }

  @Test func `every fault of the list can be read`() throws {
    for fault in SocketFault.all { _ = try SocketFault(fault.example, of: "chat") }
  }

  @Test(arguments: [
    ("duplicated", "`duplicated` is not a fault of sockets", "did you mean `duplicate`?"),
    ("missing", "`missing` is not complete", "as in `missing:/_id`"),
    ("delay", "`delay` is not complete", "as in `late:2s`"),
    (
      "late:999h", "`late:999h` has no valid time: expected 250ms, 1.5s or 2m, at most an hour", "as in `late:2s`"
    ),
    (
      "lost:2s@20%", "`lost:2s@20%` has no valid time: expected 250ms, 1.5s or 2m, at most an hour", "as in `lost:5s`"
    ),
    ("refuse:200", "`refuse:200` is not complete", "as in `refuse:503`"),
    ("duplicate*0", "`duplicate*0` has no valid number of times", "as in `refuse:503*3`"),
    ("early", "`early` is about one event", "as in `sockets/chat=early`"),
  ]) func `a wrong fault is refused with the way out`(text: String, message: String, help: String) {
    #expect {
      _ = try SocketFault(text)
    } throws: { error in
      (error as? TextProblem)?.message == message && (error as? TextProblem)?.help == help
    }
  }
}
