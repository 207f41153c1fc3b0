extension Sweep {
  /// An expectation of what a client does with some responses.
  public struct Expectation: Sendable {
    /// `expected an error`
    let name: String
    /// The kinds of variants that it names.
    let kinds: [Kind]
    let accepts: @Sendable (Row) -> Bool

    package init(name: String, kinds: [Kind] = [], _ accepts: @escaping @Sendable (Row) -> Bool) {
      (self.name, self.kinds, self.accepts) = (name, kinds, accepts)
    }

    /// Every run ends within the limit.
    public static let noHang = Expectation(name: "expected an end within the limit") { $0.outcome != .hung }

    /// Answers of which nothing can be used throw: pages and empty or truncated bodies in place of data, and broken
    /// connections.
    public static let nothingSwallowed = Expectation(name: "expected an error") {
      !$0.isUnusable || !$0.outcome.isValue
    }

    /// No request breaks the contract, also after a broken answer.
    public static let requestsObeyTheContract = Expectation(name: "expected valid requests") { $0.violations.isEmpty }

    /// The documented statuses of a range throw; for `4XX` and `default` the code that is sent counts.
    public static func throwsFor(_ statuses: ClosedRange<Int>) -> Expectation {
      Expectation(name: "expected an error") { row in
        guard let status = row.status, statuses.contains(status) else { return true }
        return row.outcome.isError
      }
    }

    /// Variants of these kinds throw: `.throwsFor("html", "required-null")`.
    public static func throwsFor(_ kinds: Kind...) -> Expectation {
      Expectation(name: "expected an error", kinds: kinds) { !kinds.contains($0.kind) || $0.outcome.isError }
    }

    /// Variants of these kinds do not throw: `.returnsFor("additional-member")`.
    public static func returnsFor(_ kinds: Kind...) -> Expectation {
      Expectation(name: "expected a value", kinds: kinds) { !kinds.contains($0.kind) || $0.outcome.isValue }
    }

    /// The client calls an operation at most so often after one answer, so that it ends a loop of retries.
    public static func callsAtMost(_ limit: Int) -> Expectation {
      Expectation(name: "expected at most \(limit) further requests") { $0.requestsAfter <= limit }
    }
  }
}
