import NIOCore
import UnderstudyMock

protocol ResponseOutput {
  var renderer: ReplyWriter { get }

  func write(_ reply: Reply, _ terms: ResponseTerms, to context: ChannelHandlerContext)
  func begin(
    _ response: HTTPResponse, length: Int?, _ framing: Framing, _ terms: ResponseTerms,
    to context: ChannelHandlerContext)
  /// Writes a chunk of a body. The promise succeeds when it is sent.
  func write(
    _ chunk: [UInt8], _ framing: Framing, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?)
  func end(_ framing: Framing, to context: ChannelHandlerContext)
  func writeContinue(to context: ChannelHandlerContext)
  /// Writes a part of a response that is already in bytes of HTTP/1.
  func write(_ bytes: ByteBuffer, to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?)
  func unsentBytes(in context: ChannelHandlerContext) -> Int
}

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
