/// The formats that a report can be written in; each has a file of its own in `Formats`.
package enum ReportFormat: String, Sendable, CaseIterable {
  case text, json, junit, sarif, github, gitlab, markdown, html

  /// The whole of the file.
  package func text(of report: Report, _ context: ReportContext) -> String {
    switch self {
    case .text: TextReport(report, context).text
    case .json: JSONReport.text(report, context)
    case .junit: JUnitReport(report, context).text
    case .sarif: SARIFReport(report, context).text
    case .github: GitHubReport(report, context).text
    case .gitlab: GitLabReport(report, context).text
    case .markdown: MarkdownReport(report, context).text
    case .html: HTMLReport(report, context).text
    }
  }
}
