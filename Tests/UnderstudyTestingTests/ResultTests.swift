import Foundation
import Synchronization
import UnderstudyTestSupport
import UnderstudyTesting

/// What the client did, as a value.
struct ResultTests {
  @Test func `the result has the requests, what they break, and the replies that none has met`() async throws {
    let api = try await Understudy.start("specs/slp.yaml") { _ in }
    #expect(api.result.isClean && api.result.calls.isEmpty)
    api.reply(to: "readChat", .hang)
    #expect(api.result.unusedReplies == ["`readChat` was never called: the reply hang was not sent"])
    #expect(!api.result.isClean && api.result.violations.isEmpty)
    try send("/v1/users", to: api)
    for _ in 0..<2 { try send("POST", "/v1/queue/studyrequest", form, body: "uid=u2", to: api) }
    let result = api.result
    #expect(result.calls.map(\.operation) == [nil, "requestStudy", "requestStudy"])
    #expect(result.unmatched.map(\.target) == ["/v1/users"])
    #expect(result.missingRequests.isEmpty && !result.isClean)
    #expect(result.violations.map(\.finding.rule) == ["req.path.unknown", "req.body.schema"])
    let violation = try #require(result.violations.last)
    #expect(violation.count == 2 && violation.call.text == "uid=u2" && violation.finding.isError)
    #expect(violation.finding.location?.hasPrefix("/body") == true)
    let problem = "the property `otheruid` is missing, in 2 requests [req.body.schema]"
    #expect(violation.description.hasPrefix("POST /v1/queue/studyrequest (requestStudy): \(problem)"))
    #expect(result.violations.first?.finding.help == "did you mean `/v1/user`?")
    try await api.stop()
  }

  @Test func `each problem of an operation is reported once, with the number of its requests`() async throws {
    let api = try await Understudy.start("specs/slp.yaml") { _ in }
    for body in ["lat=37.5", "long=127", "lat=37.6"] {
      try send("POST", "/v1/queue/search", form, body: body, to: api)
    }
    let violations = api.result.violations
    #expect(violations.map(\.count) == [2, 1], "\(violations)")
    #expect(violations.map(\.call.text) == ["lat=37.5", "long=127"])
    #expect(violations.last?.finding.message.contains("`lat`") == true)
    for page in 1...3 { try send("/v1/users?page=\(page)", to: api) }
    #expect(api.result.violations.last?.count == 3, "\(api.result.violations)")
    try await api.stop()
  }

  @Test func `an issue has the place that it is about`() async throws {
    let issues = Mutex<[UnderstudyIssue]>([])
    let api = try await Understudy.start("specs/slp.yaml") { issue in issues.withLock { $0.append(issue) } }
    let line = #line + 1
    api.reply(to: "readUsr", 401)
    try await api.stop()
    let found = issues.withLock { $0 }
    let issue = try #require(found.first)
    let place = "\(#fileID):\(line): "
    #expect(issue.message == "`slp` has no operation `readUsr`\n  help: did you mean `readUser`?")
    #expect(issue.description == place + issue.message && issue.attachments.isEmpty)
  }

  @Test func `an error of stop has every issue with its place`() async throws {
    let api = try await Understudy.start("specs/slp.yaml")
    let line = #line + 1
    api.reply(to: "readUsr", 401)
    try send("/v1/users", to: api)
    let error = await #expect(throws: UnderstudyError.self) { try await api.stop() }
    let messages = (error?.description ?? "").components(separatedBy: "\n\n")
    let file = #fileID
    #expect(messages.count == 2, "\(messages)")
    #expect(messages.first?.hasPrefix("\(file):\(line): `slp` has no operation `readUsr`") == true)
    #expect(messages.last?.hasPrefix("\(file):\(line + 2): GET /v1/users: ") == true)
  }
}
