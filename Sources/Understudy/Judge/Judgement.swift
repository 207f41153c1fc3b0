import SourceText

/// What came of judging one message, or an exchange.
package struct Judgement: Sendable {
  package var findings: [Finding] = []
  /// What is there but could not be judged: to be counted, never to be taken for valid.
  package var notJudged: [NotJudged] = []
  /// How many things were held against the contract: the status, each parameter and header, the body, the security.
  package var checked = 0

  package struct NotJudged: Sendable, Hashable {
    /// Where in the exchange: `/body`, `/header/X-Rate`.
    package var pointer: String
    /// Why, in a clause without a capital.
    package var reason: String

    package init(pointer: String, reason: String) {
      self.pointer = pointer
      self.reason = reason
    }
  }

  package init() {}

  /// Whether nothing breaks the contract; warnings and notes may be there, and things that were not judged.
  package var isValid: Bool { !findings.contains { $0.diagnostic.severity == .error } }

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
