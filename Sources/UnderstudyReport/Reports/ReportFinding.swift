extension Report {
  /// A diagnostic as plain values, with its subject and a reproduction.
  package struct Finding: Sendable, Equatable {
    /// The rule's id.
    package var rule: String
    package var severity: Severity
    package var owner: Owner
    package var message: String
    package var help: String?
    package var place: Place?
    package var notes: [Note] = []
    package var subject: Subject
    /// The other operations of the same cause, where they are one finding.
    package var others: [Subject] = []
    /// The number of occurrences.
    package var count = 1
    /// A shell command that reproduces it: a curl line.
    package var reproduction: String?
    /// Identifies the finding even if lines move.
    package var fingerprint: String
    /// Whether a baseline has it: then it is shown and counted, but does not fail the run.
    package var isKnown = false

    /// A second place: the line of the contract that a body violates.
    package struct Note: Sendable, Equatable {
      package var message: String
      package var place: Place?

      package init(_ message: String, at place: Place? = nil) {
        self.message = message
        self.place = place
      }
    }

    package init(
      rule: String, severity: Severity, owner: Owner, message: String, about subject: Subject, fingerprint: String
    ) {
      self.rule = rule
      self.severity = severity
      self.owner = owner
      self.message = message
      self.subject = subject
      self.fingerprint = fingerprint
    }

    /// A single occurrence.
    package init(_ diagnostic: Diagnostic, about subject: Subject) {
      self.init(
        rule: diagnostic.rule.id, severity: diagnostic.severity, owner: diagnostic.owner, message: diagnostic.message,
        about: subject, fingerprint: Fingerprint.of(diagnostic, about: subject))
      help = diagnostic.help
      place = diagnostic.location.map(Place.init)
      notes = diagnostic.notes.map { Note($0.message, at: $0.location.map(Place.init)) }
    }

    /// The message, after the pointer if the value is in no file.
    package var placedMessage: String {
      guard place?.file == nil, let pointer = place?.pointer, !pointer.isEmpty else { return message }
      return "\(VisibleText.shortened(pointer, to: 300)): \(message)"
    }
  }

  /// A range of a file, or a pointer into an exchange.
  package struct Place: Sendable, Hashable {
    package var file: String?
    /// From 1.
    package var line: Int?
    /// From 1, in Unicode scalars.
    package var column: Int?
    package var endLine: Int?
    /// One past the last.
    package var endColumn: Int?
    /// The pointer of the value in its document or in the exchange: `/body/nick`.
    package var pointer: String?
    package var excerpt: Excerpt?

    package init(file: String? = nil, line: Int? = nil, column: Int? = nil, pointer: String? = nil) {
      self.file = file
      self.line = line
      self.column = column
      self.pointer = pointer
    }

    package init(_ location: Location) {
      file = location.path
      line = location.start?.line
      column = location.start?.column
      endLine = location.end?.line
      endColumn = location.end?.column
      pointer = location.pointer
      excerpt = Excerpt(location)
    }
  }
}
