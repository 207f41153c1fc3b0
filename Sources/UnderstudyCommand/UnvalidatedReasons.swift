import Synchronization
package import UnderstudyVerification

/// The reasons why parts of requests and answers were not validated, each reported once.
package final class UnvalidatedReasons: Sendable {
  private let known: Mutex<Set<String>>

  /// The most reasons that are kept: some quote what a client sent.
  private static let limit = 1_000

  /// - Parameter known: Reasons that were reported already.
  package init(known: [String] = []) { self.known = Mutex(Set(known)) }

  /// The parts whose reasons are new; none once there are too many reasons.
  package func new(in parts: [ValidationResult.NotValidated]) -> [ValidationResult.NotValidated] {
    if parts.isEmpty { return [] }
    return known.withLock { known in
      parts.filter { known.count < Self.limit && known.insert($0.reason).inserted }
    }
  }
}
