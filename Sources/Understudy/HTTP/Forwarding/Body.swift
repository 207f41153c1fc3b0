/// The content of a message: whole, or in pieces as they come.
package struct Body: AsyncSequence, Sendable {
  /// A piece, never cut with a meaning.
  package typealias Element = [UInt8]

  /// In bytes; `nil` where only the end will tell.
  package let length: Int?
  private let pieces: @Sendable () -> AsyncIterator

  /// Content that is there.
  package init(_ bytes: [UInt8] = []) {
    length = bytes.count
    pieces = {
      var rest = bytes.isEmpty ? nil : bytes
      return AsyncIterator { rest.take() }
    }
  }

  /// Content that is still to come; it is read once.
  package init<Pieces: AsyncSequence & Sendable>(length: Int?, _ pieces: Pieces) where Pieces.Element == [UInt8] {
    self.length = length
    self.pieces = {
      var base = pieces.makeAsyncIterator()
      return AsyncIterator { try await base.next() }
    }
  }

  /// The length that was announced for content that never comes: an answer to HEAD.
  package init(announcing length: Int?) {
    self.length = length
    pieces = { AsyncIterator { nil } }
  }

  /// The pieces, from the first.
  package func makeAsyncIterator() -> AsyncIterator { pieces() }

  /// Hands out one piece after the other.
  package struct AsyncIterator: AsyncIteratorProtocol {
    private let pull: () async throws -> [UInt8]?

    init(_ pull: @escaping () async throws -> [UInt8]?) { self.pull = pull }

    /// The next piece; `nil` behind the last.
    package mutating func next() async throws -> [UInt8]? { try await pull() }
  }
}

extension Body {
  /// What reading to a limit came to.
  package enum Collected: Sendable {
    case whole([UInt8])
    /// All of the content, still to be read.
    case longer(Body)
  }

  /// Reads as long as the content is no longer than `limit` bytes.
  package func collected(upTo limit: Int) async throws -> Collected {
    if let length, length > limit { return .longer(self) }
    var bytes: [UInt8] = []
    var iterator = makeAsyncIterator()
    while let piece = try await iterator.next() {
      bytes += piece
      if bytes.count > limit { return .longer(Body(length: length, Resumed(bytes, iterator))) }
    }
    return .whole(bytes)
  }
}

/// Content of which a part was read already.
///
/// Unchecked, because the iterator is not Sendable: it is handed over once, from the task that read the first part to the
/// one that reads the rest, and the first has no hold of it any more.
private final class Resumed: AsyncSequence, @unchecked Sendable {
  private let first: [UInt8]
  private let rest: Body.AsyncIterator

  init(_ first: [UInt8], _ rest: Body.AsyncIterator) {
    self.first = first
    self.rest = rest
  }

  func makeAsyncIterator() -> Body.AsyncIterator {
    var first: [UInt8]? = first
    var rest = rest
    return Body.AsyncIterator {
      if let piece = first.take() { return piece }
      return try await rest.next()
    }
  }
}
