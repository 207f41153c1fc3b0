import Synchronization
import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// Sockets of one lane at several replicas.
struct ReplicaSocketTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths: {}
    x-understudy-events:
      events:
        said: {from: server, arguments: [{}]}
        late: {from: server, arguments: [{}]}
        hi: {from: client, arguments: [{}]}
      rules:
        - {on: {event: hi}, to: all, do: [{emit: said, argument: "{{event.0}}"}]}
        - {on: connect, to: all, do: [{wait: 1s}, {emit: late, argument: timer}]}
        - {on: disconnect, to: all, do: [{emit: said, argument: gone}]}
    """

  /// A replica with its sockets.
  private final class Process: Sendable {
    let mock: Mock
    let replica: ReplicaProcess
    let hub: SocketHub
    let lane: any LaneAccess

    init(_ store: FakeReplicaStore) throws {
      var options = Mock.Options()
      options.now = { Timestamp.microseconds() + store.state.withLock { $0.ahead } }
      mock = Mock(contracts: [try Contract(ReplicaSocketTests.contract, name: "chat")], options: options)
      replica = try ReplicaProcess(store, mock)
      let own = try #require(replica.lanes.storeFacts).sockets
      hub = SocketHub(after: own.lowerBound - 1, own: own)
      lane = replica.lanes.unnamed
      hub.use(mock)
      replica.lanes.onChange { [hub] in hub.takeOutputs(of: $0) }
      replica.lanes.onClose { [hub] in hub.close($0) }
      replica.lanes.onTakeOver { [hub] in hub.end($1, in: $0) }
      replica.lanes.onOverdue { [hub, mock] in hub.receive(.time, by: mock, in: $0) }
    }

    func connect(in named: (any LaneAccess)? = nil) -> (id: Int, client: LoggedTransport) {
      let lane = named ?? lane
      let (id, client) = (hub.newID(), LoggedTransport())
      hub.add(client, id, in: lane)
      hub.receive(.connecting(id, description: 0, namespace: "/", auth: nil, request: .null), by: mock, in: lane)
      return (id, client)
    }

    func say(_ text: String, _ id: Int) {
      hub.receive(
        .event(id, namespace: "/", name: "hi", SocketArguments([.string(text)]), id: nil), by: mock, in: lane)
    }
  }

  private func said(_ log: [String]) -> [String] { log.filter { $0.hasPrefix("said") } }

  @Test func `an event at one replica reaches the sockets of the others, in the order of the changes`() throws {
    let store = FakeReplicaStore()
    let (one, two) = (try Process(store), try Process(store))
    let (first, a) = one.connect()
    let (second, b) = two.connect()
    #expect(first != second)
    #expect(b.log.waits { $0.contains("accept") } && a.log.waits { $0.contains("accept") })
    for number in 0..<5 {
      one.say("a\(number)", first)
      two.say("b\(number)", second)
    }
    #expect(a.log.waits { said($0).count == 10 }, "\(a.log.value)")
    #expect(b.log.waits { said($0).count == 10 }, "\(b.log.value)")
    #expect(said(a.log.value) == said(b.log.value))
    #expect(try one.lane.value.sockets.sockets.count == 2)
  }

  @Test func `the sockets of a lane close when another replica closes the lane`() throws {
    let store = FakeReplicaStore()
    let (one, two) = (try Process(store), try Process(store))
    let name = try LaneName("t")
    try one.replica.lanes.openStored(name, LaneOpening().state(of: one.mock))
    let (_, client) = two.connect(in: try two.replica.lane("t"))
    #expect(client.log.waits { $0.contains("accept") })
    #expect(try one.replica.lanes.close(name) != nil)
    #expect(client.log.waits { $0.last == "close the lane is closed" }, "\(client.log.value)")
  }

  @Test func `a timer that a replica leaves behind fires at another one`() throws {
    let store = FakeReplicaStore()
    let (one, two) = (try Process(store), try Process(store))
    let (_, a) = one.connect()
    #expect(a.log.waits { $0.contains("accept") })
    #expect(try two.lane.value.sockets.nextDue != nil)
    one.replica.lanes.close()
    store.state.withLock { $0.ahead = 10_000_000 }
    let group = try #require(two.replica.lanes.replicas)
    try group.meet()
    group.tick(atOnce: true)
    let end = ContinuousClock.now + .seconds(20)
    while try two.lane.value.sockets.nextDue != nil, ContinuousClock.now < end {}
    #expect(try two.lane.value.sockets.nextDue == nil)
  }

  @Test func `the sockets of a replica that ends are disconnected by the rules, with and without farewell`() throws {
    let store = FakeReplicaStore()
    let (one, two, three) = (try Process(store), try Process(store), try Process(store))
    let (_, a) = one.connect()
    let (_, b) = two.connect()
    let (_, c) = three.connect()
    for log in [a, b, c] { #expect(log.log.waits { $0.contains("accept") }) }
    two.replica.lanes.close()
    #expect(a.log.waits { said($0).count == 1 }, "\(a.log.value)")
    three.replica.database.isCut.withLock { $0 = true }
    store.expire("r3")
    try one.replica.lanes.replicas?.bury()
    #expect(a.log.waits { said($0).count == 2 }, "\(a.log.value)")
    #expect(try one.lane.value.sockets.sockets.count == 1)
  }
}
