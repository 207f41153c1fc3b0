import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Lanes of a store that several replicas use.
struct ReplicaLaneTests {
  private func replicas(_ count: Int, of store: FakeReplicaStore = FakeReplicaStore()) throws -> [ReplicaProcess] {
    try (0..<count).map { _ in try ReplicaProcess(store) }
  }

  @Test func `requests of one lane to several replicas see each other's changes`() throws {
    let replicas = try replicas(3)
    for number in 0..<6 { #expect(try replicas[number % 3].add("\(number)", in: "a").status == 201) }
    for replica in replicas {
      let text = try replica.notes(in: "a").text
      for number in 0..<6 { #expect(text.contains("\"text\":\"\(number)\""), "\(text)") }
    }
    #expect(try replicas[0].lane("a").value.requests == 9)
  }

  @Test func `a response that was forced at one replica is given by the others at once`() throws {
    let replicas = try replicas(3)
    for replica in replicas { #expect(try replica.status() == 200) }
    try replicas[0].force(503)
    for replica in replicas { #expect(try replica.status() == 503) }
    try replicas[1].force(nil)
    for replica in replicas { #expect(try replica.status() == 200) }
  }

  @Test func `a lane that stays with its replica costs one round trip and no read`() throws {
    let store = FakeReplicaStore()
    let replica = try replicas(2, of: store)[0]
    _ = try replica.add("first", in: "a")
    let before = store.state.withLock { $0.commits }
    for _ in 0..<10 { _ = try replica.notes(in: "a") }
    #expect(store.state.withLock { $0.commits } == before + 10)
    // A request without state asks nobody.
    #expect(replica.lanes.unnamed.demand == .templates)
    let commits = store.state.withLock { $0.commits }
    _ = try replica.status()
    #expect(store.state.withLock { $0.commits } == commits)
  }

  @Test func `a lane that one replica has opened is open in the others, and closed in all`() throws {
    let replicas = try replicas(2)
    let name = try LaneName("a")
    try replicas[0].lanes.openStored(name, LaneOpening().state(of: replicas[0].mock))
    #expect(replicas[1].lanes.names == [name])
    #expect(throws: LaneProblem.self) {
      try replicas[1].lanes.openStored(name, LaneOpening().state(of: replicas[1].mock))
    }
    _ = try replicas[1].add("x", in: "a")
    let closed = try #require(try replicas[0].lanes.close(name))
    #expect(try closed.value.requests == 1)
    #expect(try replicas[1].lanes.find(name) == nil && replicas[1].lanes.names == [])
    // The name begins anew.
    #expect(try replicas[1].notes(in: "a").text == "[]")
    #expect(try replicas[0].notes(in: "a").text == "[]")
  }

  @Test func `a change whose acknowledgement is lost gets 503, and is shown by the next request`() throws {
    let store = FakeReplicaStore()
    let replica = try replicas(1, of: store)[0]
    _ = try replica.add("first", in: "a")
    store.state.withLock { $0.lostAcknowledgements = 100 }
    let reply = try replica.add("second", in: "a")
    #expect(reply.status == 503 && reply.text.contains("outcome-unknown"), "\(reply.text)")
    store.state.withLock { $0.lostAcknowledgements = 0 }
    #expect(try replica.notes(in: "a").text.contains("second"))
  }

  @Test func `a replica that is cut off gets 503 for stateful requests and goes on once it is connected`() throws {
    let store = FakeReplicaStore()
    let replica = try replicas(1, of: store)[0]
    _ = try replica.add("first")
    replica.database.isCut.withLock { $0 = true }
    let reply = try replica.add("second")
    #expect(reply.status == 503 && reply.header("Retry-After") == "1", "\(reply.text)")
    #expect(try replica.status() == 200)
    replica.database.isCut.withLock { $0 = false }
    #expect(try replica.add("second").status == 201)
  }

  @Test func `a replica with another contract rejects requests while a live replica serves the contract of the lane`()
    throws
  {
    let store = FakeReplicaStore()
    let old = try ReplicaProcess(store)
    _ = try old.add("x", in: "a")
    let log = Mutex("")
    let contract = NotesContract.text.replacing("down", with: "gone")
    let new = try ReplicaProcess(
      store, try ReplicaProcess.mock(contract), report: { line in log.withLock { $0 += line } })
    let reply = try new.notes(in: "a")
    #expect(reply.status == 503 && reply.text.contains("the replica r1 serves the contract"), "\(reply.text)")
    // Requests without state are served meanwhile.
    #expect(try new.status() == 200)
    old.lanes.close()
    #expect(try new.notes(in: "a").text.contains("x"))
  }

  @Test func `the exchange of a stateful request is stored with its change`() throws {
    let store = FakeReplicaStore()
    let replica = try replicas(1, of: store)[0]
    let reply = try replica.add("x", in: "a")
    let stored = try #require(store.state.withLock { $0.exchanges.last })
    #expect(stored.lane == "a" && stored.number == reply.stored)
    let entry = try #require(StoredEntry(stored))
    #expect(entry["operation"]?.text == "addNote" && entry["lane"]?.text == "a")
    // The end of the exchange replaces it.
    let served = ServedRequest(
      startedAt: 0, microseconds: 7, request: nil, body: nil, reply: reply, status: 201)
    let exchanges = try #require(replica.lanes.replicas?.exchanges)
    exchanges.append(served)
    #expect(try replica.lanes.replicas?.flushAll() == [])
    let count = store.state.withLock { $0.exchanges.count }
    #expect(count == 1)
    #expect(StoredEntry(try #require(store.state.withLock { $0.exchanges.last }))?["microseconds"]?.text == "7")
  }

  @Test func `numbers of all replicas are complete, or name the replica that ended without farewell`() throws {
    let store = FakeReplicaStore()
    let replicas = try replicas(3, of: store)
    for (number, replica) in replicas.enumerated() {
      replica.lanes.replicas?.tally {
        ReplicaTally(requests: [JournalTotals.Key(operation: "x", status: 200): number + 1])
      }
    }
    let group = try #require(replicas[0].lanes.replicas)
    let (tally, reasons) = try group.tally(since: 0)
    #expect(tally.requests.values.reduce(0, +) == 6 && reasons == [])
    replicas[1].lanes.close()
    #expect(try group.tally(since: 0).0.requests.values.reduce(0, +) == 6)
    // The lease of the third ends, and another one removes it.
    replicas[2].database.isCut.withLock { $0 = true }
    store.expire("r3")
    let isRemoved = (0..<2_000).contains { _ in
      try? group.bury()
      return store.state.withLock { $0.replicas["r3"] == nil }
    }
    #expect(isRemoved)
    let (last, found) = try group.tally(since: 0)
    #expect(last.requests.values.reduce(0, +) == 6)
    #expect(found.count == 1 && found[0].hasPrefix("the replica r3 ended without farewell after"), "\(found)")
    #expect(try group.tally(since: .max).reasons == [])
  }
}
