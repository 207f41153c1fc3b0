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
  /// The responses without an index.
  private var others: [ObjectIdentifier: RenderedResponse] = [:]
  /// A client chooses the seeds of answers, and so their number.
  private static let othersLimit = 64
  private(set) var date = HTTPDate.now()
  /// The channels of open connections.
  private var channels: [ObjectIdentifier: any Channel] = [:]
  /// Succeeds when the last connection is closed; set at shutdown.
  private var lastClosed: EventLoopPromise<Void>?

  init(_ responder: Responder, on loop: any EventLoop) {
    reply = responder.reply
    long = responder.long
    rendered = Array(repeating: nil, count: responder.prepared.count)
    let bound = NIOLoopBound(self, eventLoop: loop)
    loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in bound.value.date = HTTPDate.now() }
  }

  func replace(_ responder: Responder) {
    reply = responder.reply
    long = responder.long
    rendered = Array(repeating: nil, count: responder.prepared.count)
    others = [:]
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
    let index = response.index.flatMap { rendered.indices.contains($0) ? $0 : nil }
    if let known = index.map({ rendered[$0] }) ?? others[ObjectIdentifier(response)], known.response === response {
      known.date(date)
      return known
    }
    let new = RenderedResponse(response, date: date)
    if let index {
      rendered[index] = new
    } else {
      if others.count >= Self.othersLimit { others.removeAll() }
      others[ObjectIdentifier(response)] = new
    }
    return new
  }
}
