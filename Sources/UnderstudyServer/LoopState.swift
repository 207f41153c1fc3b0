import NIOCore
import Understudy

/// Asks a connection to end after its pending answers.
struct QuiesceEvent: Sendable {}

/// The state shared by the connections of an event loop. It is used only on that loop, so it needs no lock.
final class LoopState {
  private(set) var reply: @Sendable (HTTPRequest, [UInt8]) -> Reply
  /// Answers requests whose bodies are too long to be held.
  private(set) var long: Responder.Long?
  /// By `PreparedResponse.index`, rendered for the first request.
  private var rendered: [RenderedResponse?]
  private(set) var date = HTTPDate.now()
  /// The channels of open connections.
  private var channels: [ObjectIdentifier: any Channel] = [:]
  /// Succeeds when the last connection is closed; set at shutdown.
  private var lastClosed: EventLoopPromise<Void>?
  private var clock: RepeatedTask?

  init(_ responder: Responder, on loop: any EventLoop) {
    reply = responder.reply
    long = responder.long
    rendered = Array(repeating: nil, count: responder.prepared.count)
    let bound = NIOLoopBound(self, eventLoop: loop)
    clock = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
      bound.value.date = HTTPDate.now()
    }
  }

  /// Stops the clock, which would keep this state on a loop that outlives the server.
  func stop() { clock?.cancel() }

  func replace(_ responder: Responder) {
    reply = responder.reply
    long = responder.long
    rendered = Array(repeating: nil, count: responder.prepared.count)
  }

  func opened(_ channel: any Channel) {
    channels[ObjectIdentifier(channel)] = channel
    // Accepted during shutdown, before any request was read.
    if lastClosed != nil { channel.close(promise: nil) }
  }

  func closed(_ channel: any Channel) {
    channels[ObjectIdentifier(channel)] = nil
    if channels.isEmpty { lastClosed?.succeed() }
  }

  /// Asks every connection to end after its pending answers, and closes new ones at once.
  func quiesce(_ lastClosed: EventLoopPromise<Void>) {
    self.lastClosed = lastClosed
    for channel in channels.values { channel.pipeline.fireUserInboundEventTriggered(QuiesceEvent()) }
    if channels.isEmpty { lastClosed.succeed() }
  }

  /// Closes every connection, even one that waits for an answer.
  func closeAll() { for channel in channels.values { channel.close(promise: nil) } }

  /// The answer with the current date.
  func rendered(_ response: PreparedResponse) -> RenderedResponse {
    let (all, index) = (rendered, response.index)
    guard all.indices.contains(index) else { return RenderedResponse(response, date: date) }
    if let known = all[index], known.response === response {
      known.date(date)
      return known
    }
    let new = RenderedResponse(response, date: date)
    rendered[index] = new
    return new
  }
}
