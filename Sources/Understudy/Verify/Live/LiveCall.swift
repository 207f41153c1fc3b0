/// A request to send, with its purpose.
struct LiveCall: Sendable {
  var purpose: Purpose
  /// A description: `` query `limit` breaks `maximum` ``.
  var label: String
  var draft: RequestDraft
  var wire: WireRequest
  var validated: ValidationResult
  /// The fixture that it matches.
  var fixture: FixtureReference?

  enum Purpose: Sendable, Equatable {
    case example
    case valid
    /// Contract and fixture differ on accepting the request: only the answer is validated.
    case recorded
    /// Breaks the contract; a server that accepts it breaks the rule.
    case invalid(Rule)
    case duplicate
    case method
  }

  /// The violation of the highest precedence; `nil` for a valid request.
  var violation: Violation? {
    switch purpose {
    case .method: .unknownMethod
    // A made-up token is valid in form.
    case .invalid(.providerAuthIgnored): validated.violation ?? .unauthorized
    case .invalid, .example, .valid, .recorded, .duplicate: validated.violation
    }
  }

  var isValid: Bool {
    switch purpose {
    case .example, .valid, .duplicate: true
    case .recorded, .invalid, .method: false
    }
  }

  /// The broken rules with their pointers; a smaller request of the same kind breaks the same.
  var kind: Set<String> {
    Set(validated.findings.filter { $0.violation != nil }.map { "\($0.rule.id) \($0.location?.pointer ?? "")" })
  }
}
