import Synchronization
import Understudy

extension Understudy {
  /// Runs a client once for each answer that it can get: every documented status of every operation that it calls, then
  /// hostile variants of the usual answers.
  ///
  /// Its first run, with usual answers, finds the operations; `reply(to:)` before it chooses other usual ones. The requests of a sweep are not those of the test: they are
  /// neither in `calls` nor in the verdict.
  ///
  /// ```swift
  /// let sweep = try await api.sweep { try await client.profile() }
  /// sweep.expect(.noHang, .throwsFor(500...599))
  /// ```
  ///
  /// - Parameters:
  ///   - operations: The ids of the operations whose answers vary; all that the client calls without it.
  ///   - limit: The longest run; after it the client counts as hung, and its task is cancelled.
  ///   - seed: Selects the members where a body has more than a run changes.
  ///   - client: Calls the client; what it returns is shown in the table.
  /// - Throws: When the client fails with usual answers, or calls no operation.
  public func sweep<Value>(
    _ operations: String..., within limit: Duration = .seconds(5), seed: String = "0",
    sourceLocation: SourceLocation = #_sourceLocation, client: @escaping @Sendable () async throws -> Value
  ) async throws -> Sweep {
    for id in operations where session.operation(id, at: sourceLocation) == nil { throw UnderstudyError.reported }
    defer { session.begin(nil) }
    let usual = SweepRun()
    session.begin(usual)
    let outcome = await Self.outcome(within: limit, of: client)
    guard case .returned = outcome else {
      throw session.issues.failure(
        "a sweep needs a client that works with usual answers, but it \(outcome)", at: sourceLocation)
    }
    let touched = usual.touched.filter { operations.isEmpty || operations.contains($0.operation.id) }
    guard !touched.isEmpty else {
      throw session.issues.failure("the client called no operation that the sweep could vary", at: sourceLocation)
    }
    var rows: [SweepRow] = []
    for (operation, reply) in touched {
      for variant in SweepPlan(operation, usual: reply, seed: seed).variants {
        let run = SweepRun(variant)
        session.begin(run)
        rows.append(SweepRow(run, variant, await Self.outcome(within: limit, of: client)))
      }
    }
    return Sweep(rows, issues: session.issues)
  }

  /// Runs a client for at most a time.
  private static func outcome<Value>(
    within limit: Duration, of client: @escaping @Sendable () async throws -> Value
  ) async -> SweepRow.Outcome {
    let first = FirstOutcome()
    return await withCheckedContinuation { continuation in
      first.wait(continuation)
      let task = Task {
        do {
          let value = try await client()
          first.settle(.returned(value is Void ? "" : String(describing: value)))
        } catch {
          first.settle(.threw(String(describing: error)))
        }
      }
      let timer = Task {
        try? await Task.sleep(for: limit)
        first.settle(.hung)
        task.cancel()
      }
      Task {
        await task.value
        timer.cancel()
      }
    }
  }
}

/// The end of a client or its time limit, whichever is first.
private final class FirstOutcome: Sendable {
  private let continuation = Mutex<CheckedContinuation<SweepRow.Outcome, Never>?>(nil)

  func wait(_ continuation: CheckedContinuation<SweepRow.Outcome, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  func settle(_ outcome: SweepRow.Outcome) { continuation.withLock { $0.take() }?.resume(returning: outcome) }
}
