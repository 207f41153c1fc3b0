/// The severity of a finding.
public enum Severity: String, Sendable, CaseIterable, Comparable, Codable {
  /// Information; never fails a run.
  case info
  /// A warning; fails a run only at a stricter level.
  case warning
  /// An error; fails the run.
  case error

  /// Orders from `info` to `error`.
  public static func < (a: Severity, b: Severity) -> Bool { a.weight < b.weight }

  private var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The party that fixes a finding.
public enum Owner: String, Sendable, CaseIterable, Codable {
  /// The author of the contract.
  case contract
  /// The author of the fixture, config file or command line.
  case fixture
  /// The real server.
  case provider
  /// The client under test.
  case client
}
