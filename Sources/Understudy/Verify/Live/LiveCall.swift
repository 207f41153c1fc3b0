/// A request that is to be sent, and what its answer is to show.
struct LiveCall: Sendable {
  var purpose: Purpose
  /// What is special about it, in a phrase: `` query `limit` breaks `maximum` ``.
  var label: String
  var draft: RequestDraft
  var wire: WireRequest
  /// What the request itself was validated to be.
  var validated: ValidationResult
  /// The fixture that is meant to answer it.
  var fixture: FixtureReference?

  enum Purpose: Sendable, Equatable {
    /// The contract's own example.
    case example
    /// Keeps the contract.
    case valid
    /// A fixture lets in what the contract forbids, or refuses what it allows: only the answer is validated.
    case recorded
    /// Breaks it; being let in falls under this rule.
    case invalid(Rule)
    /// A query parameter twice.
    case duplicate
    /// The path has no such method.
    case method
  }

  /// What the request breaks, in the order of precedence; `nil` for a good one.
  var violation: Violation? {
    let found = validated.violation
    switch purpose {
    case .method: return .unknownMethod
    // Nothing in a made-up token shows that it is one.
    case .invalid(.providerAuthIgnored): return found ?? .unauthorized
    case .invalid, .example, .valid, .recorded, .duplicate: return found
    }
  }

  var isValid: Bool {
    switch purpose {
    case .example, .valid, .duplicate: true
    case .recorded, .invalid, .method: false
    }
  }

  /// What makes a smaller request the same in kind: the rules it breaks and where.
  var kind: Set<String> {
    Set(
      validated.findings.filter { $0.violation != nil }.map {
        "\($0.rule.id) \($0.location?.pointer ?? "")"
      })
  }
}
