extension Report {
  /// A diagnostic with its subject and a reproduction. It keeps no texts of files.
  @dynamicMemberLookup
  package struct Finding: Sendable, Equatable {
    package var diagnostic: Diagnostic
    package var subject: Subject
    /// The other operations of the same cause, where they are one finding.
    package var others: [Other] = []
    /// What separates it from findings of the same rule and place. Reports do not have it: the fingerprint does.
    package var variant = Variant.none
    /// The row of a sweep that it is about. Reports do not have it: the message does.
    package var row: String?
    /// The number of occurrences.
    package var count = 1
    /// A shell command that reproduces it: a curl line.
    package var reproduction: String?
    /// Identifies the finding even if lines move.
    package var fingerprint: String
    /// Whether a baseline has it: then it is shown and counted, but does not fail the run.
    package var isKnown = false

    /// Another operation with the same cause, and how to see it there.
    package struct Other: Sendable, Hashable {
      package var subject: Subject
      /// Where in the exchange or the contract.
      package var place: String?
      package var reproduction: String?

      package init(_ subject: Subject, at place: String? = nil, reproduction: String? = nil) {
        self.subject = subject
        self.place = place
        self.reproduction = reproduction
      }
    }

    /// A single occurrence.
    ///
    /// - Parameter fingerprint: `nil` for that of the diagnostic.
    package init(_ diagnostic: Diagnostic, about subject: Subject, fingerprint: String? = nil) {
      self.diagnostic = diagnostic.detached
      self.subject = subject
      self.fingerprint = fingerprint ?? Fingerprint.of(diagnostic, about: subject)
    }

    /// The rule's id.
    package var rule: String { diagnostic.rule.id }

    package subscript<Value>(dynamicMember member: KeyPath<Diagnostic, Value>) -> Value {
      diagnostic[keyPath: member]
    }

    package subscript<Value>(dynamicMember member: WritableKeyPath<Diagnostic, Value>) -> Value {
      get { diagnostic[keyPath: member] }
      set { diagnostic[keyPath: member] = newValue }
    }
  }
}
