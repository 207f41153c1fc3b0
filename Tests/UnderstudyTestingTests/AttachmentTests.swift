import Foundation
import Synchronization
import UnderstudyTestSupport
import UnderstudyTesting

/// Tests that fail on purpose, in a process of their own.
@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_FAILING_TESTS"] != nil),
  .understudy("specs/slp.yaml", fixtures: "fixtures"))
struct FailingTests {
  @Test func `a request breaks the contract`() throws {
    let fields = "idtoken: a-secret-token-of-somebody\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    try send("POST", "/v1/queue/studyrequest", fields, body: "uid=u2")
  }

  @Test func `a sweep has a failing row`() async throws {
    let api = try #require(Understudy.current)
    let sweep = try await api.sweep { _ = try send("POST", "/v1/user/withdraw", to: api) }
    sweep.expect(.throwsFor(406...406))
  }
}

/// What a failing test leaves behind.
struct AttachmentTests {
  /// Runs the failing tests; returns what is printed, and the attachments by their names.
  private static func run() throws -> (printed: String, attachments: [String: String]) {
    let folder = try TemporaryFolder([:])
    let printed = try output(ofFailing: "FailingTests", "--attachments-path", folder.path)
    var attachments: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      attachments[name] = try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }
    return (printed, attachments)
  }

  @Test func `the exchange and the table are attached, without secrets`() throws {
    let (printed, attachments) = try Self.run()
    #expect(Set(attachments.keys) == ["requestStudy.http", "sweep.txt"], "\(printed)")
    let exchange = try #require(attachments["requestStudy.http"])
    #expect(exchange.hasPrefix("POST /v1/queue/studyrequest HTTP/1.1\n") && exchange.contains("\n\nuid=u2\n\n"))
    #expect(exchange.contains("\nHTTP/1.1 501\n") && !exchange.contains("a-secret-token"), "\(exchange)")
    #expect(attachments["sweep.txt"]?.contains("\n  status 406 notRegistered ") == true)
    #expect(
      printed.contains(/issue at AttachmentTests\.swift:\d+:\d+: .*\n.*POST \/v1\/queue\/studyrequest/), "\(printed)")
  }

  @Test func `without the trait an issue has them`() async throws {
    let issues = Mutex<[UnderstudyIssue]>([])
    let api = try await Understudy.start("specs/slp.yaml") { issue in issues.withLock { $0.append(issue) } }
    try send("/v1/users", fields: "", to: api)
    try await api.stop()
    let found = issues.withLock { $0.flatMap(\.attachments) }
    #expect(found.map(\.name) == ["unmatched.http"])
    #expect(found.first?.text.hasPrefix("GET /v1/users HTTP/1.1\n") == true)
  }

  @Test func `an unmet count and a reply that no request has met have the last five exchanges`() async throws {
    let issues = Mutex<[UnderstudyIssue]>([])
    let api = try await Understudy.start("specs/slp.yaml") { issue in issues.withLock { $0.append(issue) } }
    api.reply(to: "readChat", .hang)
    #expect(throws: UnderstudyError.self) { try api.expect("readUser", times: 1) }
    for number in 1...6 { try send("/v1/user?n=\(number)", to: api) }
    #expect(throws: UnderstudyError.self) { try api.expect("readUser", times: 7) }
    try await api.stop()
    let found = issues.withLock { $0 }
    #expect(found.map { $0.attachments.map(\.name) } == [[], ["exchanges.http"], ["exchanges.http"]])
    #expect(found.last?.message.contains("[test.reply-unused]") == true)
    let last = (2...6).map { "GET /v1/user?n=\($0) HTTP/1.1" }
    for text in found.flatMap(\.attachments).map(\.text) {
      #expect(text.components(separatedBy: "\n").filter { $0.hasPrefix("GET ") } == last)
    }
  }
}
