import Synchronization
import Understudy

/// The body of a request on its way from the task that reads it to the curl thread.
final class RequestStream: Sendable {
  private struct State {
    var bytes: ArraySlice<UInt8> = []
    var end: Result<Void, UpstreamFailure>?
    /// Whether the curl thread waits for bytes.
    var isStarved = false
    /// Whether the curl thread takes nothing more.
    var isAbandoned = false
    var writer: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Bytes that may wait for the curl thread; the last piece may exceed it.
  static let limit = 64 * 1024

  // MARK: - The task

  /// Hands over a piece, and waits where too much is still to be sent. Returns `false` where the curl thread takes nothing
  /// more.
  ///
  /// - Parameter resume: runs where the curl thread waits for bytes.
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

  /// Ends the body, or says why the rest of it never comes.
  func finish(_ end: Result<Void, UpstreamFailure>, resume: () -> Void) {
    let wasStarved = state.withLock { state in
      state.end = end
      defer { state.isStarved = false }
      return state.isStarved
    }
    if wasStarved { resume() }
  }

  // MARK: - The curl thread

  /// What there is to send.
  enum Portion {
    /// So many bytes; none at the end.
    case bytes(Int)
    /// Nothing yet.
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

  /// Lets the task go: the exchange is over.
  func abandon() {
    let writer = state.withLock { state in
      state.isAbandoned = true
      state.bytes = []
      return state.writer.take()
    }
    writer?.resume()
  }
}
