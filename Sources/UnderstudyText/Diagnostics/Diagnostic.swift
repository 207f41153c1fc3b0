/// A finding: its rule, message, location and advice.
public struct Diagnostic: Sendable, Hashable {
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
  public struct Note: Sendable, Hashable {
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

  /// The message after the pointer of a value in a body: `/origin/lng: expected number, found string "x"`.
  /// That of an argument of an event begins with `/arguments`.
  ///
  /// Other parts of a message, such as a parameter, are named in the message itself. The pointer is shortened, because the
  /// names of members come from the client.
  package var placedMessage: String {
    guard location?.path == nil, let pointer = location?.pointer else { return message }
    if pointer.utf8.starts(with: "/arguments/".utf8) {
      return "\(VisibleText.shortened(pointer, to: 200)): \(message)"
    }
    guard pointer.utf8.starts(with: "/body/".utf8) else { return message }
    return "\(VisibleText.shortened(String(pointer.dropFirst("/body".count)), to: 200)): \(message)"
  }

  /// Hides secrets wherever a finding may quote an exchange: in its message, help, notes and pointers.
  package func redacted(by hide: (String) -> String) -> Diagnostic {
    var finding = self
    finding.message = hide(message)
    finding.help = help.map(hide)
    finding.location = location?.redacted(by: hide)
    finding.notes = notes.map { Note(hide($0.message), at: $0.location?.redacted(by: hide)) }
    return finding
  }

  /// The finding without the texts of files, for a report over thousands of them.
  package var detached: Diagnostic {
    var finding = self
    finding.location = location?.detached
    finding.notes = notes.map { Note($0.message, at: $0.location?.detached) }
    return finding
  }
}

extension Sequence<Diagnostic> {
  package func count(_ severity: Severity) -> Int { count { $0.severity == severity } }
}
