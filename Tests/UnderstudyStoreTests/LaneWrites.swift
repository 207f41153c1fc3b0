import Foundation
import UnderstudyMock
import UnderstudyStore
import UnderstudyTestSupport

/// The databases whose tests are the same.
enum DatabaseKind: String, CaseIterable {
  case sqlite = "SQLite"
  case postgreSQL = "PostgreSQL"

  static var present: [DatabaseKind] { TestPostgreSQL.isPresent ? allCases : [.sqlite] }
}

/// Runs `body` with a new database; `open` opens it again.
func withDatabase(
  _ kind: DatabaseKind, _ body: (any LaneDatabase, _ open: () throws -> any LaneDatabase) throws -> Void
) throws {
  switch kind {
  case .sqlite:
    try withStoreFile { path in
      let address = try StoreAddress(path)
      try body(try address.open()) { try address.open() }
    }
  case .postgreSQL:
    try TestPostgreSQL.withSchema { server, schema in
      let address = try StoreAddress(server.address(schema: schema))
      let store = try address.open()
      defer { store.close() }
      try body(store) { try address.open() }
    }
  }
}

func withStoreFile(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try body(folder + "/lanes.db")
}

func write(
  _ key: String, _ version: Int?, _ state: String = "{}", expires: Int? = nil, at time: Int = 0, format: Int = 1,
  number: Int = 0, exchanges: [StoredExchange] = [], isAnnounced: Bool = false
) -> LaneWrite {
  LaneWrite(
    key: key, version: version, lane: StoredLane(version: (version ?? 0) + 1, state: state, contract: "1.2"),
    entry: StoredLaneEntry(key: key, due: nil, expires: expires), format: format, time: time, number: number,
    exchanges: exchanges, isAnnounced: isAnnounced)
}

func exchange(
  _ number: Int, of lane: String, at time: Int = 0, by replica: String = "a", _ text: String = "{}"
)
  -> StoredExchange
{
  StoredExchange(replica: replica, number: number, lane: lane, time: time, text: text)
}
