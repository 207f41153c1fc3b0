import UnderstudySystem
package import UnderstudyVerification

/// The reasons why parts of requests and answers were not validated, each reported once.
package final class UnvalidatedReasons: Sendable {
  /// The first ones, which nearly all exchanges have.
  private let first = GrowingTable<String, Bool>(limit: 50)
  private let known: Lock<Set<String>>

  /// The most reasons that are kept: some quote what a client sent.
  private static let limit = 1_000

  /// - Parameter known: Reasons that were reported already.
  package init(known: [String] = []) { self.known = Lock(Set(known)) }

  /// The parts whose reasons are new; none once there are too many reasons.
  package func new(in parts: [ValidationResult.NotValidated]) -> [ValidationResult.NotValidated] {
    if parts.allSatisfy({ first[$0.reason] == true }) { return [] }
    return known.withLock { known in
      parts.filter { part in
        _ = first[part.reason] == true || first.add(true, for: part.reason)
        return known.count < Self.limit && known.insert(part.reason).inserted
      }
    }
  }
}
