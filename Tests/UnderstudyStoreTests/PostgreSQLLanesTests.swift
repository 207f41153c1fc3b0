import Foundation
import Testing
import UnderstudyMock
import UnderstudyStore
import UnderstudyTestSupport

@Suite(.enabled(if: TestPostgreSQL.isPresent, "no PostgreSQL"))
struct PostgreSQLLanesTests {
  private func withStore(_ body: (PostgreSQLLanes, TestPostgreSQL, String) throws -> Void) throws {
    try TestPostgreSQL.withSchema { server, schema in
      let store = try open(server.address(schema: schema))
      defer { store.close() }
      try body(store, server, schema)
    }
  }

  private func open(_ address: String) throws -> PostgreSQLLanes {
    try #require(try StoreAddress(address).open() as? PostgreSQLLanes)
  }

  // MARK: - Replicas

  @Test func `processes have names of their own, and a schema is a store of its own`() throws {
    try withStore { first, server, schema in
      let second = try open(server.address(schema: schema))
      let other = try open(server.address(schema: schema + "\"x"))
      defer { [second, other].forEach { $0.close() } }
      #expect([first.replica, second.replica, other.replica] == ["r1", "r2", "r1"])
      _ = try first.commit(write("a", nil, "1"))
      #expect(try second.load("a")?.state == "1")
      #expect(try other.load("a") == nil)
      #expect(first.summary == "PostgreSQL \(server.folder)/postgres, schema \(schema)")
    }
  }

