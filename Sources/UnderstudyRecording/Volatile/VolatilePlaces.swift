/// What two passes over a session found to differ though nothing was changed.
package struct VolatilePlaces: Sendable {
  /// By the position of the operation among those of all contracts.
  private(set) var operations: [Int: VolatileOperation] = [:]
  /// The pairs of exchanges that were compared.
  package private(set) var compared = 0
  /// The exchanges that were not, by reason.
  private var skipped = NameTally()

  package init() {}

  /// The most frequent reasons first.
  package var notCompared: [(reason: String, count: Int)] { skipped.sorted.map { (reason: $0, count: $1) } }

  mutating func skip(_ reason: String) { skipped.count(reason) }

  mutating func add(_ answer: VolatilePointers, status: Int, ofOperation operation: Int) {
    compared += 1
    guard !answer.isEmpty else { return }
    operations[operation, default: VolatileOperation()].answers[status, default: VolatilePointers()].merge(answer)
  }

  mutating func add(_ request: RequestSummary, _ other: RequestSummary, ofOperation operation: Int) {
    for (place, values) in request.values where place.part != .path {
      guard let others = other.values[place], others != values else { continue }
      operations[operation, default: VolatileOperation()].request.add(.value, at: place.pointer)
    }
  }
}
