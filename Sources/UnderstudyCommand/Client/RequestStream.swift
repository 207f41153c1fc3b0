import UnderstudySystem
import UnderstudyVerification

/// Passes the body of a request from the task that reads it to the curl thread.
final class RequestStream: Sendable {
  private struct State {
    var bytes: ArraySlice<UInt8> = []
    var end: Result<Void, UpstreamFailure>?
    /// Whether the curl thread waits for bytes.
    var isStarved = false
    /// Whether the curl thread accepts no more bytes.
    var isAbandoned = false
    var writer: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// The limit of waiting bytes, which the last piece may exceed.
  static let limit = 64 * 1024

  // MARK: - The task

  /// Passes on a piece, and waits if too many bytes are waiting. Returns `false` if the curl thread accepts no more.
  ///
  /// - Parameter resume: Called if the curl thread waits for bytes.
  func write(_ piece: [UInt8], resume: () -> Void) async -> Bool {
    guard !piece.isEmpty else { return true }
    await withCheckedContinuation { writer in
      let (waits, wasStarved) = state.withLock { state in
        if !state.isAbandoned { state.bytes += piece }
        let waits = state.bytes.count >= Self.limit
        if waits { state.writer = writer }
        defer { state.isStarved = false }
        return (waits, state.isStarved)
      }
      if !waits { writer.resume() }
      if wasStarved { resume() }
    }
    return state.withLock { !$0.isAbandoned }
  }

  /// Ends the body, or fails it.
  func finish(_ end: Result<Void, UpstreamFailure>, resume: () -> Void) {
    let wasStarved = state.withLock { state in
      state.end = end
      defer { state.isStarved = false }
      return state.isStarved
    }
    if wasStarved { resume() }
  }

  // MARK: - The curl thread

  /// The result of a read.
  enum Portion {
    /// The number of bytes; 0 at the end.
    case bytes(Int)
    /// No bytes yet.
    case later
    case failed(UpstreamFailure)
  }

  /// Moves the next bytes to a buffer.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
    let (portion, writer) = state.withLock { state -> (Portion, CheckedContinuation<Void, Never>?) in
      if !state.bytes.isEmpty {
        let portion = state.bytes.prefix(buffer.count)
        buffer.copyBytes(from: portion)
        state.bytes = state.bytes.dropFirst(portion.count)
        return (.bytes(portion.count), state.bytes.count < Self.limit ? state.writer.take() : nil)
      }
      switch state.end {
      case .success: return (.bytes(0), nil)
      case .failure(let failure): return (.failed(failure), nil)
      case nil:
        state.isStarved = true
        return (.later, nil)
      }
    }
    writer?.resume()
    return portion
  }

  /// Releases the task, because the exchange has ended.
  func abandon() {
    let writer = state.withLock { state in
      state.isAbandoned = true
      state.bytes = []
      return state.writer.take()
    }
    writer?.resume()
  }
}
