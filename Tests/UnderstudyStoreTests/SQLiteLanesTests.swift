import Foundation
import Testing
import UnderstudyMock
import UnderstudyStore
import UnderstudyTestSupport

struct SQLiteLanesTests {
  @Test func `a store is a private file`() throws {
    try withStoreFile { path in
      let store = try SQLiteLanes(path)
      _ = try store.commit(write("a", nil))
      for file in [path, path + "-wal", path + "-shm"] {
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(file)")
      }
    }
  }

  @Test func `a file of an earlier version gains the tables that it lacks`() throws {
    try withStoreFile { path in
      let file = try SQLiteDatabase(path, isReadOnly: false)
      try file.execute(
        """
        CREATE TABLE understudy_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE understudy_lanes (
          key TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, due INTEGER, contract TEXT NOT NULL,
          format INTEGER NOT NULL, owner TEXT, labels TEXT, expires INTEGER);
        INSERT INTO understudy_meta VALUES ('schema', '1'), ('processes', '4');
        INSERT INTO understudy_lanes VALUES ('a', 3, '{}', NULL, '1.2', 1, NULL, NULL, NULL);
        """)
      #expect(try StoreAddress(path).openExchanges().exchanges(of: nil, after: 0, limit: 9).isEmpty)
      let store = try SQLiteLanes(path)
      #expect(store.earlierProcesses == 4)
      #expect(try store.commit(write("a", 3, exchanges: [exchange(1, of: "a")])).isStored)
      let reader = try StoreAddress(path).openExchanges()
      #expect(try reader.exchanges(of: "a", after: 0, limit: 9).map(\.number) == [1])
    }
  }

  @Test func `tables of a later version are rejected`() throws {
    try withStoreFile { path in
      try SQLiteLanes(path).close()
      try SQLiteDatabase(path, isReadOnly: false).execute(
        "UPDATE understudy_meta SET value = '99' WHERE key = 'schema'")
      let problem = #expect(throws: LaneProblem.self) { try SQLiteLanes(path) }
      #expect(problem?.message.contains("expected tables of version 2 or lower, found version 99") == true)
    }
  }

  @Test(arguments: [
    ("lanes.db", "lanes.db"), ("sqlite:lanes.db", "lanes.db"), ("sqlite:/tmp/a.db", "/tmp/a.db"), ("./a:b", "./a:b"),
  ])
  func `an address names a file`(_ text: String, _ path: String) throws {
    #expect(try StoreAddress(text) == .file(path))
  }

  @Test(arguments: [
    ("", "`` is not a store: expected the path of a file or `postgresql://HOST/DATABASE`"),
    (
      "mysql://u:pw@db",
      "`mysql://[redacted]@db` is not a store: expected the path of a file or `postgresql://HOST/DATABASE`"
    ),
    ("folder/", "`folder/` is not a store: expected the path of a file or `postgresql://HOST/DATABASE`"),
  ])
  func `an address of no store is rejected`(_ text: String, _ message: String) throws {
    #expect(throws: LaneProblem.self) { try StoreAddress(text) }
    do { _ = try StoreAddress(text) } catch { #expect(error.message == message) }
  }
}
