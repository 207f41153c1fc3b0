import Foundation
import Testing
import UnderstudyMock
import UnderstudyStore
import UnderstudyTestSupport

/// The promises of each database of lanes.
struct LaneDatabaseTests {
  @Test(arguments: DatabaseKind.present)
  func `a write replaces only the version that it expects`(_ kind: DatabaseKind) throws {
    try withDatabase(kind) { store, _ in
      #expect(try store.commit(write("a", nil, "1")).isStored)
      #expect(try store.commit(write("a", nil, "2")) == .conflict)
      #expect(try store.commit(write("a", 1, "3")) == .stored(announcement: nil))
      #expect(try store.commit(write("a", 1, "4")) == .conflict)
      #expect(try store.commit(write("b", 1, "5")) == .conflict)
      let lane = try #require(try store.load("a"))
      #expect((lane.version, lane.state, lane.contract) == (2, "3", "1.2"))
      #expect(try store.load("b") == nil)
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `an expired lane gives its name free, and is absent after the next start`(_ kind: DatabaseKind) throws {
    try withDatabase(kind) { store, _ in
      #expect(try store.commit(write("a", nil, "1", expires: 100)).isStored)
      #expect(try store.commit(write("b", nil, "1", expires: 300)).isStored)
      #expect(try !store.commit(write("a", nil, "2", expires: 300, at: 99)).isStored)
      #expect(try store.commit(write("a", nil, "2", expires: 200, at: 100)).isStored)
      #expect(try store.load("a")?.state == "2")
      try store.remove(["a", "b"], expiredBy: 150)
      #expect(try store.lanes(at: 150).map(\.key).sorted() == ["a", "b"])
      #expect(try store.lanes(at: 250).map(\.key) == ["b"])
      try store.remove(["b"], expiredBy: nil)
      #expect(try store.lanes(at: 250).isEmpty)
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `writes of many threads are all stored`(_ kind: DatabaseKind) throws {
    try withDatabase(kind) { store, _ in
      DispatchQueue.concurrentPerform(iterations: 50) { number in
        for version in 0..<10 { _ = try? store.commit(write("\(number)", version == 0 ? nil : version)) }
      }
      let all = try store.lanes(at: 0)
      #expect(all.count == 50)
      #expect(try all.allSatisfy { try store.load($0.key)?.version == 10 })
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `eight writers of one lane lose no change`(_ kind: DatabaseKind) throws {
    try withDatabase(kind) { store, _ in
      _ = try store.commit(write("a", nil, "0"))
      DispatchQueue.concurrentPerform(iterations: 8) { writer in
        var stored = 0
        while stored < 25, let lane = try? store.load("a"), let count = Int(lane.state) {
          let change = write(
            "a", lane.version, "\(count + 1)", number: stored + 1,
            exchanges: [exchange(stored + 1, of: "a", by: "writer\(writer)", "\(count + 1)")])
          if (try? store.commit(change))?.isStored == true { stored += 1 }
        }
      }
      #expect(try store.load("a")?.state == "200")
      let exchanges = try store.exchanges(of: "a", after: 0, limit: 1_000)
      #expect(exchanges.map(\.text) == (1...200).map(String.init))
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `a state is stored as it is, and the next process finds it`(_ kind: DatabaseKind) throws {
    let state = #"{"a":"\u0000é\"'\\{},😀"}"#
    try withDatabase(kind) { store, open in
      #expect(store.earlierProcesses == 0)
      _ = try store.commit(
        write("ä\"'", nil, state, expires: 7, exchanges: [exchange(1, of: "ä\"'", at: 5, "{\"\\u0000\": \"\\\", é\"}")])
      )
      store.close()
      #expect(throws: LaneProblem.self) { try store.commit(write("b", nil)) }
      let next = try open()
      defer { next.close() }
      #expect(next.earlierProcesses == 1)
      #expect(try next.load("ä\"'")?.state == state)
      #expect(try next.lanes(at: 0).map(\.expires) == [7])
      #expect(try next.exchanges(of: nil, after: 0, limit: 9).map(\.text) == ["{\"\\u0000\": \"\\\", é\"}"])
    }
  }

  // MARK: - Exchanges

  @Test(arguments: DatabaseKind.present)
  func `exchanges are stored with their write or not at all, once, and read by lane and position`(
    _ kind: DatabaseKind
  ) throws {
    try withDatabase(kind) { store, _ in
      _ = try store.commit(write("a", nil, exchanges: [exchange(1, of: "a"), exchange(2, of: "a")]))
      _ = try store.commit(write("a", nil, exchanges: [exchange(3, of: "a")]))
      try store.append([exchange(4, of: "b"), exchange(5, of: "a")])
      try store.append([exchange(5, of: "a", "older"), exchange(5, of: "a", at: 8, "new"), exchange(6, of: "a")])
      try store.append([])
      let all = try store.exchanges(of: nil, after: 0, limit: 100)
      #expect(all.map(\.number) == [1, 2, 4, 5, 6])
      #expect(try store.exchanges(of: "a", after: 0, limit: 3).map(\.number) == [1, 2, 5])
      #expect((all[3].text, all[3].time) == ("new", 8))
      #expect(try store.exchanges(of: "a", after: all[1].position, limit: 100).map(\.number) == [5, 6])
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `exchanges of a lane without a row remain for an hour`(_ kind: DatabaseKind) throws {
    try withDatabase(kind) { store, open in
      _ = try store.commit(write("a", nil, exchanges: [exchange(1, of: "a", at: 1), exchange(2, of: "a", at: 2)]))
      _ = try store.commit(write("b", nil, exchanges: [exchange(3, of: "b")]))
      try store.append([exchange(4, of: "c", at: 1), exchange(5, of: "c", at: 2)])
      try store.remove(["a"], expiredBy: nil)
      #expect(try store.exchanges(of: nil, after: 0, limit: 9).count == 5)
      store.close()
      let next = try open()
      _ = try next.lanes(at: 3_600_000_002)
      // Closing ends the removals that have begun.
      next.close()
      let last = try open()
      defer { last.close() }
      #expect(try last.exchanges(of: nil, after: 0, limit: 9).map(\.number) == [2, 3, 5])
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `a lane keeps its newest 10,000 exchanges`(_ kind: DatabaseKind) throws {
    try withDatabase(kind) { store, _ in
      _ = try store.commit(write("a", nil))
      for start in stride(from: 1, through: 12_000, by: 1_000) {
        try store.append((start..<start + 1_000).map { exchange($0, of: "a") })
      }
      // Closing ends the removals that have begun.
      store.close()
    }
    try withDatabase(kind) { store, open in
      try store.append((1...12_000).map { exchange($0, of: "a") } + [exchange(12_001, of: "b")])
      _ = try store.commit(write("a", nil))
      store.close()
      let next = try open()
      defer { next.close() }
      let numbers = try next.exchanges(of: "a", after: 0, limit: 100_000).map(\.number)
      #expect(numbers.count <= 10_500 && numbers.count >= 10_000, "\(numbers.count)")
      #expect(numbers == Array((12_001 - numbers.count)...12_000))
    }
  }

  // MARK: - Versions

  @Test(arguments: DatabaseKind.present)
  func `lanes of a later format are rejected`(_ kind: DatabaseKind) throws {
    try withDatabase(kind) { store, open in
      _ = try store.commit(write("a", nil, format: 99))
      store.close()
      let problem = #expect(throws: LaneProblem.self) { try open() }
      #expect(
        problem?.message.hasSuffix(
          "cannot be used: a later version of understudy wrote it: expected lanes of format 1 or lower, found format 99"
        )
          == true, "\(problem as Any)")
    }
  }
}
