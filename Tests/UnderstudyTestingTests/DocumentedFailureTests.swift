import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

/// The tests of docs/testing.md that fail, in a process of their own.
@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_FAILING_TESTS"] != nil),
  .understudy("specs/slp.yaml", fixtures: "fixtures"))
struct DocumentedFailures {
  @Test func `a study is requested`() throws {
    try send("POST", "/v1/queue/studyrequest", form, body: "uid=u2")
  }

  @Test func `a refused token is refreshed`() async throws {
    try await Lane.current?.reply(to: "readUsr", 401, 200)
  }

  @Test func `an empty history shows the placeholder`() async throws {
    try await Lane.current?.reply(to: "readChat", .fixture("200.empty"))
  }

  private static let clients = KeptClients()

  @Test func `an account is closed`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "withdraw", .delayed(.seconds(3_600)))
    let client = try RawClient(port: try #require(lane.baseURL.port))
    try client.send("POST /v1/user/withdraw HTTP/1.1\r\nHost: a\r\nidtoken: t\r\n\r\n")
    try await lane.next("withdraw")
    Self.clients.keep(client)
  }
}

struct DocumentedFailureTests {
  /// The failures that Swift Testing prints, without the lines that they are at.
  private static func failures(in text: String) -> [String] {
    var failures: [String] = []
    var isOpen = false
    for line in text.components(separatedBy: "\n") {
      if line.contains(" recorded an issue at ") {
        failures.append(line.replacing(/at [^ ]+:\d+:\d+:/, with: "at FILE:"))
        isOpen = true
      } else if isOpen, line.hasPrefix("↳ ") || line.hasPrefix("  ") {
        failures[failures.count - 1] += "\n\(line)"
      } else {
        isOpen = false
      }
    }
    return failures.sorted()
  }

  @Test func `docs/testing.md has the failures that are printed, and no other ones`() throws {
    let printed = Self.failures(in: try output(ofFailing: "DocumentedFailures"))
    let page = Self.failures(in: try Project.text("docs/testing.md"))
    // That of the first draft is compared in Examples, beside the draft.
    let own = page.filter { !$0.contains("Test \"no answer is taken for a day off\"") }
    #expect(own == printed)
    #expect(own.count == 4 && page.count == 5)
  }
}
