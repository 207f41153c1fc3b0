import UnderstudySystem
import UnderstudyVerification

/// The progress of a long run on standard error, shown only on a terminal and after half a second.
final class ProgressBar: Sendable {
  private struct State {
    var done = 0
    var shownAt: ContinuousClock.Instant?
    var isShown = false
  }

  private let noun: String
  private let total: Int
  private let terminal: Terminal
  private let isOn: Bool
  private let startedAt = ContinuousClock.now
  private let state = Lock(State())

  /// - Parameter noun: The singular of what is counted: `fixture`.
  init(_ noun: String, total: Int, on terminal: Terminal = .standardError) {
    self.noun = noun
    self.total = total
    self.terminal = terminal
    isOn = terminal.isInteractive && Environment["TERM"] != "dumb" && total > 0
  }

  /// May be called from any thread.
  func advance(by count: Int = 1) {
    guard isOn else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      state.done += count
      guard now - startedAt >= .milliseconds(500), state.shownAt.map({ now - $0 >= .milliseconds(100) }) ?? true else {
        return
      }
      state.shownAt = now
      state.isShown = true
      // The lock keeps the lines of two threads apart.
      terminal.write("\r" + Self.line(done: state.done, of: total, noun) + "\u{1B}[K")
    }
  }

  /// Removes the bar, so that further output starts on an empty line.
  func finish() {
    state.withLock { state in
      if state.isShown { terminal.write("\r\u{1B}[K") }
      state.isShown = false
    }
  }

  /// `[########------------]  42 %  4200 of 10000 fixtures`
  static func line(done: Int, of total: Int, _ noun: String) -> String {
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let width = 20
    let filled = Int(share * Double(width))
    let percent = String(Int(share * 100))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let padding = String(repeating: " ", count: max(0, 3 - percent.utf8.count))
    return "[\(bar)] \(padding)\(percent) %  \(done) of \(total.counted(noun))"
  }
}
