/// The requests that follow the response, or the event, of a variant.
package struct SweepSequel: Sendable, Hashable {
  /// `refreshToken`, `readUser x3`
  package let names: [String]
  /// The number of requests.
  package let count: Int
  /// Whether the variant was sent at all.
  package let wasMet: Bool

  /// - Parameters:
  ///   - operation: The operation, or the event, of the variant.
  ///   - sent: The names of all requests of the run.
  package init(of operation: String, in sent: [String]) {
    let first = sent.firstIndex { $0.utf8Equals(operation) }
    let followers = first.map { sent[($0 + 1)...] } ?? []
    var runs: [(name: String, count: Int)] = []
    for name in followers {
      if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
    }
    names = runs.map { $0.count == 1 ? $0.name : "\($0.name) x\($0.count)" }
    count = followers.count
    wasMet = first != nil
  }
}
