import Testing
import UnderstudySockets

/// Rules whose actions keep their order for clients that are faster than their pauses.
extension SocketScriptTests {
  @Test func `a rule that flushes performs first what earlier rules have left for its socket`() throws {
    let script = try script(
      "events: {}",
      scenario: """
        - {on: connect, do: [{emit: a}, {wait: 1s}, {emit: b}, {wait: 1s}, {emit: c}]}
        - {on: {event: slow}, do: [{wait: 5s}, {ack: [late]}]}
        - {on: {event: fast}, flush: true, do: [{emit: d}]}
        """)
    var state = SocketState()
    for id in [1, 2] { connect(id, script, &state) }
    func send(_ name: String, _ time: Int) {
      script.apply(.event(1, namespace: "/", name: name, SocketArguments(), id: 7), to: &state, at: time)
    }
    send("slow", 0)
    #expect(emitted(&state) == ["1 accept", "1 a []", "2 accept", "2 a []"])
    script.apply(.time, to: &state, at: 1_000_000)
    #expect(emitted(&state) == ["1 b []", "2 b []"])
    send("fast", 1_500_000)
    #expect(emitted(&state) == ["1 c []", #"1 ack 7 ["late"]"#, "1 d []"])
    script.apply(.time, to: &state, at: 9_000_000)
    #expect(emitted(&state) == ["2 c []"])
  }
}
