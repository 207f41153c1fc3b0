import Foundation
import Testing
import UnderstudyMock
import UnderstudyStore
import UnderstudyTestSupport

struct SQLiteLanesTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder + "/lanes.db")
  }

  private func write(
    _ key: String, _ version: Int?, _ state: String = "{}", expires: Int? = nil, at time: Int = 0, format: Int = 1
  ) -> LaneWrite {
    LaneWrite(
      key: key, version: version, lane: StoredLane(version: (version ?? 0) + 1, state: state, contract: "1.2"),
      entry: StoredLaneEntry(key: key, due: nil, expires: expires), format: format, time: time)
  }

  @Test func `a write replaces only the version that it expects`() throws {
    try withStore { path in
      let store = try SQLiteLanes(path)
      #expect(try store.commit(write("a", nil, "1")).isStored)
      #expect(try !store.commit(write("a", nil, "2")).isStored)
      #expect(try store.commit(write("a", 1, "3")).isStored)
      #expect(try !store.commit(write("a", 1, "4")).isStored)
      let lane = try #require(try store.load("a"))
      #expect((lane.version, lane.state, lane.contract) == (2, "3", "1.2"))
      #expect(try store.load("b") == nil)
    }
  }

  @Test func `an expired lane gives its name free, and is absent after the next start`() throws {
    try withStore { path in
      let store = try SQLiteLanes(path)
      #expect(try store.commit(write("a", nil, "1", expires: 100)).isStored)
      #expect(try store.commit(write("b", nil, "1", expires: 300)).isStored)
      #expect(try !store.commit(write("a", nil, "2", expires: 300, at: 99)).isStored)
      #expect(try store.commit(write("a", nil, "2", expires: 200, at: 100)).isStored)
      #expect(try store.load("a")?.state == "2")
      try store.remove(["a", "b"], expiredBy: 150)
      #expect(try store.lanes(at: 150).map(\.key).sorted() == ["a", "b"])
      #expect(try store.lanes(at: 250).map(\.key) == ["b"])
    }
  }

  @Test func `writes of many threads are all stored`() throws {
    try withStore { path in
      let store = try SQLiteLanes(path)
      DispatchQueue.concurrentPerform(iterations: 50) { number in
        for version in 0..<10 { _ = try? store.commit(write("\(number)", version == 0 ? nil : version)) }
      }
      let all = try store.lanes(at: 0)
      #expect(all.count == 50)
      #expect(try all.allSatisfy { try store.load($0.key)?.version == 10 })
    }
  }

  @Test func `a store is a private file that the next process continues`() throws {
    try withStore { path in
      let first = try SQLiteLanes(path)
      _ = try first.commit(write("ä\"'", nil, #"{"a":"\u0000é"}"#))
      for file in [path, path + "-wal", path + "-shm"] {
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(file)")
      }
      #expect(first.earlierProcesses == 0)
      first.close()
      #expect(throws: LaneProblem.self) { try first.commit(write("b", nil)) }
      let second = try SQLiteLanes(path)
      #expect(second.earlierProcesses == 1)
      #expect(try second.load("ä\"'")?.state == #"{"a":"\u0000é"}"#)
    }
  }

  @Test func `a store of a later version is rejected, and stays as it is`() throws {
    try withStore { path in
      let store = try SQLiteLanes(path)
      _ = try store.commit(write("a", nil, format: 99))
      store.close()
      let problem = #expect(throws: LaneProblem.self) { try SQLiteLanes(path) }
      #expect(
        problem?.message.contains("expected lanes of format 1 or lower, found format 99") == true, "\(problem as Any)")
    }
  }

  @Test(arguments: [
    ("lanes.db", "lanes.db"), ("sqlite:lanes.db", "lanes.db"), ("sqlite:/tmp/a.db", "/tmp/a.db"), ("./a:b", "./a:b"),
  ])
  func `an address names a file`(_ text: String, _ path: String) throws {
    #expect(try StoreAddress(text).path == path)
  }

  @Test(arguments: [
    (
      "postgresql://db/lanes",
      "PostgreSQL is not a store of this version: expected the path of a file, found a `postgresql` address"
    ),
    (
      "postgres:x", "PostgreSQL is not a store of this version: expected the path of a file, found a `postgres` address"
    ),
    ("", "`` is not a store: expected the path of a file"),
    ("mysql://db", "`mysql://db` is not a store: expected the path of a file"),
    ("folder/", "`folder/` is not a store: expected the path of a file"),
  ])
  func `an address of no file is rejected`(_ text: String, _ message: String) throws {
    #expect(throws: LaneProblem.self) { try StoreAddress(text) }
    do { _ = try StoreAddress(text) } catch { #expect(error.message == message) }
  }
}
