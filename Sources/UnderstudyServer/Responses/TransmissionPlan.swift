package import NIOCore
package import UnderstudyMock

/// A slow or broken answer as data: its pieces, the pauses between them, and what happens to the connection then.
package struct TransmissionPlan {
  private var sections: [Section]
  package let end: End

  /// Bytes at one pace.
  private struct Section {
    var bytes: ByteBuffer
    /// Of a piece, in bytes.
    var size = Int.max
    /// Before the first piece.
    var wait: Duration = .zero
    /// Between two pieces.
    var pause: Duration = .zero
  }

  package enum End: Sendable, Equatable {
    /// As after any answer.
    case usual
    case close, reset, hang
  }

  /// With a bandwidth, the most pieces in a second.
  package static let piecesPerSecond = 20

  package init(_ head: ByteBuffer, _ body: ByteBuffer, _ fault: Fault?) {
    var all = head
    all.writeImmutableBuffer(body)
    let sections =
      switch fault?.pace {
      case nil: [Section(bytes: all)]
      case .stall(let pause): [Section(bytes: head), Section(bytes: body, wait: pause)]
      case .drip(let time):
        [
          Section(
            bytes: all, size: max(1, (all.readableBytes + Fault.drops - 1) / Fault.drops), pause: time / Fault.drops)
        ]
      case .bandwidth(let rate): [Self.section(all, rate: rate)]
      }
    self.sections = sections.filter { $0.bytes.readableBytes > 0 }
    end =
      switch fault?.damage {
      case .cut(.reset, _): .reset
      case .cut(.hang, _): .hang
      default: fault?.endsConnection == true ? .close : .usual
      }
  }

  /// - Parameter rate: In bytes a second.
  private static func section(_ bytes: ByteBuffer, rate: Int) -> Section {
    let size = max(1, rate / piecesPerSecond)
    return Section(bytes: bytes, size: size, pause: .seconds(1) * size / rate)
  }

  /// The next piece, and the pause after it; the last piece has none.
  package mutating func next() -> (piece: ByteBuffer, pause: Duration?) {
    guard !sections.isEmpty else { return (ByteBuffer(), nil) }
    let length = min(sections[0].size, sections[0].bytes.readableBytes)
    let piece = sections[0].bytes.readSlice(length: length) ?? ByteBuffer()
    if sections[0].bytes.readableBytes > 0 { return (piece, sections[0].pause) }
    sections.removeFirst()
    return (piece, sections.first?.wait)
  }
}

extension Reply {
  /// Whether the answer is a `TransmissionPlan` over time, and not written at once.
  var isInPieces: Bool {
    guard let fault else { return false }
    if fault.pace != nil { return true }
    if case .cut(let ending, _) = fault.damage { return ending != .close }
    return false
  }

  /// The end of a connection that gets no byte of the answer.
  var endWithoutAnswer: Fault.Ending? {
    if case .cut(let ending, .start)? = fault?.damage { ending } else { nil }
  }

  /// The status that the client gets.
  var sentStatus: Int? { fault?.hasStatus == false ? nil : status }
}
