/// What became of one parameter, field or body.
package struct Decoded: Sendable {
  package var outcome: Outcome
  package var problems: [DecodingProblem] = []
  /// Values beside the main one that have schemas of their own: the headers of a part.
  package var parts: [Part] = []

  package struct Part: Sendable {
    /// Where it stands below the body: `/photo/header/X-Rate`.
    package var pointer: String
    package var schema: JSON?
    package var readings: [JSON]
  }

  package enum Outcome: Sendable {
    case absent
    /// There, but deliberately empty (`allowEmptyValue`): no schema validates it.
    case empty
    /// The values it can stand for, likeliest first; it is valid if any of them is.
    case readings([JSON])
    /// There, but not to be read; `problems` say why.
    case broken
    /// There, in a form that nobody here can validate, and why: never to be counted as valid.
    case unvalidated(String)
  }

  package init(_ outcome: Outcome, _ problems: [DecodingProblem] = []) {
    self.outcome = outcome
    self.problems = problems
  }

  package var readings: [JSON] {
    guard case .readings(let values) = outcome else { return [] }
    return values
  }

  /// Whether there is nothing to say of it but its value.
  package var isFlawless: Bool {
    if case .unvalidated = outcome { false } else { problems.isEmpty && parts.isEmpty }
  }
}
