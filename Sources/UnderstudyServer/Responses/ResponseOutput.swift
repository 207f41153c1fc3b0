import NIOCore
import UnderstudyMock

/// Writes responses to the channel of a connection or a stream.
protocol ResponseOutput {
  var renderer: ReplyWriter { get }

  /// Writes a whole response.
  func write(_ reply: Reply, _ terms: ResponseTerms, to context: ChannelHandlerContext)
  /// Writes the head of a response whose body follows in chunks.
  func begin(
    _ response: HTTPResponse, length: Int?, _ framing: Framing, _ terms: ResponseTerms,
    to context: ChannelHandlerContext)
  /// Writes a chunk of a body. The promise succeeds when it is sent.
  func write(
    _ chunk: [UInt8], _ framing: Framing, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?)
  /// Writes the end of a body in chunks.
  func end(_ framing: Framing, to context: ChannelHandlerContext)
  /// Writes `100 Continue`.
  func writeContinue(to context: ChannelHandlerContext)
  /// Writes a part of a response that is already in bytes of HTTP/1.
  func write(_ bytes: ByteBuffer, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?)
  /// The number of bytes that the client has yet to receive.
  func unsentBytes(in context: ChannelHandlerContext) -> Int
}

/// Writes the bytes of HTTP/1.
struct ByteOutput: ResponseOutput {
  let renderer: ReplyWriter

  func write(_ reply: Reply, _ terms: ResponseTerms, to context: ChannelHandlerContext) {
    let (bytes, rest) = renderer.bytes(of: reply, terms)
    context.write(NIOAny(bytes), promise: nil)
    if let rest { context.write(NIOAny(rest), promise: nil) }
  }

  func begin(
    _ response: HTTPResponse, length: Int?, _ framing: Framing, _ terms: ResponseTerms,
    to context: ChannelHandlerContext
  ) {
    context.write(NIOAny(renderer.head(of: response, length: length, framing, terms)), promise: nil)
  }

  func write(
    _ chunk: [UInt8], _ framing: Framing, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
  ) {
    context.write(NIOAny(ReplyWriter.bytes(of: chunk, framing)), promise: promise)
  }

  func end(_ framing: Framing, to context: ChannelHandlerContext) {
    if framing == .chunks { context.write(NIOAny(ReplyWriter.lastChunk), promise: nil) }
  }

  func writeContinue(to context: ChannelHandlerContext) {
    context.write(NIOAny(ReplyWriter.continueHead), promise: nil)
  }

  func write(_ bytes: ByteBuffer, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    context.write(NIOAny(bytes), promise: promise)
  }

  func unsentBytes(in context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
