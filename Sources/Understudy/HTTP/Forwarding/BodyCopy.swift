import Synchronization

/// A copy of content that is passed on in pieces, made while it is read.
package final class BodyCopy: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isLonger = false
    var isWhole = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(upTo limit: Int) { self.limit = limit }

  /// The longest copy of an answer that is recorded: 32 MiB.
  package static let limit = 32 << 20

  /// What was read; `nil` if it is longer than the limit.
  package var bytes: [UInt8]? { state.withLock { $0.isLonger ? nil : $0.bytes } }

  /// Whether the content was read to its end.
  package var isWhole: Bool { state.withLock { $0.isWhole } }

  func append(_ piece: [UInt8]?) {
    state.withLock { state in
      guard let piece else {
        state.isWhole = true
        return
      }
      guard !state.isLonger, state.bytes.count + piece.count <= limit else {
        state.isLonger = true
        state.bytes = []
        return
      }
      state.bytes += piece
    }
  }
}
