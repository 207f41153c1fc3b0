package struct Decoded: Sendable {
  package var outcome: Outcome
  package var problems: [DecodingProblem] = []
  /// Values with a schema of their own: the headers of a part.
  package var parts: [Part] = []

  package struct Part: Sendable {
    /// The place below the body: `/photo/header/X-Rate`.
    package var pointer: String
    package var schema: JSON?
    package var readings: [JSON]
  }

  package enum Outcome: Sendable {
    case absent
    /// Deliberately empty (`allowEmptyValue`): no schema validates it.
    case empty
    /// The possible values, likeliest first; valid if one of them is.
    case readings([JSON])
    /// Unreadable; `problems` has the reason.
    case broken
    /// In a form that cannot be validated, with the reason: never counted as valid.
    case unvalidated(String)
  }

  package init(_ outcome: Outcome, _ problems: [DecodingProblem] = []) {
    (self.outcome, self.problems) = (outcome, problems)
  }

  static func broken(_ kind: DecodingProblem.Kind, _ sentence: String, key: String = "") -> Decoded {
    Decoded(.broken, [DecodingProblem(kind, key, sentence)])
  }

  package var readings: [JSON] {
    guard case .readings(let values) = outcome else { return [] }
    return values
  }

  package var isFlawless: Bool {
    if case .unvalidated = outcome { false } else { problems.isEmpty && parts.isEmpty }
  }
}
