import HTTPTypes
import NIOCore
import Understudy

/// The state that all connections of an event loop share; used on that loop only, so it needs no lock.
final class LoopState {
  private(set) var reply: @Sendable (HTTPRequest, [UInt8]) -> Reply
  /// How to answer requests whose bodies are too long to be held.
  private(set) var long: Responder.Long?
  /// By `PreparedResponse.index`, each rendered for its first request.
  private var rendered: [RenderedResponse?]
  private(set) var date = HTTPDate.now()
  /// The channels of open connections.
  private var channels: [ObjectIdentifier: any Channel] = [:]
  private var isCut = false

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
  }

  func opened(_ channel: any Channel) {
    channels[ObjectIdentifier(channel)] = channel
    if isCut { channel.close(promise: nil) }
  }

  func closed(_ channel: any Channel) { channels[ObjectIdentifier(channel)] = nil }

  /// Closes every connection, even one that waits for an answer, and those that are still being accepted.
  func cut() {
    isCut = true
    for channel in channels.values { channel.close(promise: nil) }
  }

  /// The whole answer, dated.
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
