import UnderstudyMock
package import UnderstudyReport
import UnderstudySystem

/// The client of a sweep, and the time that a run of it has.
package struct SweptClient<Value>: Sendable {
  let limit: Duration
  let run: @Sendable () async throws -> Value

  package init(limit: Duration, run: @escaping @Sendable () async throws -> Value) {
    self.limit = limit
    self.run = run
  }

  /// How long a held client may need for its last answer before it counts as one that sends nothing.
  private static var restLimit: Duration { .seconds(1) }

  /// How long a client that sends nothing is left alone before it is cancelled.
  private static var graceOfSilent: Duration { .seconds(10) }

  /// The client with at least 30 s, for a run whose answers give it no reason to hang.
  var patient: SweptClient { SweptClient(limit: max(limit, .seconds(30)), run: run) }

  /// How the client ends in a run; after the limit it is cancelled.
  package func outcome(in sweepRun: SweepRun) async -> SweepRow.Outcome {
    let first = FirstOutcome()
    return await withCheckedContinuation { continuation in
      first.wait(continuation)
      let task = Task {
        do {
          let value = try await run()
          first.settle(.returned(value is Void ? "" : String(describing: value)))
        } catch {
          first.settle(.threw(String(describing: error)))
        }
      }
      let timer = Task {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        let waits = await Self.rest(sweepRun.hold())
        first.settle(.hung)
        if !waits { try? await Task.sleep(for: Self.graceOfSilent) }
        task.cancel()
      }
      Task {
        await task.value
        timer.cancel()
      }
    }
  }

  /// Whether the client comes to wait for an answer; `false` when it sends nothing.
  ///
  /// On Linux a task that is cancelled while its answer arrives can block URLSession for good
  /// (swift-corelibs-foundation, issue 5412).
  private static func rest(_ waiting: AsyncStream<Void>) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await _ in waiting { return true }
        return false
      }
      group.addTask {
        try? await Task.sleep(for: restLimit)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}

/// The end of a client or its time limit, whichever is first.
private final class FirstOutcome: Sendable {
  private let continuation = Lock<CheckedContinuation<SweepRow.Outcome, Never>?>(nil)

  func wait(_ continuation: CheckedContinuation<SweepRow.Outcome, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  func settle(_ outcome: SweepRow.Outcome) { continuation.withLock { $0.take() }?.resume(returning: outcome) }
}
