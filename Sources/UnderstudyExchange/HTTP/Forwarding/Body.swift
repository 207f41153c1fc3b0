/// The content of a message: whole, or in pieces as they arrive.
package struct Body: AsyncSequence, Sendable {
  /// A piece; its boundaries have no meaning.
  package typealias Element = [UInt8]

  /// In bytes; `nil` if unknown before the end.
  package let length: Int?
  /// The copy that reading makes, if one is wanted.
  package private(set) var copy: BodyCopy?
  private let pieces: @Sendable () -> AsyncIterator

  package init(_ bytes: [UInt8] = []) {
    length = bytes.count
    pieces = {
      var rest = bytes.isEmpty ? nil : bytes
      return AsyncIterator { rest.take() }
    }
  }

  /// Content that has not arrived yet; it is read once.
  package init<Pieces: AsyncSequence & Sendable>(length: Int?, _ pieces: Pieces) where Pieces.Element == [UInt8] {
    self.length = length
    self.pieces = {
      var base = pieces.makeAsyncIterator()
      return AsyncIterator { try await base.next() }
    }
  }

  /// The announced length of content that is not sent: a response to HEAD.
  package init(announcing length: Int?) {
    self.length = length
    pieces = { AsyncIterator { nil } }
  }

  /// The content, of which reading makes a copy of at most `limit` bytes.
  package func copied(upTo limit: Int) -> Body {
    let (copy, pieces) = (BodyCopy(upTo: limit), pieces)
    var body = Body(length: length) {
      var iterator = pieces()
      return AsyncIterator {
        let piece = try await iterator.next()
        copy.append(piece)
        return piece
      }
    }
    body.copy = copy
    return body
  }

  private init(length: Int?, pieces: @escaping @Sendable () -> AsyncIterator) {
    self.length = length
    self.pieces = pieces
  }

  package func makeAsyncIterator() -> AsyncIterator { pieces() }

  package struct AsyncIterator: AsyncIteratorProtocol {
    private let pull: () async throws -> [UInt8]?

    init(_ pull: @escaping () async throws -> [UInt8]?) { self.pull = pull }

    /// The next piece; `nil` behind the last.
    package mutating func next() async throws -> [UInt8]? { try await pull() }
  }

  /// The longest body that a proxy holds and validates, in bytes. Longer ones are passed on as they arrive.
  package static let bufferLimit = 1024 * 1024

  package static func tooLong(_ side: String) -> String {
    "the \(side)'s body is longer than \(bufferLimit) bytes, the most that is validated"
  }

  package enum Collected: Sendable {
    case whole([UInt8])
    /// All of the content, to be read by the caller.
    case longer(Body)
  }

  /// Reads the content unless it is longer than `limit` bytes.
  package func collected(upTo limit: Int) async throws -> Collected {
    if let length, length > limit { return .longer(self) }
    var bytes: [UInt8] = []
    var iterator = makeAsyncIterator()
    while let piece = try await iterator.next() {
      bytes += piece
      if bytes.count > limit {
        return .longer(Body(length: length, Resumed(bytes, iterator)))
      }
    }
    return .whole(bytes)
  }
}

/// Content of which a part was read already. Unchecked, because the iterator is not Sendable: the task that read the
/// first part hands it over once, and keeps no reference.
private final class Resumed: AsyncSequence, @unchecked Sendable {
  private let first: [UInt8]
  private let rest: Body.AsyncIterator

  init(_ first: [UInt8], _ rest: Body.AsyncIterator) { (self.first, self.rest) = (first, rest) }

  func makeAsyncIterator() -> Body.AsyncIterator {
    var first: [UInt8]? = first
    var rest = rest
    return Body.AsyncIterator {
      if let piece = first.take() { return piece }
      return try await rest.next()
    }
  }
}
