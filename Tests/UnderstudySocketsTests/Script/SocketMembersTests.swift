import Foundation
import Testing
import UnderstudySchema
import UnderstudySockets

struct SocketMembersTests {
  private let script = SocketScript([SocketDescription()])

  private func state(_ ids: some Sequence<Int>) -> SocketState {
    var state = SocketState()
    for id in ids {
      script.apply(
        .connecting(id, description: 0, namespace: "/", auth: nil, request: .object([])), to: &state, at: 0)
    }
    _ = state.takeOutputs()
    return state
  }

  private func leave(_ ids: some Sequence<Int>, _ state: inout SocketState) {
    for id in ids { script.apply(.disconnected(id, namespace: "/"), to: &state, at: 0) }
  }

  @Test func `sockets keep the order in which they connected, whichever of them leave`() {
    var state = state([5, 3, 9, 1, 7])
    leave([3, 1, 4], &state)
    #expect(state.sockets.map(\.id) == [5, 9, 7] && state.sockets.count == 3)
    #expect(state.sockets[9, "/"]?.id == 9 && state.sockets[3, "/"] == nil && state.sockets[9, "/admin"] == nil)
    leave([5, 9, 7], &state)
    #expect(state.sockets.isEmpty && state.sockets.map(\.id) == [])
  }

  @Test func `sockets are equal if the connected ones are, and they survive coding`() throws {
    var one = state([1, 2, 3])
    leave([2], &one)
    #expect(one.sockets == state([1, 3]).sockets && one.sockets != state([3, 1]).sockets)
    let data = try JSONEncoder().encode(one)
    #expect(try JSONDecoder().decode(SocketState.self, from: data).sockets == one.sockets)
  }

  @Test(arguments: [1_000, 16_000]) func `the departure of every socket takes a constant number of steps for each`(
    count: Int
  ) {
    for order in [Array(1...count), (1...count).reversed()] {
      var state = state(1...count)
      let before = state.sockets.steps
      leave(order, &state)
      #expect(state.sockets.isEmpty && state.sockets.steps - before <= 4 * count)
    }
  }
}
