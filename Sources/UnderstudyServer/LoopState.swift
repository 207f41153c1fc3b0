import NIOCore
import Understudy

/// What all connections of one event loop share; never touched from another thread, so it needs no lock.
final class LoopState {
  private(set) var responder: Responder
  /// By `PreparedResponse.index`. Every loop dates its own copies.
  private var rendered: [RenderedResponse]
  private(set) var date: HTTPDate

  init(_ responder: Responder, rendered: [RenderedResponse], on loop: any EventLoop) {
    self.responder = responder
    self.rendered = rendered
    self.date = HTTPDate.now()
    let bound = NIOLoopBound(self, eventLoop: loop)
    loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in bound.value.date = HTTPDate.now() }
  }

  func replace(_ responder: Responder, rendered: [RenderedResponse]) {
    self.responder = responder
    self.rendered = rendered
  }

  /// The whole answer, dated; nil if `response` was not announced by this loop's responder.
  func bytes(of response: PreparedResponse) -> RenderedResponse? {
    let index = response.index
    guard rendered.indices.contains(index), rendered[index].response === response else { return nil }
    rendered[index].date(date)
    return rendered[index]
  }
}
