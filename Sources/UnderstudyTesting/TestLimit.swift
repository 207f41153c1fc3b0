import UnderstudyMock
import UnderstudySystem

/// Ends a test that waits for an event that never comes.
///
/// Late ticks do not count: they show that tests wait for their turn, and that this one may not be stuck. The limit starts
/// again with every request. A sweep has its own limit for each row, so that this one rests until the sweep ends.
/// `allow("test.limit")` allows the wait, not its length: the connections are closed after one limit, and the process
/// ends after five.
struct TestLimit: Sendable {
  let api: Understudy
  let limit: Duration
  let location: SourceLocation

  /// 30 s.
  static let usual: Duration = .seconds(30)
  private static let ticks = 10
  /// A tick that is later does not count.
  private static let delay: Duration = .milliseconds(250)
  /// The limits until the process ends: nothing can end a test whose client never calls back.
  private static let lastLimit = 5

  /// Watches until it is cancelled.
  func watch() async {
    var (idle, last, limits) = (0, api.session.progress, 0)
    while !Task.isCancelled {
      let next = ContinuousClock.now + limit / Self.ticks
      try? await Task.sleep(until: next)
      let count = api.session.progress
      guard count == last && !api.session.isSweeping || limits > 0 else {
        (idle, last) = (0, count)
        continue
      }
      guard ContinuousClock.now - next < Self.delay else { continue }
      idle += 1
      guard idle.isMultiple(of: Self.ticks), !Task.isCancelled else { continue }
      limits += 1
      if limits == 1 {
        report()
        await api.disconnect()
      } else if limits == Self.lastLimit {
        end()
      }
    }
  }

  private func report() {
    guard !api.session.isAllowed(AllowableRules.limit) else { return }
    let waiting = api.session.waiting.map { "\($0.method) \($0.path) (\($0.operation ?? "no operation"))" }
    let what =
      waiting.isEmpty
      ? "no request waits for its answer: the client may never have called back"
      : "\(waiting.joined(separator: ", ")) \(waiting.count == 1 ? "waits for its answer" : "wait for their answers")"
    api.session.issues.report(
      "nothing has happened for \(ScenarioDuration.text(limit)): \(what) [\(AllowableRules.limit)]\n"
        + "  help: the connections are closed now; a continuation must be resumed on every path, and "
        + "`.understudy(...).limit(.seconds(90))` allows more time", at: location)
  }

  /// Ends the process, which would otherwise wait forever.
  private func end() {
    let text = """
      error: \(location.fileID):\(location.line): the test still waits after its connections were closed; nothing can end it
        help: its client awaits a callback that never comes: resume the continuation when the connection is lost

      """
    _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(EXIT_FAILURE)
  }
}
