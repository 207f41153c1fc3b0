struct LiveCall: Sendable {
  var purpose: Purpose
  /// A description: `` query `limit` breaks `maximum` ``.
  var label: String
  var phase = LiveSettings.Phase.coverage
  var draft: RequestDraft
  var wire: WireRequest
  var validated: ValidationResult
  var fixture: FixtureReference?
  /// Whether an unusual request has only values that the contract allows without doubt, so that its refusal must be documented.
  var isAllowed = false
  /// What an unusual request has in all its unusual values: `with an empty text`. Empty for other requests.
  var unusual = ""

  var isRepeated = false
  /// Whether its names are single words, unlike those that the contract made.
  var hasPlainNames = false

  /// The accepted request that it varies; `nil` for a request of its own.
  var base: WireRequest?

  /// Whether servers are known to end at such a request, which then comes after all others.
  var mayEndServer = false

  enum Purpose: Sendable, Equatable {
    case example
    case valid
    /// Only the answer is validated: contract and fixture differ on accepting the request, or it is an unusual one.
    case answerOnly
    /// Breaks the contract; a server that accepts it breaks the rule.
    case invalid(Rule)
    case duplicate
    case method
    /// An OPTIONS that the contract does not document.
    case options

    /// Whether the path does not have the method, so that only the rules of HTTP apply to the answer.
    var isOfForeignMethod: Bool { self == .method || self == .options }
  }

  /// The violation of the highest precedence; `nil` for a valid request.
  var violation: Violation? {
    switch purpose {
    case .method, .options: .unknownMethod
    // A made-up token is valid in form.
    case .invalid(.providerAuthIgnored): validated.violation ?? .unauthorized
    case .invalid, .example, .valid, .answerOnly, .duplicate: validated.violation
    }
  }

  var isValid: Bool {
    switch purpose {
    case .example, .valid, .duplicate: true
    case .answerOnly, .invalid, .method, .options: false
    }
  }

  /// Whether it shows what a server does without valid credentials, also where the run has none.
  var isOfCredentials: Bool { purpose == .invalid(.providerAuthIgnored) }

  /// Whether values of wrong types are all that it breaks.
  var breaksTypesOnly: Bool {
    validated.findings.filter { $0.violation != nil }.allSatisfy { finding in
      finding.notes.first?.location?.pointer?.hasSuffix("/type") == true
    }
  }

  /// The broken rules with their pointers; a smaller request of the same kind breaks the same.
  var kind: Set<String> {
    Set(validated.findings.filter { $0.violation != nil }.map { "\($0.rule.id) \($0.location?.pointer ?? "")" })
  }
}
