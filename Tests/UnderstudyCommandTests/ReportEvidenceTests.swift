import Foundation
import Testing
import UnderstudyTestSupport

struct ReportEvidenceTests {
  private static let hasTools = FileManager.default.fileExists(
    atPath: Project.path(".build/report-evidence/venv/bin/jsonschema"))

  /// SARIF, JUnit, JSON, GitLab, GitHub, Markdown and HTML, of a sample and of a hostile report.
  @Test(.enabled(if: hasTools, "skipped: Evidence/report-evidence has not installed its tools"))
  func `other tools read our reports`() throws {
    let result = try Command.run(Project.path("Evidence/report-evidence"), [])
    #expect(result.code == 0, "\(result.output)\(result.error)")
  }
}
