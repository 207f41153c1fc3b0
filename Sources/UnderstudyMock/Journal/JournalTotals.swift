/// The numbers of all exchanges since the start of a mock.
package struct JournalTotals: Sendable {
  package struct Key: Codable, Hashable, Sendable {
    /// Of the contract; empty if none was meant.
    package var operation: String
    /// 0 if the client got none.
    package var status: Int

    package init(operation: String, status: Int) { (self.operation, self.status) = (operation, status) }
  }

  package private(set) var requests: [Key: Int] = [:]
  /// Where the last exchange was counted: a client that polls asks for the same again.
  private var last: (operation: MockOperation?, status: Int, position: [Key: Int].Index)?
  /// By the id of the rule.
  package private(set) var findings: [String: Int] = [:]
  /// The numbers of exchanges that took at most as long as the bounds, each only in the first one that fits; the last for
  /// those that took longer.
  package private(set) var durations = Array(repeating: 0, count: Self.bounds.count + 1)
  /// The time of all exchanges, in microseconds.
  package private(set) var microseconds = 0
  package private(set) var exchanges = 0

  /// In microseconds.
  package static let bounds = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000,
    10_000_000,
  ]

  mutating func count(_ exchange: ServedRequest) {
    exchanges += 1
    count(exchange.reply.operation, exchange.status ?? 0)
    for diagnostic in exchange.reply.diagnostics { findings[diagnostic.rule.id, default: 0] += 1 }
    let time = exchange.microseconds
    microseconds &+= time
    durations[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count] += 1
  }

  private mutating func count(_ operation: MockOperation?, _ status: Int) {
    if let last, last.operation === operation, last.status == status {
      requests.values[last.position] += 1
      return
    }
    let key = Key(operation: operation?.key ?? "", status: status)
    requests[key, default: 0] += 1
    last = requests.index(forKey: key).map { (operation, status, $0) }
  }

  static func + (one: JournalTotals, other: JournalTotals) -> JournalTotals {
    var sum = one
    sum.last = nil
    sum.requests.merge(other.requests, uniquingKeysWith: +)
    sum.findings.merge(other.findings, uniquingKeysWith: +)
    sum.durations = zip(one.durations, other.durations).map(+)
    sum.microseconds &+= other.microseconds
    sum.exchanges += other.exchanges
    return sum
  }

  package func count(of operation: MockOperation, status: Response.Status) -> Int {
    Self.count(of: operation, status: status, in: requests)
  }

  package static func count(of operation: MockOperation, status: Response.Status, in requests: [Key: Int]) -> Int {
    requests.reduce(0) { sum, row in
      guard row.key.operation == operation.key, row.key.status > 0 else { return sum }
      return operation.cell(for: row.key.status)?.status == status ? sum + row.value : sum
    }
  }
}
