extension Mock {
  /// How a mock answers.
  public struct Options: Sendable {
    /// What a request that breaks its contract is answered with.
    public var onInvalid: InvalidPolicy = .contract
    /// By operation: what every request is answered with.
    package var forced: [ForcingRule] = []
    /// Prefer samples to fixtures and examples.
    public var isDynamic = false
    /// The seed of samples; the same seed gives the same bytes.
    public var seed = "0"
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

    /// The options of `understudy serve` without arguments.
    public init() {}

    /// Answers every request to an operation with one cell.
    ///
    /// - Parameters:
    ///   - operation: The id of an operation; `*` for all that have the cell.
    ///   - cell: A status, a meaning or a variant: `500`, `penaltyFirst`, `200.empty`. One that does not exist is reported
    ///     in the mock's `diagnostics`.
    public mutating func force(_ operation: String, _ cell: String) {
      if let rule = ForcingRule("\(operation)=\(cell)") { forced.append(rule) }
    }
  }

  /// What a request that breaks its contract is answered with.
  public enum InvalidPolicy: String, CaseIterable, Sendable {
    /// The contract's own answer for it.
    case contract
    /// A problem document.
    case problem
    /// What a good request would get; the findings are recorded.
    case warn
  }
}
