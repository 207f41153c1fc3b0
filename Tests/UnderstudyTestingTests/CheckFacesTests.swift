import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyTesting

/// A check that a test names fails the test, for every client that breaks it.
struct CheckFacesTests {
  /// `CancelledRequestTests` has late responses.
  private static func breaches() throws -> [CheckBreach] {
    (CheckBreach.explained + CheckBreach.clients).filter { !$0.isLate } + [
      try CheckBreach("req.param.undeclared", "req.param.undeclared", "0s GET /pets?= -> 200")
    ]
  }

  @Test(arguments: try breaches()) private func `a test fails for the check that it names`(
    _ breach: CheckBreach
  ) async throws {
    let contract = try Contract(CheckBreach.contract, name: "pets")
    let found = try await failures(of: .understudy(contract)) {
      let lane = try #require(Lane.current)
      try await lane.stopClock()
      try await lane.expect(checks: Check(stringLiteral: breach.argument))
      var sessions: [Int: String] = [:]
      var time = breach.steps[0].time
      for step in breach.steps {
        try await lane.advance(by: .microseconds(step.time - time))
        time = step.time
        switch step.action {
        case .request(let step): try await Self.play(step, on: lane)
        case .packet(let packet, let session): try Self.send(packet, in: &sessions[session])
        }
      }
      try await lane.advance(by: .microseconds(breach.end - time))
    }
    #expect(found.contains { $0.contains("[\(breach.id)]") }, "\(found)")
  }

  @Test func `every check has a client that fails a test`() throws {
    let late = CheckBreach.all.filter(\.isLate).map(\.id)
    let checks = Set(ClientChecks.all.map { $0.rule.id })
    let played = Set(try Self.breaches().map(\.id))
    #expect(late == ["check.cancelled"] && played.union(late).isSuperset(of: checks))
  }

  private static func play(_ step: ClientScript.Step, on lane: UnderstudyClient.Lane) async throws {
    let path = try #require(step.request.path)
    let operation = "\(step.request.method.rawValue)_pets" + (path.hasPrefix("/pets/") ? "_{id}" : "")
    let reply = step.response.headerFields.reduce(ScriptedReply.response(step.response.status.code)) {
      $0.header($1.name.rawName, $1.value)
    }
    try await lane.reply(to: operation, reply, times: 1)
    let fields = step.request.headerFields.filter { $0.name != .contentLength }
    try UnderstudyTestingTests.send(
      step.request.method.rawValue, path, fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined(),
      body: step.body.isEmpty ? nil : String(decoding: step.body, as: UTF8.self))
  }

  /// Sends a packet by polling.
  private static func send(_ packet: String, in session: inout String?) throws {
    let path = "/socket.io/?EIO=4&transport=polling"
    if session == nil {
      let body = try UnderstudyTestingTests.send("GET", path, "").body
      session = String(try #require(body.firstMatch(of: /"sid":"([^"]+)"/)).1)
    }
    let own = "\(path)&sid=\(session ?? "")"
    #expect(try UnderstudyTestingTests.send("POST", own, "", body: packet).body == "ok")
    if packet == "40" { #expect(try UnderstudyTestingTests.send("GET", own, "").body.hasPrefix("40{")) }
  }
}
