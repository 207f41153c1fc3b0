import Testing
import UnderstudyJSON
import UnderstudySchema
import UnderstudySockets

/// Events that wait for the responses of several clients.
extension SocketScriptTests {
  @Test func `events come in the order of the responses that the lane has made, whichever is sent first`() throws {
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
      let held = try #require(
        script.apply(.answered(operation: "send", status: 200, environment: environment), to: &state, at: 0))
      state.awaitResponse(held)
      return held
    }
    let (first, second) = (try answer(1), try answer(2))
    state.beginResponse(second)
    state.release(second)
    #expect(emitted(&state) == [])
    let third = try answer(3)
    state.beginResponse(third)
    script.apply(.time, to: &state, at: 0)
    #expect(emitted(&state) == [])
    state.beginResponse(first)
    state.release(first)
    #expect(emitted(&state) == ["1 sent [1]", "1 sent [2]"])
    state.release(third)
    #expect(emitted(&state) == ["1 sent [3]"])
    // The client that has a response causes the next event.
    let (fourth, fifth) = (try answer(4), try answer(5))
    state.beginResponse(fifth)
    script.apply(.event(1, namespace: "/", name: "message", SocketArguments([]), id: nil), to: &state, at: 0)
    #expect(emitted(&state) == ["1 sent [4]", "1 sent [5]", "1 back []"])
    state.release(fifth)
    state.release(fourth)
    #expect(emitted(&state) == [])
  }

  @Test(arguments: [("after", 3_000_000), ("before", 1_000_000)])
  func `a pause begins when the client has the response, unless its rule precedes the response`(
    order: String, due: Int
  ) throws {
    let script = try script(
      "{rules: [{on: {operation: send}, order: \(order), to: all, do: [{wait: 1s}, {emit: sent}]}]}")
    var state = SocketState()
    connect(1, script, &state)
    _ = emitted(&state)
    script.apply(
      .answered(operation: "send", status: 200, delay: .seconds(2), environment: .object([])), to: &state, at: 0)
    script.apply(.time, to: &state, at: due - 1)
    #expect(emitted(&state) == [])
    script.apply(.time, to: &state, at: due)
    #expect(emitted(&state) == ["1 sent []"])
  }

  @Test func `a late event is late after a delayed response`() throws {
    let script = try script("{rules: [{on: {operation: send}, to: all, do: [{emit: sent}]}]}")
    var state = SocketState()
    state.faults = [try SocketFault("late:1s")]
    connect(1, script, &state)
    _ = emitted(&state)
    script.apply(
      .answered(operation: "send", status: 200, delay: .seconds(2), environment: .object([])), to: &state, at: 0)
    script.apply(.time, to: &state, at: 2_999_999)
    #expect(emitted(&state) == [])
    script.apply(.time, to: &state, at: 3_000_000)
    #expect(emitted(&state) == ["1 sent []"])
  }
}
