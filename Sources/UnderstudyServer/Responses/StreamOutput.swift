package import NIOCore
import UnderstudyMock

/// A part of a response on a stream of HTTP/2.
package enum StreamPart: Sendable {
  /// The head. `isLast` means that no body follows.
  case head(status: Int, fields: [(name: String, value: String)], isLast: Bool)
  case body(ByteBuffer, isLast: Bool)
  /// Bytes of HTTP/1, which a fault may have damaged.
  case bytes(ByteBuffer)
}

/// Writes the parts of a response on a stream. A response with a fault is written as bytes of HTTP/1, which faults damage.
final class StreamOutput: ResponseOutput {
  let renderer: ReplyWriter
  private var unsent = 0

  /// A longer body is written in parts, so that a client that reads slowly shows progress.
  private static let partBytes = 64 * 1024

  init(renderer: ReplyWriter) { self.renderer = renderer }

  func write(_ reply: Reply, _ terms: ResponseTerms, to context: ChannelHandlerContext) {
    guard reply.fault == nil, !reply.breaksFraming else {
      let (bytes, rest) = renderer.bytes(of: reply, terms)
      write(bytes, to: context, nil)
      if let rest { write(rest, to: context, nil) }
      return
    }
    let (fields, body) = renderer.parts(of: reply, terms)
    writeHead(reply.status, fields, isLast: body.readableBytes == 0, to: context)
    write(body, to: context)
  }

  func begin(
    _ response: HTTPResponse, length: Int?, _ framing: Framing, _ terms: ResponseTerms,
    to context: ChannelHandlerContext
  ) {
    let fields = renderer.fields(of: response, length: length, terms)
    writeHead(response.status.code, fields, isLast: framing == .none, to: context)
  }

  func write(
    _ chunk: [UInt8], _ framing: Framing, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
  ) {
    context.write(NIOAny(StreamPart.body(ByteBuffer(bytes: chunk), isLast: false)), promise: promise)
    if let promise { count(chunk.count, until: promise) }
  }

  func end(_ framing: Framing, to context: ChannelHandlerContext) {
    if framing != .none { context.write(NIOAny(StreamPart.body(ByteBuffer(), isLast: true)), promise: nil) }
  }

  func writeContinue(to context: ChannelHandlerContext) { writeHead(100, [], isLast: false, to: context) }

  func write(_ bytes: ByteBuffer, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    context.write(NIOAny(StreamPart.bytes(bytes)), promise: promise)
  }

  func unsentBytes(in context: ChannelHandlerContext) -> Int { unsent }

  private func writeHead(
    _ status: Int, _ fields: [(name: String, value: String)], isLast: Bool, to context: ChannelHandlerContext
  ) {
    context.write(NIOAny(StreamPart.head(status: status, fields: fields, isLast: isLast)), promise: nil)
  }

  private func write(_ body: ByteBuffer, to context: ChannelHandlerContext) {
    var rest = body
    while rest.readableBytes > Self.partBytes, let part = rest.readSlice(length: Self.partBytes) {
      let promise = context.eventLoop.makePromise(of: Void.self)
      context.write(NIOAny(StreamPart.body(part, isLast: false)), promise: promise)
      count(part.readableBytes, until: promise)
    }
    guard rest.readableBytes > 0 else { return }
    context.write(NIOAny(StreamPart.body(rest, isLast: true)), promise: nil)
    // A stream that is no longer writable may have flushed the earlier parts alone.
    if body.readableBytes > Self.partBytes { context.flush() }
  }

  private func count(_ bytes: Int, until promise: EventLoopPromise<Void>) {
    unsent += bytes
    promise.futureResult.assumeIsolated().whenComplete { [self] _ in unsent -= bytes }
  }
}
