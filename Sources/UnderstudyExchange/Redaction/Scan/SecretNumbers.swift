import UnderstudySystem

/// The numbers of secrets by appearance: a secret has one mark in the log, the console and the journal.
package final class SecretNumbers: Sendable {
  private let numbers = Lock<[[UInt8]: Int]>([:])
  private let limit: Int

  /// - Parameter limit: The most secrets that get a number.
  package init(limit: Int = 100_000) { self.limit = limit }

  /// The mark of a secret: `[redacted 2]`, or `[redacted]` beyond the limit.
  func marker(of secret: [UInt8]) -> [UInt8] {
    let number = numbers.withLock { numbers -> Int? in
      if let known = numbers[secret] { return known }
      guard numbers.count < limit, secret.count <= KnownSecrets.lengthLimit else { return nil }
      numbers[secret] = numbers.count + 1
      return numbers.count
    }
    return Array((number.map { "[redacted \($0)]" } ?? Placeholder.marker).utf8)
  }
}
