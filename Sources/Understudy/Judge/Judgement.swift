public import SourceText

/// What validating a message, or an exchange, comes to.
public struct Judgement: Sendable {
  package var findings: [Finding] = []
  /// The parts that could not be validated, with reasons: to be counted, never to be taken for valid.
  public package(set) var notJudged: [NotJudged] = []
  /// The number of checks: the status, each parameter and header, the body, the security.
  public package(set) var checked = 0

  /// A part that could not be validated.
  public struct NotJudged: Sendable, Hashable {
    /// Where in the exchange: `/body`, `/header/X-Rate`.
    public package(set) var pointer: String
    /// Why, in a clause without a capital.
    public package(set) var reason: String

    package init(pointer: String, reason: String) {
      self.pointer = pointer
      self.reason = reason
    }
  }

  package init() {}

  /// Whether nothing breaks the contract; warnings and notes may be there, and things that were not judged.
  public var isValid: Bool { !findings.contains { $0.diagnostic.severity == .error } }

  /// What breaks the contract, and what is worth a warning or a note.
  public var diagnostics: [Diagnostic] { findings.map(\.diagnostic) }

  /// Whether the body, and the message as a whole, were judged to their end.
  package var isWhole: Bool { !notJudged.contains { $0.pointer.isEmpty || $0.pointer.hasPrefix("/body") } }

  /// Takes back what was said of a body that nobody could look into.
  package mutating func withdrawBody(_ reason: String) {
    // Of what was not judged anyway, nothing was counted.
    if !notJudged.contains(where: { $0.pointer == "/body" }) { checked = max(0, checked - 1) }
    notJudged.removeAll { $0.pointer.utf8.starts(with: "/body".utf8) }
    withdraw("/body", reason)
  }

  /// Takes back what was said of a value, and of all below it.
  mutating func withdraw(_ pointer: String, _ reason: String) {
    findings.removeAll { finding in
      let place = finding.diagnostic.location?.pointer ?? ""
      return place.utf8.elementsEqual(pointer.utf8) || place.utf8.starts(with: "\(pointer)/".utf8)
    }
    skip(pointer, reason)
  }

  mutating func skip(_ pointer: String, _ reason: String) {
    notJudged.append(NotJudged(pointer: pointer, reason: reason))
  }
}
