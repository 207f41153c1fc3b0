import Foundation
import HoursDraft
import UnderstudyTesting

/// The first draft of the client in docs/testing.md, and what its tests print.
@Suite(.understudy("specs/hours.yaml"))
struct DraftTests {
  private static let page: String = {
    let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    return (try? String(contentsOf: root.appending(path: "docs/testing.md"), encoding: .utf8)) ?? ""
  }()

  @Test func `the hours of a day are read`() async throws {
    let api = try #require(Understudy.current)
    #expect(try await HoursClient(baseURL: api.baseURL).hours(on: "tuesday")?.opens == "09:30")
  }

  @Test func `the sweep fails as the page shows it`() async throws {
    let api = try #require(Understudy.current)
    let client = HoursClient(baseURL: api.baseURL)
    let sweep = try await api.sweep { try await client.hours(on: "monday") }
    withKnownIssue {
      sweep.expect(.throwsFor(500...599), .throwsFor("html", "empty-body", "required-missing"), .returnsFor("drip"))
    } matching: { issue in
      let message = issue.comments.map(\.rawValue).joined()
      return Self.page.contains("```text\n\(message)\n```\n")
    }
  }
}
