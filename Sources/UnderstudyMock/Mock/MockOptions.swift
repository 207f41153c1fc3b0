extension Mock {
  /// How a mock answers.
  public struct Options: Sendable {
    /// The answer to a request that breaks its contract.
    public var onInvalid: InvalidPolicy = .contract
    /// The cells that answer every request of an operation.
    package var forced: [ForcingRule] = []
    /// Delays and faults of operations, cells or everything, whichever answer is chosen.
    package var faults: [FaultRule] = []
    /// Prefer samples to fixtures and examples.
    public var isDynamic = false
    /// The seed of samples; the same seed gives the same bytes.
    public var seed = "0"
    package var scenario: String?
    /// The client checks of every lane, besides those of its scenario.
    package var checks: [ClientCheckSettings] = []
    /// Whether the operations on collections remember what they were sent.
    public var isStateful = false
    /// Microseconds since 1970: the time of templates and scenarios.
    package var now: @Sendable () -> Int = { Timestamp.microseconds() }
    package var allowsCrossOrigin = true
    package var rules = RuleSettings()
    /// Validates bearer and ID tokens; without it only their presence and shape are checked.
    package var tokens: TokenCheck?
    /// The server that answers in place of fixtures, examples and samples; its answers are validated too.
    package var upstream: Upstream?
    /// Whether the mock answers where the upstream gives no answer, or 501.
    package var fallsBack = false
    /// Whether long answers of the upstream are copied while they are sent on, for a recording of fixtures.
    package var copiesAnswers = false

    /// The options of `understudy serve` without arguments.
    public init() {}

    /// Answers every request to an operation with one cell.
    ///
    /// - Parameters:
    ///   - operation: The id of an operation; `*` for all that have the cell; with a 5xx, for all.
    ///   - cell: A status, a meaning or a variant: `500`, `penaltyFirst`, `200.empty`. An unknown cell is reported in the
    ///     mock's `diagnostics`.
    public mutating func force(_ operation: String, _ cell: String) {
      if let rule = ForcingRule("\(operation)=\(cell)") { forced.append(rule) }
    }
  }

  /// The answer to a request that breaks its contract.
  public enum InvalidPolicy: String, CaseIterable, Sendable {
    /// The contract's own answer.
    case contract
    /// A problem document.
    case problem
    /// The answer to a valid request; the findings are recorded.
    case warn
  }
}
