/// The settings of a report format.
package struct ReportContext: Sendable {
  /// The lowest severity that fails.
  package var failOn: Severity
  /// Whether a run that checked nothing passes.
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

  package func fails(_ finding: Report.Finding) -> Bool { !finding.isKnown && finding.severity >= failOn }
}
