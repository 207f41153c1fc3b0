import UnderstudyMock
import UnderstudyReport

/// Runs each variant of a sweep in a child process, several at a time.
struct SweepProcesses: Sendable {
  let session: Session
  let test: SweptTest
  /// The longest run of the client.
  let limit: Duration

  private static let jobs = 4
  /// The longest file of results, in bytes: requests are counted up to a limit.
  private static let resultLimit = 4 << 20
  /// How long a process may need before and after the run.
  private static let patience: Duration = .seconds(60)

  /// Runs the client with each variant. A run that hung beside others is repeated alone.
  ///
  /// - Returns: The outcomes in the order of the variants.
  func outcomes(of variants: [SweepVariant], at location: SourceLocation) async throws -> [SweepOutcome] {
    try await HungRuns.confirmed(try await outcomesBesideOthers(of: variants, at: location)) {
      $0.row.outcome == .hung
    } again: { hung in
      guard let variant = variants.first(where: { $0.fullName == hung.row.name }) else { return nil }
      return try await outcome(of: variant, at: location)
    }
  }

  private func outcomesBesideOthers(
    of variants: [SweepVariant], at location: SourceLocation
  ) async throws -> [SweepOutcome] {
    try await withThrowingTaskGroup(of: (Int, SweepOutcome).self) { group in
      var outcomes: [SweepOutcome?] = Array(repeating: nil, count: variants.count)
      var rest = variants.enumerated().makeIterator()
      func start() {
        guard let (position, variant) = rest.next() else { return }
        group.addTask { (position, try await outcome(of: variant, at: location)) }
      }
      for _ in 0..<Self.jobs { start() }
      while let (position, outcome) = try await group.next() {
        outcomes[position] = outcome
        start()
      }
      return outcomes.compactMap(\.self)
    }
  }

  private func outcome(of variant: SweepVariant, at location: SourceLocation) async throws -> SweepOutcome {
    do {
      let file = try TemporaryOutput(isNamed: true)
      defer { file.close() }
      let child = SweepProcess(path: file.path ?? "", test: test.name, variant: variant.fullName)
      var process = CapturedProcess(test.command, variables: child.variables, limit: limit + Self.patience)
      // A signal from a terminal ends the children as well.
      process.ownsGroup = false
      let end = try await process.run()
      let events = file.text(limit: Self.resultLimit).split(separator: "\n" as Character).compactMap {
        SweepEvent(line: $0)
      }
      guard events.first == .begun else {
        throw session.issues.failure(
          "a child process did not come to this sweep: it ran \(test.command.joined(separator: " ")), \(end.outcome)",
          at: location)
      }
      return SweepOutcome(
        variant, Self.outcome(of: end, events),
        events.compactMap { if case .sent(let exchange) = $0 { exchange } else { nil } })
    } catch let failure as CapturedProcess.StartFailure {
      throw session.issues.failure(failure.description, at: location)
    }
  }

  private static func outcome(of end: CapturedProcess.End, _ events: [SweepEvent]) -> SweepRow.Outcome {
    if case .ended(let outcome)? = events.last { return outcome }
    switch end.outcome {
    case .exited(let code, let line): return .crashed(signal: "exit \(code)", line)
    case let outcome: return outcome
    }
  }
}
