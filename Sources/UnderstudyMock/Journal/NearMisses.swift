/// The operations that are most similar to a request which reaches none, with what is different.
package struct NearMisses {
  package struct Miss: Equatable {
    package let contract: String
    package let operation: String
    package let method: String
    /// With its base path.
    package let path: String
    package let differences: [String]
  }

  /// The most similar one first; empty for a request that reaches an operation.
  package let misses: [Miss]

  private static let limit = 3
  /// Where more than this differs, nothing is similar.
  private static let costLimit = 3 * NearestTemplate.whole
  /// Less than that of a wrong segment.
  private static let methodCost = NearestTemplate.whole / 2

  package init(of method: String, _ target: String, among contracts: ContractSet) {
    // A request that could not be read has no method.
    if method.isEmpty {
      misses = []
      return
    }
    if case .match = contracts.router.route(method, target) {
      misses = []
      return
    }
    let path = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    var found: [(cost: Int, miss: Miss)] = []
    for (template, cost) in NearestTemplate.ranked(contracts.router, path, limit: Self.costLimit).prefix(Self.limit) {
      let first = contracts.operations[template.operation]
      let differences = template.differences(from: path)
      for other in contracts.operations
      where other.api.name.utf8Equals(first.api.name) && other.operation.path.utf8Equals(first.operation.path) {
        let isMethod = other.operation.method.utf8Equals(method)
        let wrong = isMethod ? [] : ["the method is \(method), not \(other.operation.method)"]
        found.append(
          (
            cost + (isMethod ? 0 : Self.methodCost),
            Miss(
              contract: other.api.name, operation: other.id, method: other.operation.method, path: template.template,
              differences: wrong + differences)
          ))
      }
    }
    let ranked = found.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
    misses = ranked.prefix(Self.limit).map(\.element.miss)
  }
}
