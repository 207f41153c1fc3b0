/// One finding: which rule, what, where, and what to do next.
public struct Diagnostic: Sendable {
  /// The rule it falls under.
  public var rule: Rule
  /// The weight, the rule's own unless it was configured.
  public var severity: Severity
  /// The problem and the expected text, in one sentence without a final stop.
  public var message: String
  /// Where.
  public var location: Location?
  /// Places that belong to it: the contract line that a body breaks, the first of two duplicates.
  public var notes: [Note]
  /// Advice for the next step.
  public var help: String?

  /// Whose duty it is to mend it: the rule's owner unless the place says otherwise.
  public var owner: Owner

  /// A second place and why it matters.
  public struct Note: Sendable {
    /// The relation of the place to the problem.
    public var message: String
    /// Where.
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

  package init(_ rule: Rule, _ message: String, at value: JSON, notes: [Note] = [], help: String? = nil) {
    self.init(rule, message, at: Location(value), notes: notes, help: help)
  }

  /// A problem of a text, told under a rule.
  package init(_ rule: Rule, _ problem: TextProblem, in source: SourceFile) {
    self.init(rule, problem.message, at: Location(source, problem.range), help: problem.help)
  }
}

extension Sequence<Diagnostic> {
  package func count(_ severity: Severity) -> Int { count { $0.severity == severity } }
}
