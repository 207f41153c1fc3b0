/// What a connection does to an answer on purpose: it damages the answer, slows it down, or both.
package struct Fault: Sendable, Hashable {
  /// Boxed, since replies are moved often and few have a fault.
  private indirect enum Box: Sendable, Hashable { case parts(Damage?, Pace?) }

  private var box: Box

  package init(damage: Damage? = nil, pace: Pace? = nil) { box = .parts(damage, pace) }

  package var damage: Damage? { if case .parts(let damage, _) = box { damage } else { nil } }
  package var pace: Pace? { if case .parts(_, let pace) = box { pace } else { nil } }

  package enum Damage: Sendable, Hashable {
    /// The connection ends within the answer, or stays open in silence.
    case cut(Ending, Moment)
    case garbage
    case malformedChunk
    /// Announces this many bytes more than the body has; fewer, if negative.
    case wrongLength(Int)
    /// A page in place of the body, under the media type of the answer.
    case html
    case invalidUTF8
    case duplicateHeaders
    /// A second `Content-Length` and `Content-Type` that contradict the first.
    case conflictingHeaders
  }

  package enum Ending: String, Sendable, Hashable { case close, reset, hang }

  /// The moment within an answer at which its connection ends.
  package enum Moment: String, Sendable, Hashable, CaseIterable {
    /// Before the first byte.
    case start
    case head
    case afterHead = "after-head"
    /// Within the body; within the head of an answer without a body.
    case body
    /// After the last byte.
    case end
  }

  package enum Pace: Sendable, Hashable {
    /// In `Fault.drops` pieces over a time.
    case drip(over: Duration)
    /// In bytes a second.
    case bandwidth(Int)
    case stall(Duration)
  }

  /// The most pieces of an answer that drips.
  package static let drops = 20

  /// Whether the client gets a complete HTTP message, although perhaps with a wrong content.
  package var isComplete: Bool {
    switch damage {
    case nil, .html, .invalidUTF8, .duplicateHeaders, .cut(_, .end): true
    default: false
    }
  }

  package var hasStatus: Bool {
    switch damage {
    case .garbage, .cut(_, .start), .cut(_, .head): false
    default: true
    }
  }

  package var endsConnection: Bool {
    switch damage {
    case nil, .html, .invalidUTF8, .duplicateHeaders: false
    default: true
    }
  }

  /// Whether the connection stays open after the last byte, and no further answer comes.
  package var hangs: Bool { if case .cut(.hang, _) = damage { true } else { false } }

  /// The connection is closed without a byte: an empty reply.
  package static let close = close(at: .start)
  /// The connection is reset (TCP RST) without a byte.
  package static let reset = reset(at: .start)
  /// The request is accepted and never answered; the connection stays open.
  package static let hang = hang(at: .start)
  /// The whole body is announced and its first half sent; then the connection is closed.
  package static let truncate = close(at: .body)
  /// The whole answer in twenty pieces within two seconds.
  package static let drip = drip(over: .seconds(2))
  /// Bytes that are not HTTP, then the connection is closed.
  package static let garbage = Fault(damage: .garbage)
  /// A body in chunks of which the second has no valid size.
  package static let malformedChunk = Fault(damage: .malformedChunk)
  /// An HTML page under the media type of the response.
  package static let html = Fault(damage: .html)
  /// Two bytes in the body that are not UTF-8.
  package static let invalidUTF8 = Fault(damage: .invalidUTF8)
  /// Each header field twice.
  package static let duplicateHeaders = Fault(damage: .duplicateHeaders)
  /// Two lengths and two media types that contradict each other.
  package static let conflictingHeaders = Fault(damage: .conflictingHeaders)

  /// The connection is closed at a moment within the response.
  package static func close(at moment: Moment) -> Fault { Fault(damage: .cut(.close, moment)) }
  /// The connection is reset (TCP RST) at a moment within the response.
  package static func reset(at moment: Moment) -> Fault { Fault(damage: .cut(.reset, moment)) }
  /// The answer stops at a moment, and the connection stays open.
  package static func hang(at moment: Moment) -> Fault { Fault(damage: .cut(.hang, moment)) }
  /// `Content-Length` exceeds the body by a number of bytes; negative, it falls short of it. 0 counts as 1.
  package static func wrongLength(by bytes: Int) -> Fault { Fault(damage: .wrongLength(bytes == 0 ? 1 : bytes)) }
  /// The whole response in twenty pieces over a time from a millisecond to an hour.
  package static func drip(over time: Duration) -> Fault { Fault(pace: .drip(over: time.clampedPace)) }
  /// The response at a number of bytes a second, at least 1.
  package static func bandwidth(_ bytesPerSecond: Int) -> Fault { Fault(pace: .bandwidth(max(1, bytesPerSecond))) }
  /// The head at once, the body after a pause from a millisecond to an hour.
  package static func stall(_ pause: Duration) -> Fault { Fault(pace: .stall(pause.clampedPace)) }

  /// Both faults; where they exclude each other, the other one.
  package func and(_ other: Fault) -> Fault { Fault(damage: other.damage ?? damage, pace: other.pace ?? pace) }
}

extension Duration {
  /// Within the times that a response may take.
  fileprivate var clampedPace: Duration { min(max(self, .milliseconds(1)), Delay.limit) }
}
