import Foundation
import Testing
import UnderstudyTestSupport

/// `record --mode diff` with a server that changes, and with one whose values change though it does not.
@Suite(.waitsForProcesses, .enabled(if: PythonServer.path != nil, "skipped: no python3"))
struct RecordDriftTests {
  /// What the server does differently once it has changed, as a statement of Python about the answer `a`.
  private static let drifts = [
    "del a['flag']", "del a['owner']['mail']", "del a['tags'][0]['word']", "a['name'] = 7", "a['flag'] = 'true'",
    "a['owner'] = None", "a['owner'] = []", "a['more'] = 1", "a['owner']['phone'] = '1'", "a['tags'][0]['size'] = 1",
    "a['state'] = 'archived'", "a['count'] = 1.5", "a['seen'] = 'yesterday'", "a['count'] = '3'",
    "a['tags'] = ['word']",
    "a['tags'] = {}", "a = [a]", "status = 202", "kind = 'text/html'", "a['id'] = None",
  ]

  private static let contract =
    "x-understudy: {formats: assert}\n"
    + ContractFixture.text(
      paths: drifts.indices.map { index in
        """
          /d\(index):
            get:
              operationId: drift\(index)
              responses:
                "200": {description: One., content: {application/json: {schema: {$ref: "#/components/schemas/One"}}}}

        """
      }.joined()) + """
      components:
        schemas:
          One:
            properties:
              state: {enum: [open, closed]}
              count: {type: integer}
              seen: {type: string, format: date-time}

      """

  private static func start() throws -> PythonServer {
    let changes = drifts.enumerated().map { "        if number == \($0): \($1)" }.joined(separator: "\n")
    return try PythonServer(
      PythonServer.handler(
        """
        changed = []
        def do_GET(self):
            import datetime, random, uuid
            if self.path == "/change": self.changed.append(True)
            number = int(self.path[2:]) if self.path[1] == "d" else -1
            now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
            a = {"id": str(uuid.uuid4()), "name": "n%d" % random.randrange(10**6), "count": random.randrange(100),
                "seen": now.replace("+00:00", "Z"), "state": "open", "owner": {"name": "Ann", "mail": "a@example.com"},
                "tags": [{"word": "w"}] * random.randrange(1, 4), "flag": random.random() < 0.5,
                "by": {str(uuid.uuid4()): 1}}
            a["tags"] = [dict(tag) for tag in a["tags"]][: 1 if self.changed else 3]
            status, kind = 200, "application/json"
            if self.changed:
                pass
        \(changes)
            self.answer(status, json.dumps(a).encode(), Content_Type=kind)
        """))
  }

  /// Sends every request once through a command; returns how it ended.
  @discardableResult
  private func session(
    _ server: PythonServer, in folder: String, _ command: String, _ arguments: String...
  ) throws -> (code: Int32, printed: String) {
    let proxy = try ServedMock(
      ["api.yaml", "--upstream", "http://127.0.0.1:\(server.port)"] + arguments, command: command, in: folder)
    _ = try Command.run("/usr/bin/curl", ["-sS"] + Self.drifts.indices.map { "\(proxy.url)/d\($0)" })
    return proxy.end()
  }

  @Test func `each of twenty changes is found, and values that change find nothing`() throws {
    let server = try Self.start()
    defer { server.stop() }
    try withProject(["api.yaml": Self.contract]) { folder in
      let recorded = try session(server, in: folder, "record")
      #expect(recorded.code == 0, "\(recorded.printed)")
      for _ in 0..<2 {
        let (code, printed) = try session(server, in: folder, "record", "--mode", "diff")
        #expect(code == 0, "\(printed)")
        #expect(printed.contains("compared 20 exchanges of 20 operations: 0 differences\n"), "\(printed)")
      }
      _ = try Curl.get("http://127.0.0.1:\(server.port)/change")
      try session(server, in: folder, "serve", "--har", "t.har")
      let found = try Command.run("record", "api.yaml", "--from", "t.har", "--mode", "diff", in: folder)
      #expect(found.code == 1)
      for (index, drift) in Self.drifts.enumerated() {
        #expect("\n\(found.output)".contains("\ndrift\(index) 20"), "\(drift): \(found.output)")
      }
    }
  }
}
