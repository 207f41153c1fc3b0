import HTTPTypes
import Synchronization

/// The last responses with one item: an item is read more often than it is changed.
///
/// The same item, operation and request give the same response, which was validated when it was made; so nothing here is state.
final class ItemAnswers: Sendable {
  /// All that a response depends on.
  struct Key: Hashable {
    var operation: ObjectIdentifier
    /// The item: the entry keeps its document, so that nothing else gets the identity.
    var document: ObjectIdentifier
    var node: Int
    var code: Int
    var headers: [String]
    var reason: String
    var method: String
    var accept: [String]
    var seed: String
  }

  private struct Entry {
    let item: JSON
    let response: HTTPResponse
    let body: [UInt8]
  }

  private let entries = Mutex<[Key: Entry]>([:])

  private static let limit = 256
  /// In bytes.
  private static let bodyLimit = 16 * 1024

  func response(for key: Key) -> (HTTPResponse, body: [UInt8])? {
    entries.withLock { $0[key] }.map { ($0.response, $0.body) }
  }

  func keep(_ response: HTTPResponse, _ body: [UInt8], with item: JSON, for key: Key) {
    guard body.count <= Self.bodyLimit else { return }
    entries.withLock { entries in
      if entries.count >= Self.limit { entries.removeAll(keepingCapacity: true) }
      entries[key] = Entry(item: item, response: response, body: body)
    }
  }
}
