/// The last responses with one item of a lane, which is read more than changed. The same item, operation and request
/// give the same response, validated and rendered once; so nothing here is state, and all values are equal.
struct ItemResponses: Sendable, Hashable {
  /// The whole input of a response. The entry keeps operation and document, so that nothing else gets their identities.
  struct Key: Hashable, Sendable {
    var operation: ObjectIdentifier
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
    let operation: MockOperation
    let item: JSON
    let answer: PreparedResponse
  }

  private var entries: [Key: Entry] = [:]

  private static let limit = 64
  /// In bytes.
  private static let bodyLimit = 8 * 1024

  func answer(for key: Key) -> PreparedResponse? { entries[key]?.answer }

  mutating func keep(_ answer: PreparedResponse, of operation: MockOperation, with item: JSON, for key: Key) {
    guard answer.body.count <= Self.bodyLimit else { return }
    if entries.count >= Self.limit { entries.removeAll() }
    entries[key] = Entry(operation: operation, item: item, answer: answer)
  }

  static func == (_: ItemResponses, _: ItemResponses) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
