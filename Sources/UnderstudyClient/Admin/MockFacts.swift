import Foundation

/// Facts about a mock, which it is asked for once.
struct MockFacts: Sendable {
  var handshake: MockHandshake?
  var operations: [MockOperation]?

  /// The facts about mocks that run elsewhere, by their addresses.
  private static let elsewhere = Guarded<[URL: Guarded<MockFacts>]>([:])

  static func of(mockAt address: URL) -> Guarded<MockFacts> {
    elsewhere.withLock { all in
      let facts = all[address] ?? Guarded(MockFacts())
      all[address] = facts
      return facts
    }
  }
}
