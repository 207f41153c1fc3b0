#if TLS
import NIOCore
import NIOHPACK
import NIOHTTP2
import UnderstudyServer

/// Turns the frames of a stream into a request of HTTP/1, and the bytes of its response into frames.
///
/// The server has one implementation of requests, limits and faults, which writes bytes. A response that HTTP/1 would cut off
/// ends with RST_STREAM.
final class StreamTranslator: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = HTTP2Frame.FramePayload

  private var request = RequestTranslation()
  private var response = ResponseTranslation()
  /// Succeeds when the last frame is sent.
  private var lastSent: EventLoopFuture<Void>?
  private var isReset = false
  /// Whether the server closes the stream as it would reset a connection.
  private var endsAbruptly = false
  private let fault: TLSFault?

  init(_ fault: TLSFault?) { self.fault = fault }

  // MARK: - The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isReset else { return }
    do throws(StreamProblem) {
      switch unwrapInboundIn(data) {
      case .headers(let frame):
        if fault?.refusesStreams == true { return refuse(context) }
        let bytes = try request.receive(frame.headers, isLast: frame.endStream)
        response.isHead = request.isHead
        if !bytes.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes))) }
      case .data(let frame):
        guard case .byteBuffer(let body) = frame.data else { return }
        for piece in request.receive(body, isLast: frame.endStream) { context.fireChannelRead(wrapInboundOut(piece)) }
      default: break
      }
    } catch {
      reset(.protocolError, context)
    }
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
    let bytes = unwrapOutboundIn(data)
    guard !isReset else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
    let frames: [ResponseTranslation.Frame]
    do throws(StreamProblem) {
      frames = try response.receive(bytes)
    } catch {
      promise?.succeed()
      return reset(.internalError, context)
    }
    send(frames, context)
    guard let promise else { return }
    if let lastSent { lastSent.cascade(to: promise) } else { promise.succeed() }
  }

  private func send(_ frames: [ResponseTranslation.Frame], _ context: ChannelHandlerContext) {
    for (number, frame) in frames.enumerated() {
      let payload: HTTP2Frame.FramePayload =
        switch frame {
        case .head(let fields, let isLast): .headers(.init(headers: fields, endStream: isLast))
        case .body(let bytes, let isLast): .data(.init(data: .byteBuffer(bytes), endStream: isLast))
        }
      let sent = number == frames.count - 1 ? context.eventLoop.makePromise(of: Void.self) : nil
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
    if !isReset, !request.isComplete { reset(.noError, context) }
    context.close(promise: promise)
  }

  private func reset(_ code: HTTP2ErrorCode, _ context: ChannelHandlerContext) {
    isReset = true
    context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
  }
}

/// Bytes or fields that cannot be translated.
struct StreamProblem: Error {}
#endif
