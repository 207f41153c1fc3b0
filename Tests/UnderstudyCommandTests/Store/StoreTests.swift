import Foundation
import Testing
import UnderstudyTestSupport

/// `serve --store`: lanes that outlive the process.
@Suite(.waitsForProcesses)
struct StoreTests {
  private func withProject(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try NotesContract.text.write(
        toFile: folder + "/notes.yaml", atomically: true, encoding: .utf8)
      let scenarios = folder + "/fixtures/notes/_scenarios"
      try FileManager.default.createDirectory(atPath: scenarios, withIntermediateDirectories: true)
      try "sequence: {readStatus: [503, 503, 200]}\n".write(
        toFile: scenarios + "/steps.yaml", atomically: true, encoding: .utf8)
      try body(folder)
    }
  }

  private func served(in folder: String, _ arguments: String...) throws -> ServedMock {
    try ServedMock(
      ["notes.yaml", "--stateful", "--store", "lanes.db", "--no-watch", "--quiet"] + arguments, in: folder)
  }

  private func add(_ text: String, in lane: String, _ client: RawClient) throws -> Int {
    let body = #"{"text":"\#(text)"}"#
    try client.send(
      "POST /~\(lane)/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return try client.response().status
  }

  private func read(_ path: String, _ client: RawClient) throws -> RawClient.Response {
    try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return try client.response()
  }

  @Test func `lanes continue after a restart: items, scenario, forced responses, verdict and names`() throws {
    try withProject { folder in
      let first = try served(in: folder)
      #expect(first.printed.contains("  lanes: SQLite lanes.db\n"), "\(first.printed)")
      let client = try RawClient(port: first.port)
      let opening = #"{"name": "a", "scenario": "steps", "force": {"listNotes": "200*1"}}"#
      try client.send(
        "POST /__admin/lanes HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(opening.utf8.count)\r\n\r\n\(opening)")
      #expect(try client.response().status == 201)
      #expect(try add("one", in: "a", client) == 201)
      #expect(try add("two", in: "default", client) == 201)
      #expect(try read("/~a/status", client).status == 503)
      #expect(first.end().code == 0)
      let second = try served(in: folder)
      let next = try RawClient(port: second.port)
      let names = try Command.run(Command.path, ["ctl", "lanes", "--url", second.url], in: folder)
      #expect(names.output.contains("a"), "\(names)")
      let statuses = try (0..<2).map { _ in try read("/~a/status", next).status }
      #expect(statuses == [503, 200])
      #expect(try read("/notes", next).body.contains("two"))
      _ = try read("/~a/notes", next)
      #expect(try read("/~a/notes", next).body.contains("one"))
      let journal = try Command.run(Command.path, ["journal", "lanes.db"], in: folder)
      #expect(journal.code == 3)
      #expect(journal.error.contains("lanes.db has lanes and no exchanges"), "\(journal)")
      let verdict = try read("/__admin/lanes/a", next).body
      #expect(verdict.contains(#""requests": 6"#), "\(verdict)")
      let metrics = try read("/__admin/metrics", next).body
      #expect(metrics.contains(#"understudy_store_info{store="SQLite lanes.db"} 1"#), "\(metrics)")
    }
  }

  @Test func `after a kill under load each lane has its last acknowledged change`() throws {
    try withProject { folder in
      let mock = try served(in: folder)
      let port = mock.port
      let counts = Awaited([Int](repeating: 0, count: 50))
      let clients = counts.value.indices.map { lane in
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          defer { done.signal() }
          guard let client = try? RawClient(port: port) else { return }
          while (try? add("x", in: "lane\(lane)", client)) == 201 { counts.change { $0[lane] += 1 } }
        }
        return done
      }
      #expect(counts.waits { $0.allSatisfy { $0 > 5 } })
      _ = mock.end(by: SIGKILL)
      for client in clients { client.wait() }
      let next = try served(in: folder)
      let client = try RawClient(port: next.port)
      for (lane, acknowledged) in counts.value.enumerated() {
        let found = try read("/~lane\(lane)/notes", client).body.components(separatedBy: #""text""#).count - 1
        #expect([acknowledged, acknowledged + 1].contains(found), "lane\(lane): \(acknowledged), found \(found)")
      }
    }
  }

  @Test func `a second process on a store is refused with the number of the first`() throws {
    try withProject { folder in
      let first = try served(in: folder)
      let result = try Command.run(
        Command.path, ["serve", "notes.yaml", "--port", "0", "--store", "sqlite:lanes.db"], in: folder)
      let problem =
        "error: the store lanes.db cannot be used: process \(first.processIdentifier) uses it, and one process can use it at a time"
      #expect(result.code == 3 && result.error.contains(problem), "\(result)")
    }
  }

  @Test func `a store that cannot be written gets 503 for requests with state, and others go on`() throws {
    try withProject { folder in
      let mock = try ServedMock(
        ["notes.yaml", "--stateful", "--store", "lanes.db", "--no-watch", "--quiet"], in: folder, after: "ulimit -f 400"
      )
      let client = try RawClient(port: mock.port)
      let long = String(repeating: "x", count: 20_000)
      var last = try add(long, in: "a", client)
      for _ in 0..<20 where last == 201 { last = try add(long, in: "a", client) }
      #expect(last == 503)
      let body = #"{"text":"x"}"#
      try client.send(
        "POST /~a/notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      )
      let refused = try client.response()
      #expect(refused.status == 503 && refused["retry-after"] == "1", "\(refused)")
      #expect(refused.body.contains("the store lanes.db cannot be used: "), "\(refused.body)")
      #expect(try read("/status", client).status == 200)
    }
  }
}
