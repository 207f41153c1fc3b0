#if TLS
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import UnderstudyServer

/// Turns the frames of a stream into the parts of a request, and the parts of its response into frames.
///
/// The server has one implementation of requests, limits and faults. A response that HTTP/1 would cut off ends with RST_STREAM.
final class StreamTranslator: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = StreamPart
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let request: RequestTranslation
  private var response = ResponseTranslation()
  private var hasHead = false
  /// Whether the client has sent the whole request.
  private var isReceived = false
  /// Succeeds when the last frame is sent.
  private var lastSent: EventLoopFuture<Void>?
  private var isReset = false
  /// Whether the server closes the stream as it would reset a connection.
  private var endsAbruptly = false
  private let fault: TLSFault?

  init(_ limits: MultiplexedLimits, _ fault: TLSFault?) {
    request = RequestTranslation(limits: limits)
    self.fault = fault
  }

  // MARK: - The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isReset else { return }
    switch unwrapInboundIn(data) {
    case .headers(let frame):
      if fault?.refusesStreams == true { return refuse(context) }
      // Trailers are left out.
      if !hasHead { receive(frame.headers, context) }
      if frame.endStream { receiveEnd(context) }
    case .data(let frame):
      guard case .byteBuffer(let bytes) = frame.data else { return }
      if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(bytes))) }
      if frame.endStream { receiveEnd(context) }
    default: break
    }
  }

  /// After the end of a request a stream has nothing to read, and would only ask its connection to.
  func read(context: ChannelHandlerContext) { if !isReceived { context.read() } }

  private func receive(_ fields: HPACKHeaders, _ context: ChannelHandlerContext) {
    hasHead = true
    do throws(RequestTranslation.Problem) {
      let head = try request.head(of: fields)
      response.isHead = head.method == .HEAD
      context.fireChannelRead(wrapInboundOut(.head(head)))
    } catch {
      switch error {
      case .malformed: reset(.protocolError, context)
      case .refused(let error):
        response.isHead = fields.first(name: ":method") == "HEAD"
        context.fireErrorCaught(error)
      }
    }
  }

  private func receiveEnd(_ context: ChannelHandlerContext) {
    isReceived = true
    if !isReset { context.fireChannelRead(wrapInboundOut(.end(nil))) }
  }

  /// Ends the stream, or the connection, before the request is processed. A client may send it again (RFC 9113, 8.7).
  private func refuse(_ context: ChannelHandlerContext) {
    isReset = true
    guard fault == .goAway, let connection = context.channel.parent else { return reset(.refusedStream, context) }
    let frame = HTTP2Frame(
      streamID: .rootStream, payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil))
    // The frames that have arrived with the request come first: GOAWAY drops the stream, and they would be errors.
    context.eventLoop.execute {
      connection.writeAndFlush(frame).whenComplete { _ in connection.close(promise: nil) }
    }
  }

  // MARK: - The response

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isReset else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
    let part = unwrapOutboundIn(data)
    // The frame after a head fails if the head did.
    let isBegin = if case .head(_, _, isLast: false) = part { true } else { false }
    do throws(StreamProblem) {
      let frames = try response.receive(part)
      guard !frames.isEmpty else { return succeed(promise) }
      send(frames, context, promise ?? (isBegin ? nil : context.eventLoop.makePromise()))
    } catch {
      promise?.succeed()
      reset(.internalError, context)
    }
  }

  private func send(
    _ frames: [ResponseTranslation.Frame], _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil
  ) {
    for (number, frame) in frames.enumerated() {
      let payload: HTTP2Frame.FramePayload =
        switch frame {
        case .head(let fields, let isLast): .headers(.init(headers: fields, endStream: isLast))
        case .body(let bytes, let isLast): .data(.init(data: .byteBuffer(bytes), endStream: isLast))
        }
      let sent = number == frames.count - 1 ? promise : nil
      if let sent {
        lastSent = sent.futureResult
        // A fault may have made a field that HTTP/2 does not allow. A stream that has ended closes its channel itself.
        sent.futureResult.assumeIsolated().whenFailure { error in
          if !(error is NIOHTTP2Errors.StreamClosed) { context.close(promise: nil) }
        }
      }
      context.write(wrapOutboundOut(payload), promise: sent)
    }
  }

  /// Succeeds with the last frame.
  private func succeed(_ promise: EventLoopPromise<Void>?) {
    guard let promise else { return }
    if let lastSent { lastSent.cascade(to: promise) } else { promise.succeed() }
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is AbruptClose else { return context.triggerUserOutboundEvent(event, promise: promise) }
    endsAbruptly = true
    promise?.succeed()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if !isReset, !response.isComplete {
      if !endsAbruptly, let end = response.end() {
        send([end], context)
        context.flush()
      } else {
        reset(endsAbruptly ? .cancel : .internalError, context)
      }
    }
    // A stream has no half that is closed but by a frame.
    guard mode == .all else { return promise?.succeed() ?? () }
    // What the client still sends is not needed (RFC 9113, 8.1).
    if !isReset, !isReceived { reset(.noError, context) }
    context.close(promise: promise)
  }

  private func reset(_ code: HTTP2ErrorCode, _ context: ChannelHandlerContext) {
    isReset = true
    context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
  }
}

/// A response that cannot be translated.
struct StreamProblem: Error {}
#endif
