/// The cells that the runs of a sweep were answered with.
package struct SweepCoverage: Sendable {
  private var tally: CoverageTally

  package init(_ contracts: [CompiledContract]) { tally = CoverageTally(contracts) }

  package mutating func count(_ exchanges: [SweptRequest]) {
    for exchange in exchanges {
      guard let operation = exchange.operation, let status = exchange.status else { continue }
      tally.count(
        operation: operation, requestType: exchange.requestType.flatMap { MediaRange($0) }, status: status,
        responseType: exchange.responseType.flatMap { MediaRange($0) }, holds: false)
    }
  }

  package var coverage: Coverage { tally.finished() }
}
