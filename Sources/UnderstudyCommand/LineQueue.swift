import Dispatch
import Synchronization

/// Writes the log of a server to a stream whose reader may be slow or gone.
///
/// Event loops append lines without waiting, and one thread writes them in order. A text that takes work is made on that
/// thread as well. Lines beyond the limits are dropped; their number is written instead.
package final class LineQueue: Sendable {
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "log")
  private let write: @Sendable (String) -> Void

  private struct State {
    var waiting: [Line] = []
    var bytes = 0
    /// The size of what waiting texts are made of, in bytes.
    var held = 0
    var lost = 0
    var isWriting = false
    /// Whether the thread makes a text.
    var isMaking = false
    /// The number of written pieces and made texts, which distinguishes a slow reader from none.
    var progress = 0
    var isClosed = false
    /// Signalled when nothing waits.
    var waiter: DispatchSemaphore?

    /// Adds a line with the number of dropped lines.
    mutating func appendLosses() {
      guard lost > 0 else { return }
      waiting.append(.text("\(lost) lines lost: they were not read as fast as they were printed\n"))
      lost = 0
    }
  }

  private enum Line {
    case text(String)
    case unmade(lines: Int, make: @Sendable () -> String)

    /// The number of lines.
    var count: Int {
      switch self {
      case .text(let text): text.utf8.count { $0 == UInt8(ascii: "\n") }
      case .unmade(let lines, _): lines
      }
    }
  }

  private static let maximumTexts = 10_000
  private static let maximumBytes = 1024 * 1024
  /// The limit of what waiting texts are made of.
  private static let maximumHeld = 32 << 20
  /// Less than the capacity of a pipe, so that progress shows.
  private static let pieceBytes = 16 * 1024

  /// - Parameter write: May block.
  package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Adds a text, or counts its lines as lost. Never waits.
  package func append(_ text: String) { append(.text(text), bytes: text.utf8.count, held: 0) }

  /// Adds a text that is made where it is written, or counts its lines as lost. Never waits.
  ///
  /// - Parameters:
  ///   - size: The bytes that `make` holds.
  ///   - lines: The number of lines.
  package func append(size: Int, lines: Int, _ make: @escaping @Sendable () -> String) {
    append(.unmade(lines: lines, make: make), bytes: 0, held: size)
  }

  private func append(_ line: Line, bytes: Int, held: Int) {
    let starts = state.withLock { state in
      guard !state.isClosed else { return false }
      // A queue that holds nothing takes a text of any size.
      let canHold = held == 0 || state.held == 0 || state.held + held <= Self.maximumHeld
      if state.waiting.count < Self.maximumTexts, state.bytes + bytes <= Self.maximumBytes, canHold, state.lost == 0 {
        state.waiting.append(line)
        state.bytes += bytes
        state.held += held
      } else {
        state.lost += line.count
      }
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if starts { thread.async { self.drain() } }
  }

  /// Adds a last text, and waits until everything is written, or until the reader has read nothing for a second.
  package func finish(_ last: String) {
    let done = DispatchSemaphore(value: 0)
    let (starts, start) = state.withLock { state in
      state.appendLosses()
      state.waiting.append(.text(last))
      state.isClosed = true
      state.waiter = done
      defer { state.isWriting = true }
      return (!state.isWriting, state.progress)
    }
    if starts { thread.async { self.drain() } }
    var progress: Int? = start
    while let before = progress, done.wait(timeout: .now() + 1) == .timedOut {
      let (now, isMaking) = state.withLock { ($0.progress, $0.isMaking) }
      progress = now == before && !isMaking ? nil : now
    }
  }

  private func drain() {
    while let lines = take() {
      var piece = ""
      for line in lines {
        piece += text(of: line)
        if piece.utf8.count >= Self.pieceBytes { put(&piece) }
      }
      if !piece.isEmpty { put(&piece) }
    }
  }

  private func text(of line: Line) -> String {
    switch line {
    case .text(let text): return text
    case .unmade(_, let make):
      state.withLock { $0.isMaking = true }
      defer {
        state.withLock { state in
          state.isMaking = false
          state.progress += 1
        }
      }
      return make()
    }
  }

  private func put(_ piece: inout String) {
    write(piece)
    piece = ""
    state.withLock { $0.progress += 1 }
  }

  /// All waiting texts; `nil` if there are none, and the next one has to start the thread again.
  private func take() -> [Line]? {
    state.withLock { state in
      guard !state.waiting.isEmpty || state.lost > 0 else {
        state.isWriting = false
        state.waiter?.signal()
        return nil
      }
      state.appendLosses()
      defer { (state.waiting, state.bytes, state.held) = ([], 0, 0) }
      return state.waiting
    }
  }
}
