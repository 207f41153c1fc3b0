import NIOCore
import UnderstudyMock
import UnderstudySystem

/// Passes the body of a request from a connection to its reader, with back-pressure; used on the event loop.
final class IncomingBody {
  private typealias Producer = NIOThrowingAsyncSequenceProducer<
    [UInt8], any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Demand
  >

  let body: Body
  private let source: Producer.Source
  private let demand: Demand

  /// The body in chunks; a chunk is at most one read from the socket.
  private static let watermarks = (low: 4, high: 16)

  /// - Parameter resume: Called on the loop when the reader has caught up.
  init(length: Int?, _ loop: any EventLoop, resume: @escaping () -> Void) {
    demand = Demand(NIOLoopBound(resume, eventLoop: loop))
    let new = Producer.makeSequence(
      elementType: [UInt8].self, failureType: (any Error).self,
      backPressureStrategy: .init(lowWatermark: Self.watermarks.low, highWatermark: Self.watermarks.high),
      finishOnDeinit: true, delegate: demand)
    source = new.source
    body = Body(length: length, new.sequence)
  }

  /// Returns whether the reader keeps up. After the reader has left, the client may send the rest.
  func offer(_ chunk: [UInt8]) -> Bool {
    switch source.yield(chunk) {
    case .stopProducing: false
    case .produceMore, .dropped: true
    }
  }

  func finish(isComplete: Bool) {
    demand.end()
    if isComplete { return source.finish() }
    source.finish(UpstreamFailure(.unsendable, "the client did not send its whole request"))
  }
}

private final class Demand: NIOAsyncSequenceProducerDelegate, Sendable {
  private let resume: Lock<NIOLoopBound<() -> Void>?>

  init(_ resume: NIOLoopBound<() -> Void>) { self.resume = Lock(resume) }

  /// Stops calling the loop, which may then end.
  func end() { resume.withLock { $0 = nil } }

  func produceMore() {
    resume.withLock { resume in
      guard let resume else { return }
      resume.eventLoop.execute { resume.value() }
    }
  }

  func didTerminate() { produceMore() }
}
