/// One of several equal parts of the work, for jobs that run in parallel: `2/8`.
package struct Shard: Sendable, Equatable, CustomStringConvertible {
  /// From 1.
  package let index: Int
  package let count: Int

  package static let whole = Shard(index: 1, count: 1)

  private init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// `nil` unless the text is `<index>/<count>` with 1 <= index <= count <= 1000.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], 1...1000 ~= count, 1...count ~= index else {
      return nil
    }
    self.init(index: index, count: count)
  }

  package var description: String { "\(index)/\(count)" }

  /// Whether an element of a sequence belongs to this part, by its position from 0.
  package func contains(position: Int) -> Bool { position % count == index - 1 }

  /// Whether an operation belongs to this part. A hash of contract and id decides, so that every machine agrees and a
  /// new operation moves no other.
  package func contains(contract: String, operation: String) -> Bool {
    Int(StableHash.of([contract, operation]) % UInt64(count)) == index - 1
  }
}
