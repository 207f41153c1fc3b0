/// What a format needs to know besides the report.
package struct ReportContext: Sendable {
  /// The least severity that fails.
  package var failOn: Severity
  /// Whether a run that checked nothing is in order.
  package var allowsEmpty: Bool
  package var style: TerminalStyle
  package var paths: RepositoryPaths

  package init(
    failOn: Severity = .error, allowsEmpty: Bool = false, style: TerminalStyle = .plain,
    paths: RepositoryPaths = RepositoryPaths()
  ) {
    self.failOn = failOn
    self.allowsEmpty = allowsEmpty
    self.style = style
    self.paths = paths
  }

  /// Whether a finding fails the run.
  package func fails(_ finding: Report.Finding) -> Bool { !finding.isKnown && finding.severity >= failOn }
}
