/// The formats of a report; each has a file of its own in `Formats`.
public enum ReportFormat: String, Sendable, CaseIterable {
  /// For people: one entry per cause, with an excerpt, and the verdict at the end.
  case text
  /// For programs: the whole report, as `specs/report.schema.json` describes it.
  case json
  /// JUnit XML with a test case for every operation, status and check.
  case junit
  /// SARIF 2.1.0, for code scanning.
  case sarif
  /// Annotations of GitHub Actions.
  case github
  /// A code quality report of GitLab.
  case gitlab
  /// A summary for a pull request.
  case markdown
  /// One page that loads nothing.
  case html

  package func text(of report: Report, _ context: ReportContext) -> String {
    switch self {
    case .text: TextReport(report: report, context: context).text
    case .json: JSONReport.text(report, context)
    case .junit: JUnitReport(report: report, context: context).text
    case .sarif: SARIFReport(report: report, context: context).text
    case .github: GitHubReport(report: report, context: context).text
    case .gitlab: GitLabReport(report: report, context: context).text
    case .markdown: MarkdownReport(report: report, context: context).text
    case .html: HTMLReport(report: report, context: context).text
    }
  }
}

extension Report {
  /// Whether something was checked, nothing failed to run, and no error was found.
  public var isPassed: Bool { verdict(ReportContext()) == .passed }

  /// The report in a format.
  public func text(as format: ReportFormat = .text) -> String { format.text(of: self, ReportContext()) }
}
