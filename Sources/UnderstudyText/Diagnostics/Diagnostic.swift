/// A finding: its rule, message, location and advice.
public struct Diagnostic: Sendable {
  /// The broken rule.
  public var rule: Rule
  /// The severity of the rule, unless the configuration overrides it.
  public var severity: Severity
  /// The problem and the expected text, in one sentence without a final stop.
  public var message: String
  /// The location of the problem.
  public var location: Location?
  /// Related locations: the contract line that a body breaks, the first of two duplicates.
  public var notes: [Note]
  /// Advice for the next step.
  public var help: String?
  /// The party that fixes the problem: the owner of the rule, unless the location has another one.
  public var owner: Owner

  /// A related location.
  public struct Note: Sendable {
    /// The relation of the location to the problem.
    public var message: String
    /// The related location.
    public var location: Location?

    package init(_ message: String, at location: Location? = nil) {
      self.message = message
      self.location = location
    }
  }

  package init(
    _ rule: Rule, _ message: String, at location: Location? = nil, severity: Severity? = nil, notes: [Note] = [],
    help: String? = nil
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    owner = rule.owner
    self.message = message
    self.location = location
    self.notes = notes
    self.help = help
  }

  /// A problem of a text as a finding of a rule.
  package init(_ rule: Rule, _ problem: TextProblem, in source: SourceFile) {
    self.init(rule, problem.message, at: Location(source, problem.range), help: problem.help)
  }
}

extension Sequence<Diagnostic> {
  package func count(_ severity: Severity) -> Int { count { $0.severity == severity } }
}
