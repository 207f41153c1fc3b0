/// Counts a live run's exchanges into its contracts' coverage, without requests that are repeated to shrink them.
struct LiveCoverage {
  struct Observation: Sendable {
    let requestType: MediaRange?
    let status: Int
    let responseType: MediaRange?
    let holds: Bool
    let phase: LiveSettings.Phase

    init(_ call: LiveCall, _ answer: Exchange.Response, holds: Bool) {
      let sent = call.wire.body.isEmpty ? nil : call.wire.request.headerFields[.contentType]
      requestType = sent.flatMap { MediaRange($0) }
      status = answer.status
      responseType = answer.fields[.contentType].flatMap { MediaRange($0) }
      self.holds = holds
      phase = call.phase
    }
  }

  private var tally: CoverageTally
  /// The index of each contract's first operation among those of all contracts.
  private let starts: [Int]

  init(_ contracts: [Contract], _ settings: LiveSettings) {
    tally = CoverageTally(contracts.map(\.compiled))
    tally.markFixtures(of: contracts, rules: settings.rules)
    starts = contracts.indices.map { contracts[..<$0].reduce(0) { $0 + $1.compiled.operations.count } }
  }

  mutating func add(_ results: [OperationResult], ofContract contract: Int) {
    for result in results {
      for exchange in result.seen {
        tally.count(
          operation: starts[contract] + result.subject.index, requestType: exchange.requestType,
          status: exchange.status, responseType: exchange.responseType, holds: exchange.holds)
      }
    }
  }

  func finished() -> Coverage { tally.finished() }
}
