import Synchronization
import UnderstudySystem

/// The last messages of a socket, in both directions.
package final class SocketTranscript: Sendable {
  private struct State {
    var messages: [SocketMessage] = []
    /// The bytes of the messages that are held.
    var held = 0
    var count = 0
    var bytes = 0
    var findings: [Diagnostic] = []
  }

  package let identity: SocketIdentity
  private let limits: Limits
  private let state = Lock(State())

  package struct Limits: Sendable {
    package let messages: Int
    /// The size of all messages, in bytes.
    package let bytes: Int
    /// Whether earlier messages are dropped where all transcripts hold too much.
    let isShared: Bool

    package static let usual = Self(messages: 200, bytes: 256 << 10, isShared: true)
    package static let recording = Self(messages: 10_000, bytes: 32 << 20, isShared: false)
  }

  /// The most bytes of all transcripts; beyond it each holds only the beginning of its last message.
  package static let totalLimit = 32 << 20
  private static let crowdedLimit = 256
  private static let findingLimit = 20
  private static let total = Atomic(0)

  package init(_ identity: SocketIdentity, _ limits: Limits = .usual) {
    (self.identity, self.limits) = (identity, limits)
  }

  deinit {
    let held = state.withLock(\.held)
    Self.total.subtract(held, ordering: .relaxed)
  }

  /// Adds a message, and drops the oldest ones beyond the limits.
  ///
  /// - Returns: The message with its number and time.
  func append(_ message: SocketMessage, at time: Int) -> SocketMessage {
    let isCrowded = Self.total.load(ordering: .relaxed) > Self.totalLimit
    let (noted, growth) = state.withLock { state -> (SocketMessage, Int) in
      let before = state.held
      var noted = message
      state.count += 1
      state.bytes += message.size
      (noted.number, noted.time) = (state.count, time)
      for finding in message.findings where state.findings.count < Self.findingLimit {
        let isKnown = state.findings.contains { $0.rule == finding.rule && $0.message == finding.message }
        if !isKnown { state.findings.append(finding) }
      }
      if isCrowded, limits.isShared { (state.messages, state.held) = ([], 0) }
      state.messages.append(isCrowded ? noted.shortened(to: Self.crowdedLimit) : noted)
      state.held += state.messages.last?.held ?? 0
      var surplus = max(0, state.messages.count - limits.messages)
      state.held -= state.messages[..<surplus].reduce(0) { $0 + $1.held }
      while state.held > limits.bytes, surplus < state.messages.count - 1 {
        state.held -= state.messages[surplus].held
        surplus += 1
      }
      state.messages.removeFirst(surplus)
      return (noted, state.held - before)
    }
    Self.total.add(growth, ordering: .relaxed)
    return noted
  }

  /// The last ones, the oldest first.
  package var messages: [SocketMessage] { state.withLock(\.messages) }

  /// What the client broke by its messages, each problem once.
  package var findings: [Diagnostic] { state.withLock(\.findings) }

  /// All messages, also those that are no longer held, all bytes, and the bytes that are held.
  package var totals: (count: Int, bytes: Int, held: Int) { state.withLock { ($0.count, $0.bytes, $0.held) } }
}
