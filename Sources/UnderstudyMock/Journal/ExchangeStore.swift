/// The exchanges of a mock outside of its process.
package protocol ExchangeStore: Sendable {
  /// The number of the next exchange of this process, from 1.
  func newNumber() -> Int
  /// Stores an exchange that has ended.
  func append(_ exchange: ServedRequest)
}
