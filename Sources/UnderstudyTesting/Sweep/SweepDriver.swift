import Synchronization
import Understudy

/// Runs a client once for each answer that it can get.
struct SweepDriver<Value> {
  let session: Session
  /// The longest run.
  let limit: Duration
  let seed: String
  let client: @Sendable () async throws -> Value

  /// - Parameter operations: The ids of the operations whose answers vary; all that the client calls if there are none.
  func run(_ operations: [String], at location: SourceLocation) async throws -> Sweep {
    for id in operations where session.operation(id, at: location) == nil { throw UnderstudyError.reported }
    defer { session.begin(nil) }
    let usual = SweepRun()
    session.begin(usual)
    let outcome = await outcome()
    guard case .returned = outcome else {
      throw session.issues.failure(
        "a sweep needs a client that works with usual answers, but it \(outcome)", at: location)
    }
    let touched = usual.touched.filter { operations.isEmpty || operations.contains($0.operation.id) }
    guard !touched.isEmpty else {
      throw session.issues.failure("the client called no operation that the sweep could vary", at: location)
    }
    var rows: [SweepRow] = []
    for (operation, reply) in touched {
      for variant in SweepPlan(operation, usual: reply, seed: seed).variants {
        let run = SweepRun(variant)
        session.begin(run)
        rows.append(SweepRow(run, variant, await self.outcome()))
      }
    }
    return Sweep(rows, issues: session.issues)
  }

  /// Runs the client until its limit.
  private func outcome() async -> SweepRow.Outcome {
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
