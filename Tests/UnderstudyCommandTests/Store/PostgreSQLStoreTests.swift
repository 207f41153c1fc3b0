import Foundation
import Testing
import UnderstudyTestSupport

/// `serve --store postgresql://...`: lanes in a database server.
@Suite(.waitsForProcesses, .enabled(if: TestPostgreSQL.isPresent, "no PostgreSQL"))
struct PostgreSQLStoreTests {
  private func withContract(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try NotesContract.text.write(toFile: folder + "/notes.yaml", atomically: true, encoding: .utf8)
      try body(folder)
    }
  }

  private func served(_ address: String, in folder: String) throws -> ServedMock {
    try ServedMock(
      ["notes.yaml", "--stateful", "--no-watch", "--quiet"], in: folder, environment: ["UNDERSTUDY_STORE": address])
  }

  private func add(_ text: String, in lane: String, _ client: RawClient) throws -> RawClient.Response {
    let body = #"{"text":"\#(text)"}"#
    try client.send(
      "POST /~\(lane)/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return try client.response()
  }

  private func read(_ path: String, _ client: RawClient) throws -> RawClient.Response {
    try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return try client.response()
  }

  @Test func `lanes continue after a restart, and no output has the password`() throws {
    try TestPostgreSQL.withSchema { server, schema in
      let role = "keeper_\(schema)"
      try server.query("CREATE ROLE \(role) LOGIN PASSWORD 'sEcret99'; CREATE SCHEMA \(schema) AUTHORIZATION \(role)")
      try withContract { folder in
        let address = server.address(schema: schema, user: role, password: "sEcret99")
        let first = try served(address, in: folder)
        let name = "PostgreSQL \(server.folder)/postgres, schema \(schema)"
        #expect(first.printed.contains("  lanes: \(name)\n"), "\(first.printed)")
        let client = try RawClient(port: first.port)
        #expect(try add("one", in: "a", client).status == 201)
        #expect(first.end(by: SIGKILL).code == SIGKILL)
        let second = try served(address, in: folder)
        let next = try RawClient(port: second.port)
        #expect(try read("/~a/notes", next).body.contains("one"))
        let metrics = try read("/__admin/metrics", next).body
        #expect(metrics.contains("understudy_store_info{store=\"\(name)\"} 1"), "\(metrics)")
        let end = second.end()
        #expect(end.code == 0)
        #expect(![first.printed, end.printed, metrics].contains { $0.contains("sEcret99") })
      }
    }
  }

  @Test func `a store whose server is gone gets 503 for requests with state, and others go on`() throws {
    let server = try TestPostgreSQL()
    try withContract { folder in
      let mock = try served(server.address(), in: folder)
      let client = try RawClient(port: mock.port)
      #expect(try add("one", in: "a", client).status == 201)
      try server.stop()
      let rejected = try add("two", in: "a", client)
      #expect(rejected.status == 503 && rejected["retry-after"] == "1", "\(rejected)")
      #expect(
        rejected.body.contains("the store PostgreSQL \(server.folder)/postgres cannot be used: "), "\(rejected.body)")
      #expect(try read("/status", client).status == 200)
      try server.start()
      let end = Date.now.addingTimeInterval(20)
      while try add("three", in: "a", client).status != 201, Date.now < end {}
      let notes = try read("/~a/notes", client).body
      #expect(notes.contains("one") && notes.contains("three") && !notes.contains("two"), "\(notes)")
    }
  }

  @Test func `a wrong address ends the start with code 2, and a server that rejects it with code 3`() throws {
    let server = try TestPostgreSQL.shared.get()
    try withContract { folder in
      func result(_ address: String) throws -> Command.Result {
        try Command.run(
          "serve", "notes.yaml", "--port", "0", in: folder, environment: ["UNDERSTUDY_STORE": address])
      }
      let invalid = try result("postgresql://u:wr0ng%ZZ@h/d")
      #expect(
        invalid.code == 3
          && invalid.error.contains(
            "error: the PostgreSQL address is not valid: expected `postgresql://HOST:PORT/DATABASE`\n"),
        "\(invalid)")
      let malformed = try result("postgresql:u:wr0ng@h/d")
      #expect(malformed.code == 2 && !malformed.error.contains("wr0ng"), "\(malformed)")
      let absent = try result("postgresql://postgres:wr0ng@/absent?host=\(server.folder)")
      #expect(absent.code == 3 && absent.error.contains(#"database "absent" does not exist"#), "\(absent)")
      #expect(![invalid, absent].contains { ($0.output + $0.error).contains("wr0ng") })
    }
  }
}
