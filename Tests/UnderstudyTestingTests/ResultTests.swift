import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

/// What the client did, as a value.
struct ResultTests {
  @Test func `the verdict has what the requests break, and the replies that none has met`() async throws {
    let lane = try await Lane.open(on: .start("specs/slp.yaml"))
    #expect(try await lane.verdict().isClean)
    try await lane.reply(to: "readChat", .hang)
    let early = try await lane.verdict()
    #expect(early.unusedReplies.map(\.message) == ["`readChat` was never called: the reply hang was not sent"])
    #expect(!early.isClean && early.findings.isEmpty)
    try send("/v1/users", to: lane)
    for _ in 0..<2 { try send("POST", "/v1/queue/studyrequest", form, body: "uid=u2", to: lane) }
    #expect(try await lane.calls().map(\.operation) == [nil, "requestStudy", "requestStudy"])
    let verdict = try await lane.close(checking: false)
    #expect(verdict.requests == 3 && !verdict.isClean)
    #expect(verdict.findings.map(\.rule) == ["req.path.unknown", "req.body.schema"])
    let finding = try #require(verdict.findings.last)
    #expect(finding.count == 2 && finding.isError && finding.operation == "requestStudy")
    #expect(finding.location?.hasPrefix("/body") == true)
    #expect(verdict.findings.first?.help == "did you mean `/v1/user`?")
  }

  @Test func `each problem of an operation is reported once, with the number of its requests`() async throws {
    let lane = try await Lane.open(on: .start("specs/slp.yaml"))
    for body in ["lat=37.5", "long=127", "lat=37.6"] {
      try send("POST", "/v1/queue/search", form, body: body, to: lane)
    }
    let findings = try await lane.verdict().findings
    #expect(findings.map(\.count) == [2, 1], "\(findings)")
    #expect(findings.last?.message.contains("`lat`") == true)
    for page in 1...3 { try send("/v1/users?page=\(page)", to: lane) }
    let verdict = try await lane.close(checking: false)
    #expect(verdict.findings.last?.count == 3, "\(verdict)")
  }

  @Test func `an error of close has every failure, with the line that it is about`() async throws {
    let lane = try await Lane.open(on: .start("specs/slp.yaml"))
    let line = #line + 1
    try await lane.reply(to: "readUser", 401)
    try send("/v1/users", to: lane)
    let error = await #expect(throws: UnderstudyError.self) { try await lane.close() }
    let messages = (error?.description ?? "").components(separatedBy: "\n\n")
    #expect(messages.count == 2, "\(messages)")
    #expect(messages.first?.hasPrefix("GET /v1/users: ") == true)
    #expect(messages.last?.hasPrefix("\(#fileID):\(line): `readUser` was never called: ") == true)
  }

  @Test func `an error of a call names its line`() async throws {
    let lane = try await Lane.open(on: .start("specs/slp.yaml"))
    let line = #line + 1
    let error = await #expect(throws: UnderstudyError.self) { try await lane.reply(to: "readUsr", 401) }
    #expect(error?.description.hasPrefix("\(#fileID):\(line): ") == true)
    #expect(error?.description.hasSuffix("help: did you mean `readUser`?") == true)
    try await lane.close()
  }
}
