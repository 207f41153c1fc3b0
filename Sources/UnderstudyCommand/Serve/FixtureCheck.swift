import UnderstudyMock
import UnderstudySystem
import UnderstudyVerification

/// Validates the fixtures of a running mock in the background, and prints the errors.
final class FixtureCheck: Sendable {
  private let lines: LineQueue
  private let style: TerminalStyle
  private let showsAll: Bool
  private let deduplicator = DiagnosticDeduplicator()
  private let task = Lock<Task<Void, Never>?>(nil)
  private let broken: BrokenFixtures

  /// The most findings that are printed; `verify` prints all.
  private static let limit = 20

  /// - Parameters:
  ///   - showsAll: Whether warnings and notes are printed as well.
  ///   - broken: Gets the fixtures with errors.
  init(_ lines: LineQueue, style: TerminalStyle, showsAll: Bool, broken: BrokenFixtures) {
    self.lines = lines
    self.broken = broken
    self.style = style
    self.showsAll = showsAll
  }

  /// Checks the fixtures of a mock, after the check of an earlier one has ended.
  func start(_ mock: Mock) {
    task.withLock { task in
      let earlier = task
      earlier?.cancel()
      task = Task.detached(priority: .background) { [self] in
        await earlier?.value
        await check(mock)
      }
    }
  }

  /// Ends the check without a result.
  func stop() async {
    let last = task.withLock { $0 }
    last?.cancel()
    await last?.value
  }

  private func check(_ mock: Mock) async {
    let found = await Self.findings(of: mock)
    // An incomplete check would count the other findings as fixed.
    guard !Task.isCancelled else { return }
    broken.use(found)
    report(found.flatMap(\.findings).filter { showsAll || $0.severity == .error })
  }

  /// What is wrong with the fixtures of a mock; incomplete if the task is cancelled.
  static func findings(of mock: Mock) async -> [FixtureFindings] {
    var found: [FixtureFindings] = []
    for contract in mock.contracts { found += await contract.validateFixtures(mock.options.rules) }
    return found
  }

  private func report(_ findings: [Diagnostic]) {
    let (new, remaining) = deduplicator.update(findings)
    let printer = DiagnosticPrinter(style: style)
    for finding in new.prefix(Self.limit) { lines.notify(printer.text(finding)) }
    if new.count > Self.limit {
      let rest = (new.count - Self.limit).counted("more finding")
      lines.notify("\(rest) about fixtures: `understudy verify` lists them\n")
    }
    if remaining > 0 {
      let verb = remaining == 1 ? "remains" : "remain"
      lines.notify("\(remaining.counted("earlier finding")) about fixtures \(verb)\n")
    }
  }
}
