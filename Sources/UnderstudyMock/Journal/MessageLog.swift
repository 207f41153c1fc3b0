import UnderstudySystem

/// The last messages of an answer that is sent on while it arrives: server-sent events (HTML, 9.2.6), or the texts of a JSON
/// sequence (RFC 7464, or one a line).
package final class MessageLog: Sendable {
  package struct Message: Sendable, Hashable {
    /// From 1.
    package let number: Int
    /// When its last byte came, in microseconds after the head of the answer.
    package let microseconds: Int
    /// As it came, without the end; only the beginning of a long one.
    package let bytes: [UInt8]
    /// The length of all of it, in bytes.
    package let size: Int
  }

  private struct State {
    var cutter: MessageCutter
    var messages: [Message] = []
    /// The bytes of the messages that are held.
    var held = 0
    var count = 0
    var bytes = 0
  }

  package static let messageLimit = 200
  /// The most bytes of all messages that are held.
  package static let byteLimit = 256 << 10

  private let state: Lock<State>

  /// `nil` for a media type that has no messages.
  package init?(_ type: MediaRange?) {
    guard let cutter = MessageCutter(type) else { return nil }
    state = Lock(State(cutter: cutter))
  }

  /// - Parameters:
  ///   - piece: The next bytes of the answer.
  ///   - microseconds: The time since its head.
  package func append(_ piece: [UInt8], at microseconds: Int) {
    state.withLock { state in
      state.bytes += piece.count
      state.cutter.cut(piece) { bytes, size in
        state.count += 1
        state.held += bytes.count
        state.messages.append(
          Message(number: state.count, microseconds: microseconds, bytes: bytes, size: size))
      }
      var surplus = max(0, state.messages.count - Self.messageLimit)
      state.held -= state.messages[..<surplus].reduce(0) { $0 + $1.bytes.count }
      while state.held > Self.byteLimit, surplus < state.messages.count - 1 {
        state.held -= state.messages[surplus].bytes.count
        surplus += 1
      }
      state.messages.removeFirst(surplus)
    }
  }

  /// The last ones, the oldest first.
  package var messages: [Message] { state.withLock(\.messages) }

  /// All messages, also those that are no longer held, all bytes of the answer, and the bytes that are held.
  package var totals: (count: Int, bytes: Int, held: Int) { state.withLock { ($0.count, $0.bytes, $0.held) } }
}
