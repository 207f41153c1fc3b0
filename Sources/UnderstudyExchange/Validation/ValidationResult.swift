/// The outcome of validating a message or an exchange.
public struct ValidationResult: Sendable {
  /// Errors, warnings and notes.
  public package(set) var findings: [Diagnostic] = []
  /// The parts that could not be validated, with reasons; they never count as valid.
  public package(set) var notValidated: [NotValidated] = []
  /// The number of checks: the status, the body, the security, each parameter and header.
  package var checked = 0

  /// A part of a message that could not be validated.
  public struct NotValidated: Sendable, Hashable {
    /// Where in the exchange: `/body`, `/header/X-Rate`.
    public package(set) var pointer: String
    /// Why, in a clause without a capital.
    public package(set) var reason: String

    package init(pointer: String, reason: String) { (self.pointer, self.reason) = (pointer, reason) }

    /// The item with its texts changed by a function, which removes secrets.
    package func redacted(by hide: (String) -> String) -> NotValidated {
      NotValidated(pointer: hide(pointer), reason: hide(reason))
    }
  }

  package init() {}

  /// Whether no finding is an error; there may be warnings, notes and parts that were not validated.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// Whether the message was validated as a whole, its body included.
  package var isWhole: Bool { !notValidated.contains { $0.pointer.isEmpty || $0.pointer.hasPrefix("/body") } }

  /// The class of violation that decides the answer to the request; `nil` for a request that is answered as if it were valid.
  package var violation: Violation? { findings.isEmpty ? nil : findings.lazy.compactMap(\.violation).min() }

  /// Adds a finding at a pointer into the exchange, with the line of the contract that it breaks.
  package mutating func report(
    _ rule: Rule, _ message: String, at pointer: String, contract: JSON? = nil, help: String? = nil,
    severity: Severity? = nil
  ) {
    findings.append(
      Diagnostic(
        rule, message, at: Location(exchange: pointer), severity: severity, notes: .contract(contract), help: help))
  }

  /// Adds a problem of decoding; a problem that the decoder could work around is only a warning.
  mutating func report(_ rule: Rule, _ problem: DecodingProblem, at pointer: String, contract: JSON) {
    report(rule, problem.sentence, at: pointer, contract: contract, severity: problem.isRecovered ? .warning : nil)
  }

  /// Adds the reasons that a schema refuses a value, at pointers below it; `help` is for failures without their own.
  mutating func report(
    _ rule: Rule, failuresOf value: JSON, by schema: Schema, at pointer: String, limit: Int, within budget: WorkBudget,
    prefix: String = "", help: (SchemaFailure) -> String? = { _ in nil }
  ) {
    var reported: Set<[String]> = []
    for failure in schema.failures(value, limit: limit, countsMore: true, within: budget) {
      let pointer = pointer + failure.instance.description
      // Branches of `allOf` say the same of one value.
      guard reported.insert([pointer, failure.message]).inserted else { continue }
      switch failure.kind {
      case .notValidated: skip(pointer, failure.reason)
      case .more: report(rule, prefix + failure.message, at: pointer, severity: .info)
      case .broken:
        report(
          rule, prefix + failure.message, at: pointer, contract: failure.schema, help: failure.help ?? help(failure))
      }
    }
  }

  package mutating func withdrawBody(_ reason: String) {
    // A body that was not validated was not counted either.
    if !notValidated.contains(where: { $0.pointer == "/body" }) { checked = max(0, checked - 1) }
    notValidated.removeAll { $0.pointer.utf8.starts(with: "/body".utf8) }
    withdraw("/body", reason)
  }

  /// Discards the findings about a value and everything below it.
  package mutating func withdraw(_ pointer: String, _ reason: String) {
    findings.removeAll { finding in
      let place = finding.location?.pointer ?? ""
      return place.utf8.elementsEqual(pointer.utf8) || place.utf8.starts(with: "\(pointer)/".utf8)
    }
    skip(pointer, reason)
  }

  package mutating func skip(_ pointer: String, _ reason: String) {
    notValidated.append(NotValidated(pointer: pointer, reason: reason))
  }
}

extension Diagnostic {
  package func owned(by owner: Owner) -> Diagnostic {
    var finding = self
    finding.owner = owner
    return finding
  }
}

extension [Diagnostic.Note] {
  /// The line of the contract that a finding is about; none for a node that has no text.
  package static func contract(_ node: JSON?) -> Self {
    node.flatMap { $0.range == nil ? nil : [Diagnostic.Note("the contract", at: Location(start: $0))] } ?? []
  }
}
