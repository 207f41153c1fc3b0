import UnderstudyMock
import UnderstudySystem
import UnderstudyVerification

/// The fixtures of a running mock that break its contract, for the log of the requests that get them.
final class BrokenFixtures: Sendable {
  private struct Name: Hashable {
    /// The contract and the operation: `slp/readChat`.
    let operation: String
    let key: ResponseName
  }

  private let errors = Lock<[Name: Int]>([:])

  /// Takes the result of a check in place of an earlier one.
  func use(_ found: [FixtureFindings]) {
    let counts = found.compactMap { one in
      one.key.map { (Name(operation: "\(one.contract)/\($0.operation)", key: $0), one.findings.count(.error)) }
    }
    errors.withLock { $0 = Dictionary(counts.filter { $0.1 > 0 }, uniquingKeysWith: +) }
  }

  /// `1 error in it` for a response from such a fixture.
  func text(for reply: Reply) -> String? {
    guard case .fixture(let key) = reply.source.content, let operation = reply.operation else { return nil }
    return errors.withLock { $0[Name(operation: operation.key, key: key)] }.map { "\($0.counted("error")) in it" }
  }
}
