import Dispatch
import Synchronization
package import UnderstudyExchange
import UnderstudySystem
import UnderstudyText

/// Writes the log of a server to a stream whose reader may be slow or gone.
///
/// Each event loop appends to a part of its own without waiting, and one thread writes all lines in the order in which they
/// came. A text that takes work is made on that thread as well. Lines beyond the limits are dropped; their number is written
/// instead.
package final class LineQueue: Sendable {
  private let parts: [Part]
  private let ending = Lock(Ending())
  /// Whether the thread has work, or is about to have some.
  private let isWriting = Atomic(false)
  private let thread = DispatchQueue(label: "log")
  private let write: @Sendable (String) -> Void

  /// The lines of an event loop.
  private final class Part: Sendable {
    struct State {
      var waiting: [(time: ContinuousClock.Instant, line: Line)] = []
      var bytes = 0
      /// The size of what waiting texts are made of, in bytes.
      var held = 0
      var lost = 0
      var isClosed = false
    }

    let state = Lock(State())
  }

  private struct Ending {
    /// Written after all others.
    var last: String?
    /// Signalled when nothing waits.
    var waiter: DispatchSemaphore?
    /// Whether the thread makes a text.
    var isMaking = false
    /// The number of written pieces and made texts, which distinguishes a slow reader from none.
    var progress = 0
  }

  private enum Line {
    case text(String)
    case unmade(lines: Int, make: @Sendable () -> Redacted<String>)

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

  /// - Parameters:
  ///   - parts: How many event loops append; they share the limits.
  ///   - write: May block.
  package init(parts count: Int = 1, write: @escaping @Sendable (String) -> Void) {
    parts = (0..<max(1, count)).map { _ in Part() }
    self.write = write
  }

  /// The number of event loops that append.
  var loops: Int { parts.count }

  /// Adds lines about an exchange, or counts them as lost. Never waits.
  ///
  /// - Parameter loop: The number of the event loop, from 0.
  package func append(_ text: Redacted<String>, from loop: Int = 0) {
    append(.text(text.value), bytes: text.value.utf8.count, held: 0, from: loop)
  }

  /// Adds lines that quote no exchange, or counts them as lost. Never waits.
  package func notify(_ text: String) { append(.text(text), bytes: text.utf8.count, held: 0, from: 0) }

  /// Adds a text that is made where it is written, or counts its lines as lost. Never waits.
  ///
  /// - Parameters:
  ///   - size: The bytes that `make` holds.
  ///   - lines: The number of lines.
  ///   - loop: The number of the event loop, from 0.
  package func append(size: Int, lines: Int, from loop: Int = 0, _ make: @escaping @Sendable () -> Redacted<String>) {
    append(.unmade(lines: lines, make: make), bytes: 0, held: size, from: loop)
  }

  private func append(_ line: Line, bytes: Int, held: Int, from loop: Int) {
    let count = parts.count
    let isOpen = parts[loop % count].state.withLock { state in
      guard !state.isClosed else { return false }
      // A queue that holds nothing takes a text of any size.
      let canHold = held == 0 || state.held == 0 || state.held + held <= Self.maximumHeld / count
      let canTake =
        bytes <= Self.maximumBytes && (state.waiting.isEmpty || state.bytes + bytes <= Self.maximumBytes / count)
      if state.waiting.count < Self.maximumTexts / count, canTake, canHold, state.lost == 0 {
        state.waiting.append((.now, line))
        state.bytes += bytes
        state.held += held
      } else {
        state.lost += line.count
      }
      return true
    }
    if isOpen { start() }
  }

  /// Wakes the thread, unless it is awake: it looks for lines once more after it has said that it sleeps.
  private func start() {
    guard !isWriting.load(ordering: .acquiring), !isWriting.exchange(true, ordering: .acquiringAndReleasing) else {
      return
    }
    thread.async { self.drain() }
  }

  /// Adds a last text, and waits until everything is written, or until the reader has read nothing for a second.
  package func finish(_ last: String) {
    let done = DispatchSemaphore(value: 0)
    for part in parts { part.state.withLock { $0.isClosed = true } }
    var progress: Int? = ending.withLock { ending in
      (ending.last, ending.waiter) = (last, done)
      return ending.progress
    }
    start()
    while let before = progress, done.wait(timeout: .now() + 1) == .timedOut {
      let (now, isMaking) = ending.withLock { ($0.progress, $0.isMaking) }
      progress = now == before && !isMaking ? nil : now
    }
  }

  private func drain() {
    while true {
      while let lines = take() {
        var piece = ""
        for line in lines {
          piece += text(of: line)
          if piece.utf8.count >= Self.pieceBytes { put(&piece) }
        }
        if !piece.isEmpty { put(&piece) }
      }
      // The last text comes together with the one who waits for it.
      ending.withLock { ending in if ending.last == nil { ending.waiter?.signal() } }
      isWriting.store(false, ordering: .sequentiallyConsistent)
      guard hasLines, !isWriting.exchange(true, ordering: .acquiringAndReleasing) else { return }
    }
  }

  private func text(of line: Line) -> String {
    switch line {
    case .text(let text): return text
    case .unmade(_, let make):
      ending.withLock { $0.isMaking = true }
      defer {
        ending.withLock { ending in
          ending.isMaking = false
          ending.progress += 1
        }
      }
      return make().value
    }
  }

  private func put(_ piece: inout String) {
    write(piece)
    piece = ""
    ending.withLock { $0.progress += 1 }
  }

  private var hasLines: Bool {
    parts.contains { part in part.state.withLock { !$0.waiting.isEmpty || $0.lost > 0 } }
      || ending.withLock { $0.last != nil }
  }

  /// All waiting texts, with the number of those that were dropped; `nil` if there are none.
  private func take() -> [Line]? {
    var taken: [(time: ContinuousClock.Instant, line: Line)] = []
    var lost = 0
    for part in parts {
      part.state.withLock { state in
        taken += state.waiting
        lost += state.lost
        (state.waiting, state.bytes, state.held, state.lost) = ([], 0, 0, 0)
      }
    }
    if parts.count > 1 { taken.sort { $0.time < $1.time } }
    var lines = taken.map(\.line)
    if lost > 0 { lines.append(.text("\(lost) lines lost: they were not read as fast as they were printed\n")) }
    if let last = ending.withLock({ $0.last.take() }) { lines.append(.text(last)) }
    return lines.isEmpty ? nil : lines
  }
}
