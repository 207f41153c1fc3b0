import Synchronization
package import Understudy

/// The client of a sweep, and the time that a run of it has.
package struct SweptClient<Value>: Sendable {
  let limit: Duration
  let run: @Sendable () async throws -> Value

  package init(limit: Duration, run: @escaping @Sendable () async throws -> Value) {
    self.limit = limit
    self.run = run
  }

  /// The longest wait until the client waits, before it is cancelled.
  private static var restLimit: Duration { .milliseconds(500) }

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
        await Self.rest(sweepRun.hold())
        first.settle(.hung)
        task.cancel()
      }
      Task {
        await task.value
        timer.cancel()
      }
    }
  }

  /// Waits until the client waits for an answer, or a moment where it sends nothing.
  ///
  /// On Linux a task that is cancelled while its answer arrives can block URLSession for good
  /// (swift-corelibs-foundation, issue 5412).
  private static func rest(_ waiting: AsyncStream<Void>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in waiting { return } }
      group.addTask { try? await Task.sleep(for: restLimit) }
      await group.next()
      group.cancelAll()
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
