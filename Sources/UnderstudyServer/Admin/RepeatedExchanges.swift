package import UnderstudyMock
import UnderstudySystem

/// Hands on the exchanges that come from no connection: those that the admin API repeats.
package final class RepeatedExchanges: Sendable {
  private let report = Lock<(@Sendable (ServedRequest) -> Void)?>(nil)

  /// Sets the function that gets them, beside the journal of the mock.
  package func use(_ report: @escaping @Sendable (ServedRequest) -> Void) { self.report.withLock { $0 = report } }

  func append(_ exchange: ServedRequest) { report.withLock { $0 }?(exchange) }
}
