import Dispatch
import Synchronization

/// Writes the log of a server to a stream whose reader may be slow or gone.
///
/// Event loops append lines without waiting, and one thread writes them in order. Lines beyond the limits are dropped;
/// their number is written instead.
final class LineQueue: Sendable {
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "log")
  private let write: @Sendable (String) -> Void

  private struct State {
    var waiting: [String] = []
    var bytes = 0
    var lost = 0
    var isWriting = false
    /// The number of written pieces, which distinguishes a slow reader from none.
    var progress = 0
    var isClosed = false
    /// Signalled when nothing waits.
    var waiter: DispatchSemaphore?

    /// Adds a line with the number of dropped lines.
    mutating func appendLosses() {
      guard lost > 0 else { return }
      waiting.append("\(lost) lines lost: they were not read as fast as they were printed\n")
      lost = 0
    }
  }

  private static let maximumTexts = 10_000
  private static let maximumBytes = 1024 * 1024
  /// Less than the capacity of a pipe, so that progress shows.
  private static let pieceBytes = 16 * 1024

  /// - Parameter write: May block.
  init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Adds a text, or counts its lines as lost. Never waits.
  func append(_ text: String) {
    let size = text.utf8.count
    let starts = state.withLock { state in
      guard !state.isClosed else { return false }
      if state.waiting.count < Self.maximumTexts, state.bytes + size <= Self.maximumBytes, state.lost == 0 {
        state.waiting.append(text)
        state.bytes += size
      } else {
        state.lost += text.utf8.count { $0 == UInt8(ascii: "\n") }
      }
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if starts { thread.async { self.drain() } }
  }

  /// Adds a last text, and waits until everything is written, or until the reader has read nothing for a second.
  func finish(_ last: String) {
    let done = DispatchSemaphore(value: 0)
    let (starts, start) = state.withLock { state in
      state.appendLosses()
      state.waiting.append(last)
      state.isClosed = true
      state.waiter = done
      defer { state.isWriting = true }
      return (!state.isWriting, state.progress)
    }
    if starts { thread.async { self.drain() } }
    var progress: Int? = start
    while let before = progress, done.wait(timeout: .now() + 1) == .timedOut {
      let now = state.withLock { $0.progress }
      progress = now == before ? nil : now
    }
  }

  private func drain() {
    while let texts = take() {
      var piece = ""
      for text in texts {
        piece += text
        if piece.utf8.count >= Self.pieceBytes { put(&piece) }
      }
      if !piece.isEmpty { put(&piece) }
    }
  }

  private func put(_ piece: inout String) {
    write(piece)
    piece = ""
    state.withLock { $0.progress += 1 }
  }

  /// All waiting texts; `nil` if there are none, and the next one has to start the thread again.
  private func take() -> [String]? {
    state.withLock { state in
      guard !state.waiting.isEmpty || state.lost > 0 else {
        state.isWriting = false
        state.waiter?.signal()
        return nil
      }
      state.appendLosses()
      defer { (state.waiting, state.bytes) = ([], 0) }
      return state.waiting
    }
  }
}
