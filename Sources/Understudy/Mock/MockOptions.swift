extension Mock {
  /// How a mock answers.
  package struct Options: Sendable {
    /// What a request that breaks its contract is answered with.
    package var onInvalid: InvalidPolicy = .contract
    /// By operation: what every request is answered with.
    package var forced: [ForcingRule] = []
    /// Prefer samples to fixtures and examples.
    package var isDynamic = false
    package var seed = "0"
    /// The name of the scenario that is played.
    package var scenario: String?
    /// Answer preflight requests.
    package var allowsCrossOrigin = true
    /// What the rules about requests and answers weigh.
    package var rules = RuleSettings()
    /// Looks into bearer and ID tokens; without it their presence and shape are checked.
    package var tokens: TokenCheck?
    /// The server that answers instead of fixtures, examples and samples; its answers are validated too.
    package var upstream: Upstream?
    /// Whether the mock answers what the upstream cannot: no answer at all, or 501.
    package var fallsBack = false

    package init() {}
  }

  /// What a request that breaks its contract is answered with.
  package enum InvalidPolicy: String, CaseIterable, Sendable {
    /// The contract's own answer for it.
    case contract
    /// A problem document.
    case problem
    /// What a good request would get; the findings are recorded.
    case warn
  }
}
