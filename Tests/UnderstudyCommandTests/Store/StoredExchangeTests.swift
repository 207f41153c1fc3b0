import Foundation
import Testing
import UnderstudyMock
import UnderstudyStore
import UnderstudyTestSupport

/// Commands that read the exchanges of a store, as they read a journal.
@Suite(.waitsForProcesses)
struct StoredExchangeTests {
  private func exchange(
    _ number: Int, _ method: String, _ path: String, _ status: Int, _ operation: String?, lane: String
  )
    -> StoredExchange
  {
    let operation = operation.map { #""operation": "\#($0)", "# } ?? ""
    let time = "2026-11-30T08:00:0\(number).000Z"
    let text = """
      {"startedDateTime": "\(time)", "time": 1.5, \
      "request": {"method": "\(method)", "url": "http://127.0.0.1\(path)", "httpVersion": "HTTP/1.1", "headers": [], \
      "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0}, \
      "response": {"status": \(status), "statusText": "", "httpVersion": "HTTP/1.1", "headers": \
      [{"name": "content-type", "value": "application/json"}], "cookies": [], "content": {"size": 2, "mimeType": \
      "application/json", "text": "[]"}, "redirectURL": "", "headersSize": -1, "bodySize": 2}, \
      "cache": {}, "timings": {"send": 0, "wait": 1.5, "receive": 0}, \
      "_entry": {"time": "\(time)", "method": "\(method)", "target": "\(path)", "status": \(status), \(operation)\
      "lane": "\(lane)", "microseconds": 1500, "reply": "fixture", "errors": 0, "warnings": 0, "findings": []}}
      """
    return StoredExchange(replica: "r\(number)", number: 1, lane: lane, time: number, text: text)
  }

  private var exchanges: [StoredExchange] {
    [
      exchange(1, "GET", "/notes", 200, "listNotes", lane: "a"), exchange(2, "GET", "/note", 404, nil, lane: "b"),
      exchange(3, "GET", "/notes", 200, "listNotes", lane: "b"),
    ]
  }

  private func withStores(_ body: (_ address: String, _ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try NotesContract.text.write(toFile: folder + "/notes.yaml", atomically: true, encoding: .utf8)
      // The process that has the store goes on.
      let file = try StoreAddress(folder + "/lanes.db").open()
      try file.append(exchanges)
      try body("lanes.db", folder)
      guard TestPostgreSQL.isPresent else { return }
      try TestPostgreSQL.withSchema { server, schema in
        let role = "journal_\(schema)"
        try server.query("CREATE ROLE \(role) LOGIN PASSWORD 'sEcret98'; CREATE SCHEMA \(schema) AUTHORIZATION \(role)")
        let address = server.address(schema: schema, user: role, password: "sEcret98")
        let store = try StoreAddress(address).open()
        defer { store.close() }
        try store.append(exchanges)
        try body(address, folder)
      }
    }
  }

  @Test func `journal lists and filters the exchanges of a store`() throws {
    try withStores { address, folder in
      func journal(_ arguments: String...) throws -> String {
        let result = try Command.run(Command.path, ["journal", address] + arguments, in: folder)
        #expect(result.code == 0 && result.error.isEmpty && !result.output.contains("sEcret98"), "\(result)")
        return result.output
      }
      #expect(
        try journal() == """
          1  08:00:01 GET /notes 200 1.5 ms lane a  fixture
          2  08:00:02 GET /note 404 1.5 ms lane b  fixture
          3  08:00:03 GET /notes 200 1.5 ms lane b  fixture

          """)
      func numbers(_ arguments: String...) throws -> [Substring] {
        let result = try Command.run(Command.path, ["journal", address] + arguments, in: folder)
        return result.output.split(separator: "\n").map { $0.prefix(1) }
      }
      #expect(try numbers("--lane", "b") == ["2", "3"])
      #expect(try numbers("--limit", "2") == ["2", "3"])
      #expect(try numbers("--unmatched") == ["2"])
      #expect(try numbers("--operation", "listNotes", "--status", "200", "--lane", "a") == ["1"])
      #expect(try journal("--show", "2").hasPrefix("#2 GET /note\n"))
      let absent = try Command.run("journal", address, "--show", "9", in: folder)
      #expect(absent.code == 3 && absent.error.contains("it has no request 9"), "\(absent)")
      #expect(!absent.error.contains("sEcret98"))
      #expect(try journal("--format", "har").contains(#""version": "1.2""#))
    }
  }

  @Test func `coverage, verify and diff read the exchanges of a store`() throws {
    try withStores { address, folder in
      let coverage = try Command.run("coverage", "notes.yaml", "--har", address, in: folder)
      #expect(coverage.code == 0 && coverage.output.contains("200"), "\(coverage)")
      let gate = try Command.run(
        "coverage", "notes.yaml", "--har", address, "--require", "listNotes:200", in: folder)
      #expect(gate.code == 0, "\(gate)")
      let verified = try Command.run("verify", "notes.yaml", "--har", address, in: folder)
      #expect((verified.output + verified.error).contains("no path of the contract"), "\(verified)")
      let new = NotesContract.text.replacing("/notes:", with: "/memos:")
      try new.write(toFile: folder + "/new.yaml", atomically: true, encoding: .utf8)
      let diff = try Command.run("diff", "notes.yaml", "new.yaml", "--used", address, in: folder)
      #expect(diff.output.contains("2 of 2") || diff.output.contains("2 calls"), "\(diff)")
      for result in [coverage, gate, verified, diff] {
        #expect(!(result.output + result.error).contains("sEcret98"), "\(result)")
      }
    }
  }
}
