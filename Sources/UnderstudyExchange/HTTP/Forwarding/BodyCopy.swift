import UnderstudySystem

/// A copy of a body that is passed on in pieces, made while it is read.
package final class BodyCopy: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isLonger = false
    var isWhole = false
    /// The ends of pieces, with their times since the head in microseconds.
    var arrivals: [(end: Int, time: Int)] = []
  }

  private let limit: Int
  private let state = Lock(State())
  private let start = ContinuousClock.now

  init(upTo limit: Int) { self.limit = limit }

  /// The longest copy of an answer that is recorded: 32 MiB.
  package static let recordingLimit = 32 << 20

  private static let arrivalLimit = 100_000

  /// A stream that is complete in fewer milliseconds has no pauses.
  private static let quickest = 25

  /// The time before each record of a stream, in whole milliseconds; empty if unknown. `body` is the used part.
  package func pauses(in body: [UInt8], _ fields: HTTPFields) -> [Duration] {
    guard !ContentCoding.isCoded(fields.lines(named: "content-encoding")),
      let records = StreamRecords(body, fields.contentType.flatMap { MediaRange($0) })
    else { return [] }
    let arrivals = state.withLock(\.arrivals)
    var (position, last) = (0, 0)
    var pauses: [Duration] = []
    for end in records.ends {
      while position < arrivals.count, arrivals[position].end < end { position += 1 }
      guard position < arrivals.count else { return [] }
      // Rounding does not add up.
      let time = (arrivals[position].time + 500) / 1000
      // A fixture takes no longer pause than an hour.
      pauses.append(min(.milliseconds(time - last), .seconds(3_600)))
      last = time
    }
    return last < Self.quickest ? [] : pauses
  }

  /// - Parameter piece: `nil` at the end of the body.
  func append(_ piece: [UInt8]?) {
    let time = (ContinuousClock.now - start).wholeMicroseconds
    state.withLock { state in
      guard let piece else {
        state.isWhole = true
        return
      }
      guard !state.isLonger, state.bytes.count + piece.count <= limit else {
        state.isLonger = true
        (state.bytes, state.arrivals) = ([], [])
        return
      }
      state.bytes += piece
      if state.arrivals.count < Self.arrivalLimit { state.arrivals.append((state.bytes.count, time)) }
    }
  }

  package enum Content: Sendable, Equatable {
    case whole([UInt8])
    /// The complete records of a stream that was cut off.
    case records([UInt8])
    /// Nothing, because the body was cut off; the reason in a clause.
    case cutOff(String)
    case tooLong

    package var bytes: [UInt8] {
      switch self {
      case .whole(let bytes), .records(let bytes): bytes
      case .cutOff, .tooLong: []
      }
    }
  }

  /// The part that was read and can be used: at most `limit` bytes of a response with these fields.
  package func content(_ fields: HTTPFields, upTo limit: Int = .max) -> Content {
    let (bytes, isLonger, isWhole) = state.withLock { ($0.bytes, $0.isLonger, $0.isWhole) }
    guard !isLonger, bytes.count <= limit else { return .tooLong }
    // A client that has the announced bytes may leave before the end is seen (RFC 9112, 6.3).
    let announced = fields[.contentLength].flatMap { Int($0) }
    guard !isWhole, bytes.isEmpty || bytes.count != announced else { return .whole(bytes) }
    guard let ends = Self.recordEnds(fields) else { return .cutOff("the answer's body was cut off") }
    let end = bytes.indices.last { position in ends.contains { bytes[...position].suffix($0.count).elementsEqual($0) } }
    guard let end else { return .cutOff("the answer's body was cut off within its first record") }
    return .records(Array(bytes[...end]))
  }

  /// The ends of the records of a stream; `nil` if the body is not one that can be read.
  private static func recordEnds(_ fields: HTTPFields) -> [String.UTF8View]? {
    guard !ContentCoding.isCoded(fields.lines(named: "content-encoding")) else { return nil }
    switch fields.contentType.flatMap({ MediaRange($0) })?.syntax {
    case .jsonSequence: return ["\n".utf8]
    // An empty line, whose ends may be those of any system (HTML, 9.2.5).
    case .eventStream: return ["\n\n".utf8, "\r\r".utf8, "\r\n\r\n".utf8]
    default: return nil
    }
  }
}
