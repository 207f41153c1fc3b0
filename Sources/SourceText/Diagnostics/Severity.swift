/// How much a finding weighs.
public enum Severity: String, Sendable, CaseIterable, Comparable {
  /// Worth knowing; never fails a run.
  case info
  /// Shown and counted; fails only with a stricter level.
  case warning
  /// Fails the run.
  case error

  /// Orders by weight.
  public static func < (a: Severity, b: Severity) -> Bool { a.weight < b.weight }

  private var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Whose duty it is to mend a finding.
public enum Owner: String, Sendable, CaseIterable {
  /// Whoever writes the contract.
  case contract
  /// Whoever writes the fixture, config file or command line.
  case fixture
  /// The real server.
  case provider
  /// The client under test.
  case client
}
