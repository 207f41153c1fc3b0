import Dispatch
import Synchronization

/// What a server prints, on its way to a stream that may be read slowly, or by nobody.
///
/// Event loops hand lines over and go on; one thread writes them, in order. When more wait than the limits allow, lines
/// are left out, and their number takes their place.
final class LineQueue: Sendable {
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "log")
  private let write: @Sendable (String) -> Void

  private struct State {
    var waiting: [String] = []
    var bytes = 0
    var lost = 0
    var isWriting = false
    /// How often a piece was written, which tells a slow reader from none.
    var progress = 0
    var isClosed = false
    /// Told when nothing waits any more.
    var waiter: DispatchSemaphore?

    /// Puts a line in the place of those that were left out.
    mutating func admitLosses() {
      guard lost > 0 else { return }
      waiting.append("\(lost) lines lost: they were not read as fast as they were printed\n")
      lost = 0
    }
  }

  private static let maximumTexts = 10_000
  private static let maximumBytes = 1024 * 1024
  /// Less than a pipe holds, so that progress shows.
  private static let pieceBytes = 16 * 1024

  /// - Parameter write: may block, for as long as it likes.
  init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Takes the text, or counts its lines as lost; never waits.
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

  /// Takes a last text, and waits until all is written. Gives up when the reader has taken nothing for a second.
  func finish(_ last: String) {
    let done = DispatchSemaphore(value: 0)
    let (starts, start) = state.withLock { state in
      state.admitLosses()
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

  /// All that waits, or `nil` when that is nothing and the next text has to start the thread again.
  private func take() -> [String]? {
    state.withLock { state in
      guard !state.waiting.isEmpty || state.lost > 0 else {
        state.isWriting = false
        state.waiter?.signal()
        return nil
      }
      state.admitLosses()
      defer { (state.waiting, state.bytes) = ([], 0) }
      return state.waiting
    }
  }
}
