package import NIOCore

/// An answer that is sent in small pieces, with a pause before each: `Fault.drip`.
package struct DrippedAnswer {
  /// The most pieces of an answer.
  package static let pieces = 20
  package static let pause: Duration = .milliseconds(100)

  private var rest: ByteBuffer
  /// In bytes.
  private let size: Int

  package init(_ bytes: ByteBuffer, followedBy other: ByteBuffer? = nil) {
    rest = bytes
    if let other { rest.writeImmutableBuffer(other) }
    size = max(1, (rest.readableBytes + Self.pieces - 1) / Self.pieces)
  }

  package var isEmpty: Bool { rest.readableBytes == 0 }

  /// The next piece; empty after the last one.
  package mutating func next() -> ByteBuffer { rest.readSlice(length: min(size, rest.readableBytes)) ?? ByteBuffer() }
}
