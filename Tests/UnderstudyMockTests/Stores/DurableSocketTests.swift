import Synchronization
import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// Sockets of lanes in a store.
struct DurableSocketTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths: {}
    x-understudy-events:
      events:
        left: {from: server, arguments: [{}]}
        late: {from: server, arguments: [{}]}
        hi: {from: client, arguments: [{}]}
      rules:
        - {on: {event: hi}, to: all, do: [{emit: left, argument: hi}, {wait: 30m}, {emit: late, argument: hi}]}
        - {on: disconnect, to: all, do: [{emit: left, argument: gone}]}
    """

  private func connecting(_ id: Int) -> SocketEvent {
    .connecting(id, description: 0, namespace: "/", auth: nil, request: .null)
  }

  private func hi(_ id: Int) -> SocketEvent {
    .event(id, namespace: "/", name: "hi", SocketArguments(["hi"]), id: nil)
  }

  @Test func `an event reaches its sockets after it is stored, and closes its own where it is not`() throws {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let (database, hub, client) = (FakeLaneDatabase(), SocketHub(), LoggedTransport())
    let lane = try DurableLanes(database, serving: mock).unnamed
    hub.add(client, 1, in: lane)
    hub.receive(connecting(1), by: mock, in: lane)
    hub.receive(hi(1), by: mock, in: lane)
    #expect(client.log.waits { $0 == ["accept", #"left ["hi"]"#] }, "\(client.log.value)")
    database.state.withLock { $0.problem = FakeLaneDatabase.full }
    let late = LoggedTransport()
    hub.add(late, 2, in: lane)
    hub.receive(connecting(2), by: mock, in: lane)
    hub.receive(hi(1), by: mock, in: lane)
    #expect(late.log.waits { $0 == ["refuse the store is full"] }, "\(late.log.value)")
    #expect(client.log.waits { $0.last == "close the store is full" && $0.count == 3 }, "\(client.log.value)")
  }

  @Test func `the sockets of an ended process leave by the rules, and its timers stay due`() throws {
    let time = Mutex(1_000_000_000)
    var options = Mock.Options()
    options.now = { time.withLock(\.self) }
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")], options: options)
    let (database, hub, client) = (FakeLaneDatabase(), SocketHub(), LoggedTransport())
    let lane = try DurableLanes(database, serving: mock).unnamed
    hub.add(client, 1, in: lane)
    hub.receive(connecting(1), by: mock, in: lane)
    hub.receive(hi(1), by: mock, in: lane)
    #expect(client.log.waits { $0.count == 2 })
    #expect(database.state.withLock { $0.writes.last?.entry.due } == 2_800_000_000)
    time.withLock { $0 += 10 }
    let next = try DurableLanes(database, serving: mock).unnamed
    let state = try next.value
    #expect(state.sockets.sockets.isEmpty)
    #expect(next.id != lane.id)
  }
}