  @Test func `a lease is prolonged, and a replica is removed once, after the end of its lease`() throws {
    try withStore { first, server, schema in
      let second = try open(server.address(schema: schema))
      defer { second.close() }
      let time = try first.renew(60_000_000, seen: 1, flushed: 2, contract: "x")
      let now = Timestamp.microseconds()
      #expect(abs(time - now) < 60_000_000)
      #expect(try second.renew(-1, seen: 3, flushed: 4, contract: "y") >= time)
      let replicas = try first.replicas()
      #expect(
        replicas.map { [$0.name, "\($0.seen)", "\($0.flushed)", $0.contract] } == [
          ["r1", "1", "2", "x"], ["r2", "3", "4", "y"],
        ])
      #expect(replicas[0].lease == time + 60_000_000)
      #expect(try !second.remove(replicas[0]))
      #expect(try first.remove(replicas[1]))
      #expect(try !first.remove(replicas[1]))
      try first.leave()
      #expect(try first.replicas().isEmpty)
    }
  }

  @Test func `announcements have numbers without gaps, in the order in which others see them`() throws {
    try withStore { store, server, schema in
      _ = try store.announce(.flush)
      let seen = Awaited<[Int]>([])
      let reader = try open(server.address(schema: schema))
      defer { reader.close() }
      let done = Awaited(false)
      let thread = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        defer { thread.signal() }
        var last = 0
        while last < 201, !done.value {
          let new = (try? reader.announcements(after: last)) ?? []
          seen.change { $0 += new.map(\.number) }
          last = new.last?.number ?? last
        }
      }
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        for version in 0..<25 {
          if number.isMultiple(of: 2) {
            _ = try? store.announce(.mock("{\"\(number)\": \(version)}"))
          } else {
            _ = try? store.commit(write("\(number)", version == 0 ? nil : version, number: 1, isAnnounced: true))
          }
        }
      }
      #expect(seen.waits { $0.count >= 201 })
      done.change { $0 = true }
      thread.wait()
      #expect(seen.value == Array(1...201))
      let changes = try store.announcements(after: 0)
      #expect(changes[0].change == .flush)
      #expect(changes.filter { $0.change == .lane("3") }.count == 25)
      #expect(changes.contains { $0.change == .mock("{\"2\": 24}") })
    }
  }

  @Test func `a commit that conflicts announces nothing`() throws {
    try withStore { store, _, _ throws in
      #expect(try store.commit(write("a", nil, isAnnounced: true)) == .stored(announcement: 1))
      #expect(try store.commit(write("a", nil, isAnnounced: true)) == .conflict)
      #expect(try store.commit(write("a", 1, isAnnounced: true)) == .stored(announcement: 2))
      #expect(try store.announcements(after: 1).map(\.number) == [2])
    }
  }

  @Test func `an announcement wakes other replicas, also after their connections broke`() throws {
    try withStore { store, server, schema in
      let other = try open(server.address(schema: schema))
      defer { other.close() }
      let wakes = Awaited(0)
      other.onWake { wakes.change { $0 += 1 } }
      #expect(wakes.waits { $0 == 1 })
      _ = try store.announce(.flush)
      #expect(wakes.waits { $0 == 2 })
      try server.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'LISTEN "understudy_%' AND query LIKE '%' || (
          SELECT substring(query FROM '"(.*)"') FROM pg_stat_activity WHERE query LIKE 'LISTEN%' LIMIT 1) || '%'
        """)
      #expect(wakes.waits { $0 >= 3 })
      let count = wakes.value
      _ = try store.commit(write("a", nil, isAnnounced: true))
      #expect(wakes.waits { $0 > count })
    }
  }

  // MARK: - Lost acknowledgements

  private func withRelay(_ body: (PostgreSQLLanes, PostgreSQLRelay) throws -> Void) throws {
    try TestPostgreSQL.withSchema { server, schema in
      let relay = try PostgreSQLRelay(to: server.socket)
      let address = try StoreAddress("postgresql://postgres@127.0.0.1:\(relay.port)/postgres?schema=\(schema)")
      let store = try #require(try address.open() as? PostgreSQLLanes)
      defer { store.close() }
      try body(store, relay)
    }
  }

  @Test(arguments: [PostgreSQLRelay.Fault.request, .response], [true, false])
  func `a write whose connection broke takes effect once`(_ fault: PostgreSQLRelay.Fault, _ isNew: Bool) throws {
    try withRelay { store, relay in
      if !isNew { _ = try store.commit(write("a", nil, "0", number: 1)) }
      relay.lose(fault, of: "written AS")
      let change = write(
        "a", isNew ? nil : 1, "1", number: 2, exchanges: [exchange(1, of: "a", by: store.replica)], isAnnounced: true)
      #expect(try store.commit(change) == .stored(announcement: 1))
      #expect(try store.load("a")?.version == change.lane.version)
      #expect(try store.exchanges(of: "a", after: 0, limit: 9).count == 1)
      #expect(try store.announcements(after: 0).count == 1)
    }
  }

  @Test func `a write that reaches the server after its repetition has no effect`() throws {
    try withRelay { store, relay in
      _ = try store.commit(write("a", nil, "0", number: 1))
      relay.lose(.delay, of: "written AS")
      let change = write(
        "a", 1, "1", number: 2, exchanges: [exchange(1, of: "a", by: store.replica)], isAnnounced: true)
      #expect(try store.commit(change) == .stored(announcement: 1))
      #expect(try store.commit(write("a", 2, "2", number: 3)).isStored)
      try relay.release()
      #expect(try store.load("a")?.state == "2")
      #expect(try store.exchanges(of: "a", after: 0, limit: 9).count == 1)
      #expect(try store.announcements(after: 0).count == 1)
    }
  }

  @Test(arguments: [true, false])
  func `the outcome of a lost write that others have followed is found by its exchange`(_ hasExchange: Bool) throws {
    try TestPostgreSQL.withSchema { server, schema in
      let relay = try PostgreSQLRelay(to: server.socket)
      let store = try open("postgresql://postgres@127.0.0.1:\(relay.port)/postgres?schema=\(schema)")
      let other = try open(server.address(schema: schema))
      defer { [store, other].forEach { $0.close() } }
      _ = try store.commit(write("a", nil, "0", number: 1))
      relay.lose(.response, of: "written AS")
      relay.open(false)
      let result = Awaited<Result<LaneCommit, LaneProblem>?>(nil)
      let exchanges = hasExchange ? [exchange(1, of: "a", by: store.replica)] : []
      Thread.detachNewThread {
        do throws(LaneProblem) {
          let commit = try store.commit(write("a", 1, "1", number: 2, exchanges: exchanges))
          result.change { $0 = .success(commit) }
        } catch {
          result.change { $0 = .failure(error) }
        }
      }
      let isApplied = Awaited(false)
      while !isApplied.value {
        let isNext = try other.commit(write("a", 2, "2", number: 1)).isStored
        if isNext { isApplied.change { $0 = true } }
      }
      relay.open(true)
      #expect(result.waits { $0 != nil })
      switch result.value {
      case .success(let commit): #expect(hasExchange && commit == .stored(announcement: nil))
      case .failure(let problem):
        #expect(!hasExchange && problem.kind == .outcome, "\(problem)")
        #expect(
          problem.message
            == "outcome unknown: the change may be stored, its acknowledgement was lost: the store \(store.summary) cannot be used: others have changed the lane since"
        )
      case nil: break
      }
    }
  }

  @Test func `a lost write without a server to ask has an unknown outcome`() throws {
    try withRelay { store, relay in
      relay.lose(.response, of: "written AS")
      relay.open(false)
      let problem = #expect(throws: LaneProblem.self) { try store.commit(write("a", nil, number: 1)) }
      #expect(problem?.kind == .outcome)
      // The next one, whose connection fails, certainly has no effect.
      let next = #expect(throws: LaneProblem.self) { try store.commit(write("a", nil, number: 2)) }
      #expect(next?.kind == .store)
      relay.open(true)
      #expect(Awaited(0).waitsAsking { (try? store.load("a")) != nil })
    }
  }

  @Test func `a restart of the server under writes loses no acknowledged write`() throws {
    let server = try TestPostgreSQL()
    let store = try open(server.address(schema: "restart"))
    defer { store.close() }
    let acknowledged = Awaited([Int](repeating: 0, count: 4))
    let isOver = Awaited(false)
    let threads = (0..<4).map { lane in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        defer { done.signal() }
        var version = 0
        while !isOver.value {
          do throws(LaneProblem) {
            let commit = try store.commit(write("\(lane)", version == 0 ? nil : version, number: version + 1))
            guard commit.isStored else { return }
            version += 1
            acknowledged.change { $0[lane] = version }
          } catch {
            // The state is read again after an unknown outcome, as by a mock.
            guard error.kind == .outcome else { continue }
            while !isOver.value {
              guard let found = try? store.load("\(lane)")?.version else { continue }
              version = found
              break
            }
          }
        }
      }
      return done
    }
    #expect(acknowledged.waits { $0.allSatisfy { $0 > 20 } })
    try server.stop()
    try server.start()
    let counts = acknowledged.value
    #expect(acknowledged.waits { zip($0, counts).allSatisfy { $0 > $1 + 20 } })
    isOver.change { $0 = true }
    for thread in threads { thread.wait() }
    for lane in 0..<4 { #expect(try store.load("\(lane)")?.version == acknowledged.value[lane], "\(lane)") }
  }

  // MARK: - Problems

  private func problem(_ address: String) -> LaneProblem? {
    do throws(LaneProblem) {
      try StoreAddress(address).open().close()
      return nil
    } catch {
      return error
    }
  }

  @Test func `tables of a later version are rejected, and stay as they are`() throws {
    try withStore { store, server, schema in
      try server.query("UPDATE \(schema).understudy_meta SET value = '99' WHERE key = 'schema'")
      #expect(
        problem(server.address(schema: schema))?.message
          == "the store \(store.summary) cannot be used: a later version of understudy wrote it: expected tables of version 1 or lower, found version 99"
      )
      #expect(try server.query("SELECT value FROM \(schema).understudy_meta WHERE key = 'processes'") == "1")
    }
  }

  @Test func `a role that may only read gets a problem at the start, and a read-only server at the write`() throws {
    try withStore { store, server, schema in
      let role = "reader_\(schema)"
      try server.query("CREATE ROLE \(role) LOGIN")
      let rejected = try #require(problem(server.address(schema: schema, user: role)))
      #expect(rejected.message == "the store \(store.summary) cannot be used: permission denied for schema \(schema)")
      #expect(
        rejected.help
          == "grant the role CREATE on the database or USAGE and CREATE on the schema, or name another: `?schema=NAME`")
      #expect(
        problem(server.address(schema: schema + "_new", user: role))?.message.hasSuffix(
          "permission denied for database postgres") == true)
      let options = "&options=-c%20default_transaction_read_only%3Don"
      let readOnly = try #require(problem(server.address(schema: schema) + options))
      #expect(readOnly.message.hasSuffix("cannot execute UPDATE in a read-only transaction"), "\(readOnly)")
      #expect(readOnly.help.hasPrefix("name the primary server"))
      #expect(
        try StoreAddress(server.address(schema: schema) + options).openExchanges().exchanges(
          of: nil, after: 0, limit: 1
        ).isEmpty)
    }
  }

  @Test func `a missing server, database, role and schema are problems with the next step`() throws {
    let server = try TestPostgreSQL.shared.get()
    let missing = try #require(problem("postgresql://127.0.0.1:1/x?user=y"))
    #expect(
      missing.message.hasPrefix("the store PostgreSQL 127.0.0.1:1/x cannot be used: connection to server at"),
      "\(missing)")
    #expect(missing.help == "check that the server runs and is reachable: requests succeed again then")
    let database = try #require(problem("postgresql://postgres@/absent?host=\(server.folder)"))
    #expect(database.message.hasSuffix(#"FATAL:  database "absent" does not exist"#), "\(database)")
    #expect(database.help.hasPrefix("create the database and the role"))
    try server.query("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
    let crowded = try #require(problem(server.address(user: "crowded")))
    #expect(crowded.help.hasPrefix("raise `max_connections` of the server"), "\(crowded)")
    let table = #expect(throws: LaneProblem.self) {
      try StoreAddress(server.address(schema: "absent")).openExchanges()
    }
    #expect(table?.message.hasSuffix("it has no tables of a store") == true, "\(table as Any)")
  }

  @Test func `no problem and no name contains a password`() throws {
    let server = try TestPostgreSQL.shared.get()
    try server.query("CREATE ROLE guarded LOGIN PASSWORD 'sEcr%t@/?'; GRANT CREATE ON DATABASE postgres TO guarded")
    let right = try StoreAddress(server.address(schema: "guarded", user: "guarded", password: "sEcr%25t%40%2F%3F"))
    let store = try right.open()
    defer { store.close() }
    #expect(!"\(store.summary)\(right.name)".contains("sEcr"))
    let texts = [
      server.address(user: "guarded", password: "wr0ngSecret"),
      "postgresql://guarded@/postgres?host=\(server.folder)&password=wr0ngSecret",
      "postgresql://guarded:wr0ngSecret?host=x@@/y:z", "postgresql://u:p@wr0ngSecret@h/d",
      "postgresql://u:p/wr0ngSecret@h/d",
      "postgresql://u:wr0ngSecret/d", "postgresql://u:wr0ngSecret@h:wr0ngSecret/d",
      "postgresql://u:wr0ng%ZZSecret@h/d", "postgresql://u@h/d?wr0ngSecret", "postgres:u:wr0ngSecret@h",
      "postgresql://u:wr0ngSecret@h/d?schema=", "postgresql://u:wr0ngSecret@127.0.0.1:1/wr0ngSecret",
      "postgresql://u@[wr0ngSecret/d", "postgresql://u:p@h/d?sslmode=wr0ngSecret&sslpassword=wr0ngSecret",
    ]
    for text in texts {
      let problem = try #require(self.problem(text), "\(text)")
      let isOfName = text.hasSuffix("/wr0ngSecret") && problem.message.contains("PostgreSQL 127.0.0.1:1/wr0ngSecret")
      let printed = "\(problem.message) \(problem.help)"
      let rest = isOfName ? printed.replacing("PostgreSQL 127.0.0.1:1/wr0ngSecret", with: "") : printed
      #expect(!rest.contains("Secret") && !rest.contains("wr0ng"), "\(text): \(printed)")
    }
  }
}

extension Awaited {
  /// Asks until the condition is met; returns `false` after 20 seconds, which only a failing test reaches.
  fileprivate func waitsAsking(_ isMet: () -> Bool) -> Bool {
    let end = Date.now.addingTimeInterval(20)
    while !isMet() { if Date.now > end { return false } }
    return true
  }
}
