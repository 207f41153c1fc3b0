import NIOCore
import Synchronization
import Understudy

/// The body of a request on its way from a connection to whoever reads it, with back-pressure; used on its event loop.
final class IncomingBody {
  private typealias Producer = NIOThrowingAsyncSequenceProducer<
    [UInt8], any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Demand
  >

  let body: Body
  private let source: Producer.Source
  private let demand: Demand
  /// Whether the reader keeps up.
  private(set) var wantsMore = true
  /// Whether the client has still something to send.
  private(set) var isOpen = true

  /// Pieces, each as long as one read from the socket at the most.
  private static let watermarks = (low: 4, high: 16)

  /// - Parameter resume: called on the loop when the reader has caught up.
  init(length: Int?, first: [UInt8], _ loop: any EventLoop, resume: @escaping () -> Void) {
    demand = Demand(loop)
    let new = Producer.makeSequence(
      elementType: [UInt8].self, failureType: (any Error).self,
      backPressureStrategy: .init(lowWatermark: Self.watermarks.low, highWatermark: Self.watermarks.high),
      finishOnDeinit: true, delegate: demand)
    source = new.source
    body = Body(length: length, new.sequence)
    demand.bind(
      NIOLoopBound(
        { [weak self] in
          self?.wantsMore = true
          resume()
        }, eventLoop: loop))
    if !first.isEmpty { offer(first) }
  }

  func offer(_ piece: [UInt8]) {
    switch source.yield(piece) {
    case .stopProducing: wantsMore = false
    // A reader that wants nothing more must not keep the client from coming to its end.
    case .produceMore, .dropped: wantsMore = true
    }
  }

  func finish() {
    isOpen = false
    demand.unbind()
    source.finish()
  }

  /// The client left before the end.
  func fail() {
    isOpen = false
    demand.unbind()
    source.finish(UpstreamFailure(.unsendable, "the client did not send all of its request"))
  }
}

/// Passes the reader's wish for more on to the event loop.
private final class Demand: NIOAsyncSequenceProducerDelegate, Sendable {
  private let loop: any EventLoop
  private let resume = Mutex<NIOLoopBound<() -> Void>?>(nil)

  init(_ loop: any EventLoop) { self.loop = loop }

  func bind(_ resume: NIOLoopBound<() -> Void>) { self.resume.withLock { $0 = resume } }

  /// From now on nobody waits, and the loop may end.
  func unbind() { resume.withLock { $0 = nil } }

  func produceMore() { callBack() }

  func didTerminate() { callBack() }

  private func callBack() {
    guard let resume = resume.withLock({ $0 }) else { return }
    loop.execute { resume.value() }
  }
}
