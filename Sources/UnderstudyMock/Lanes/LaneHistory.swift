/// The last exchanges of a lane, for the checks, limited in number and in bytes; the journal has earlier ones.
package struct LaneHistory: Sendable, Hashable {
  package private(set) var exchanges: [RequestDigest] = []
  /// The size of the exchanges, in bytes.
  private(set) var size = 0

  /// The minimum number of exchanges that the checks look back, within the size limit; the maximum is twice as many.
  private static let countLimit = 200
  /// The maximum size of the exchanges, in bytes.
  static let sizeLimit = 1 << 20

  package init() {}

  /// Adds an exchange and drops the oldest ones beyond a limit; returns the time before which any were dropped.
  package mutating func append(_ exchange: RequestDigest) -> Int? {
    exchanges.append(exchange)
    size += exchange.size
    guard exchanges.count > 2 * Self.countLimit || size > Self.sizeLimit else { return nil }
    var dropped = exchanges.count > 2 * Self.countLimit ? Self.countLimit : 0
    size -= exchanges[..<dropped].reduce(0) { $0 + $1.size }
    while size > Self.sizeLimit, dropped < exchanges.count - 1 {
      size -= exchanges[dropped].size
      dropped += 1
    }
    let start = exchanges[dropped].time
    exchanges.removeFirst(dropped)
    return start
  }

  mutating func end(at index: Int) { exchanges[index].isUnderWay = false }
}

extension LaneHistory: Codable {
  package init(from decoder: any Decoder) throws {
    exchanges = try [RequestDigest](from: decoder)
    size = exchanges.reduce(0) { $0 + $1.size }
  }

  package func encode(to encoder: any Encoder) throws { try exchanges.encode(to: encoder) }
}

extension RequestDigest {
  /// The size in memory, in bytes, without the overhead of allocations.
  fileprivate var size: Int {
    MemoryLayout<RequestDigest>.stride + (operation?.utf8.count ?? 0) + method.utf8.count + target.utf8.count
      + MemoryLayout<UInt64>.stride * offered.count
      + fields.reduce(0) { $0 + $1.key.utf8.count + MemoryLayout<(String, UInt64)>.stride }
  }
}
