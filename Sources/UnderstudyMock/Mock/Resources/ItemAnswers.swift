import UnderstudySystem

/// The last responses with one item: an item is read more often than it is changed.
///
/// The same item, operation and request give the same response, which was validated and is rendered once; so nothing here is
/// state.
final class ItemAnswers: Sendable {
  /// All that a response depends on.
  struct Key: Hashable {
    var operation: ObjectIdentifier
    /// The item: the entry keeps its document, so that nothing else gets the identity.
    var document: ObjectIdentifier
    var node: Int
    var headers: [String]
    var accept: [String]
    var code: Int
    var source: ReplySource
    var method: String
    var seed: String
  }

  private struct Entry {
    let item: JSON
    let answer: PreparedResponse
  }

  private let entries = Lock<[Key: Entry]>([:])

  private static let limit = 256
  /// In bytes.
  private static let bodyLimit = 16 * 1024

  func answer(for key: Key) -> PreparedResponse? { entries.withLock { $0[key]?.answer } }

  func keep(_ answer: PreparedResponse, with item: JSON, for key: Key) {
    guard answer.body.count <= Self.bodyLimit else { return }
    entries.withLock { entries in
      if entries.count >= Self.limit { entries.removeAll(keepingCapacity: true) }
      entries[key] = Entry(item: item, answer: answer)
    }
  }
}
