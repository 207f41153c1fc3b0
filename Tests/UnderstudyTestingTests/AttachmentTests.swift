import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

/// Tests that fail on purpose, in a process of their own.
@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_FAILING_TESTS"] != nil),
  .understudy("specs/slp.yaml", fixtures: "fixtures"))
struct FailingTests {
  @Test func `a request breaks the contract`() throws {
    let fields = "idtoken: a-secret-token-of-somebody\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    for number in 1...6 { try send("POST", "/v1/queue/studyrequest?n=\(number)", fields, body: "uid=u2") }
  }

  @Test func `a sweep has a failing row`() async throws {
    let lane = try #require(Lane.current)
    let sweep = try await lane.sweep { _ = try send("POST", "/v1/user/withdraw", to: $0) }
    try sweep.expect(.throwsFor(406...406))
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

  @Test func `the last five exchanges are attached, without secrets`() throws {
    let (printed, attachments) = try Self.run()
    #expect(attachments["sweep.txt"]?.contains("\n  status 406 notRegistered ") == true, "\(attachments.keys)")
    let exchanges = try #require(attachments["exchanges.http"], "\(printed)")
    let requests = exchanges.components(separatedBy: "\n").filter { $0.hasPrefix("POST ") }
    #expect(requests == (2...6).map { "POST /v1/queue/studyrequest?n=\($0) HTTP/1.1" })
    #expect(exchanges.contains("\n\nuid=u2\n\n") && exchanges.contains("\nHTTP/1.1 501\n"))
    #expect(!exchanges.contains("a-secret-token"), "\(exchanges)")
    #expect(
      printed.contains(/issue at AttachmentTests\.swift:\d+:\d+: .*\n.*POST \/v1\/queue\/studyrequest/), "\(printed)")
  }
}
