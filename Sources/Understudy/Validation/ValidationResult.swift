/// What validating a message, or an exchange, found.
public struct ValidationResult: Sendable {
  /// What breaks the contract, and what is worth a warning or a note.
  public package(set) var findings: [Diagnostic] = []
  /// The parts that could not be validated, with reasons; they are never taken for valid.
  public package(set) var notValidated: [NotValidated] = []
  /// The number of checks: the status, each parameter and header, the body, the security.
  public package(set) var checked = 0

  /// A part of a message that could not be validated.
  public struct NotValidated: Sendable, Hashable {
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

  /// Whether nothing breaks the contract; there may be warnings, notes and parts that were not validated.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// Whether the body, and the message as a whole, were validated to their end.
  package var isWhole: Bool { !notValidated.contains { $0.pointer.isEmpty || $0.pointer.hasPrefix("/body") } }

  /// The class of violation that decides the answer to the request; `nil` for a request that is answered as if it were valid.
  package var violation: Violation? { findings.isEmpty ? nil : findings.lazy.compactMap(\.violation).min() }

  /// Adds a finding at a place of the exchange, with the line of the contract that it breaks.
  mutating func report(
    _ rule: Rule, _ message: String, at pointer: String, contract: JSON? = nil, help: String? = nil,
    severity: Severity? = nil
  ) {
    findings.append(
      Diagnostic(rule, message, at: pointer, contract: contract, help: help, severity: severity))
  }

  /// Discards the findings of a body that could not be decoded.
  package mutating func withdrawBody(_ reason: String) {
    // A body that was not validated was not counted either.
    if !notValidated.contains(where: { $0.pointer == "/body" }) { checked = max(0, checked - 1) }
    notValidated.removeAll { $0.pointer.utf8.starts(with: "/body".utf8) }
    withdraw("/body", reason)
  }

  /// Discards the findings of a value, and of all below it.
  mutating func withdraw(_ pointer: String, _ reason: String) {
    findings.removeAll { finding in
      let place = finding.location?.pointer ?? ""
      return place.utf8.elementsEqual(pointer.utf8) || place.utf8.starts(with: "\(pointer)/".utf8)
    }
    skip(pointer, reason)
  }

  /// Counts a part of the message as not validated.
  mutating func skip(_ pointer: String, _ reason: String) {
    notValidated.append(NotValidated(pointer: pointer, reason: reason))
  }
}

extension Diagnostic {
  /// The same finding, for somebody else to mend.
  package func owned(by owner: Owner) -> Diagnostic {
    var finding = self
    finding.owner = owner
    return finding
  }

  /// A finding at a place of an exchange, with the line of the contract that it breaks.
  init(
    _ rule: Rule, _ message: String, at pointer: String, contract: JSON? = nil, help: String? = nil,
    severity: Severity? = nil
  ) {
    let notes = contract.flatMap { $0.range == nil ? nil : [Note("the contract", at: Location($0))] } ?? []
    self.init(rule, message, at: Location(exchange: pointer), severity: severity, notes: notes, help: help)
  }
}
