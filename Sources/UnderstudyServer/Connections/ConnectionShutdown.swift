/// Connection shutdown (RFC 9112, 9.6).
///
/// A connection is closed once everything is sent. If the client may still be sending, the server goes on reading for a
/// while: closing the socket with unread bytes would reset the connection, and the client would lose the answer.
struct ConnectionShutdown {
  private enum Phase {
    case open
    case finishing(lingers: Bool, abruptly: Bool)
    case draining(lingers: Bool, abruptly: Bool)
    case closingOutput
    case lingering
    case closing(abruptly: Bool)
    case closed
  }

  private var phase = Phase.open
  private var timer = TimerState()
  private let lingerLimit: Duration
  /// The client has finished sending and may still read.
  private(set) var inputIsClosed = false
  /// The server shuts down: the connection ends with the answers that it owes.
  var isQuiescing = false

  init(lingerLimit: Duration) { self.lingerLimit = lingerLimit }

  var isOpen: Bool { if case .open = phase { true } else { false } }
  var isLingering: Bool { if case .lingering = phase { true } else { false } }
  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Closes the connection once everything is sent, if abruptly with a TCP RST.
  mutating func finish(lingers: Bool = false, abruptly: Bool = false) {
    phase = .finishing(lingers: lingers, abruptly: abruptly)
  }

  mutating func close(abruptly: Bool = false) {
    if !isClosed { phase = .closing(abruptly: abruptly) }
  }

  mutating func close(after limit: Duration) { timer.start(limit) }

  mutating func timerFired() -> Bool { timer.fire() }

  mutating func inputClosed() {
    inputIsClosed = true
    switch phase {
    case .closingOutput, .lingering: close()
    default: break
    }
  }

  mutating func drained(_ isSent: Bool) {
    guard case .draining(let lingers, let abruptly) = phase else { return }
    phase = isSent && lingers && !inputIsClosed ? .closingOutput : .closing(abruptly: abruptly)
  }

  mutating func closed() {
    phase = .closed
    timer.stop()
  }

  mutating func nextAction() -> ConnectionAction? {
    if let action = timer.nextAction(for: .end) { return action }
    switch phase {
    case .open, .draining, .lingering, .closed:
      return nil
    case .finishing(let lingers, let abruptly):
      phase = .draining(lingers: lingers, abruptly: abruptly)
      return .drain
    case .closingOutput:
      phase = .lingering
      timer.start(lingerLimit)
      return .closeOutput
    case .closing(let abruptly):
      phase = .closed
      return abruptly ? .reset : .close
    }
  }
}
