import Foundation
import Synchronization
import UnderstudyTestSupport
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct SweepProcessTests {
  let lane: Lane

  init() throws { lane = try #require(Lane.current) }

  // Two cases, which a child process must distinguish.
  @Test(arguments: [401, 406]) func `a crash is a row of the table, and the other runs go on`(status: Int) async throws
  {
    let sweep = try await lane.sweep(within: .milliseconds(3000), inChildProcesses: true) { lane in
      let answer = try send("POST", "/v1/user/withdraw", to: lane)
      if answer.status == status { fatalError("status \(status) came") }
      return answer.status
    }
    for row in sweep.rows {
      if row.status == status {
        guard case .crashed(let signal, let message) = row.outcome else {
          Issue.record("\(row) \(row.outcome)")
          continue
        }
        #expect(signal.hasPrefix("SIG") && message.hasSuffix("Fatal error: status \(status) came"))
      } else if let status = row.status {
        #expect(row.outcome == .returned("\(status)"))
      } else if ["reset", "close"].contains(row.kind) {
        guard case .threw = row.outcome else {
          Issue.record("\(row) \(row.outcome)")
          continue
        }
      }
    }
    #expect(sweep.rows.count > 15 && sweep.description.contains("1 crashed"), "\(sweep)")
    #expect(sweep.coverage.contains(/S served +5 of 111\b/), "\(sweep.coverage)")
    try sweep.expect(.noHang)
    let found = Mutex("")
    withKnownIssue {
      #expect(throws: UnderstudyError.self) { try sweep.expect(.noCrash) }
    } matching: { issue in
      found.withLock { $0 = issue.comments.map(\.rawValue).joined() }
      return true
    }
    let message = found.withLock { $0 }
    #expect(message.hasPrefix("1 row of the sweep fails:\n  withdraw status \(status) "), "\(message)")
    #expect(message.contains(": expected no crash, but it crashed (SIG"), "\(message)")
  }

  /// As FoundationNetworking does on Linux, which no client can prevent.
  @Test func `a connection that closes within the head may end the process`() async throws {
    let sweep = try await lane.sweep(inChildProcesses: true) { lane in
      let client = try RawClient(port: try #require(lane.baseURL.port))
      try client.send("POST /v1/user/withdraw HTTP/1.1\r\nHost: a\r\nidtoken: t\r\nConnection: close\r\n\r\n")
      let rest = try client.rest()
      if rest.end == .closed, rest.text.hasPrefix("HTTP/1.1 "), !rest.text.contains("\r\n\r\n") {
        fatalError("Transfer completed, but there's no response.")
      }
    }
    guard case .crashed(_, let message) = try sweep["withdraw", "close head"].outcome else {
      Issue.record("\(sweep)")
      return
    }
    #expect(message.hasSuffix("Fatal error: Transfer completed, but there's no response."))
    #expect(sweep.description.contains("1 crashed"), "\(sweep)")
    #if !canImport(Darwin)
    try sweep.expect(.noCrash)
    #endif
  }

  @Test func `requests before a crash are known`() async throws {
    let sweep = try await lane.sweep("withdraw", within: .seconds(3), inChildProcesses: true) { lane in
      let status = try send("POST", "/v1/user/withdraw", to: lane).status
      // Without a signature, which the contract requires.
      if status == 406 { try send("/v1/user", fields: "", to: lane) }
      if status == 406 { fatalError("no account") }
    }
    let row = try sweep["withdraw", "status 406 notRegistered"]
    #expect(row.next == ["readUser"])
    #expect(row.violations.count == 1 && row.violations[0].hasPrefix("readUser: "), "\(row.violations)")
  }

  @Test func `outside of a test's task there is nothing to run again`() async throws {
    let lane = try await Lane.open(on: .start("specs/slp.yaml"))
    let sweep = Task.detached { _ = try await lane.sweep(inChildProcesses: true) { _ in } }
    let error = await #expect(throws: UnderstudyError.self) { try await sweep.value }
    #expect(error?.description.contains("so it needs the task of a test of Swift Testing") == true)
    try await lane.close()
  }
}
