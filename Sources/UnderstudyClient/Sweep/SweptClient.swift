/// The client of a sweep, and the time limit for each of its runs.
package struct SweptClient<Value: Sendable>: Sendable {
  let limit: Duration
  let run: @Sendable (Lane) async throws -> Value

  package init(within limit: Duration, _ run: @escaping @Sendable (Lane) async throws -> Value) {
    (self.limit, self.run) = (limit, run)
  }

  /// The client with at least 30 s, for a run whose responses give it no reason to hang.
  var patient: SweptClient { SweptClient(within: max(limit, .seconds(30)), run) }

  /// The time for which a client is held before it is cancelled, so that it comes to wait for a response. On Linux a task that is
  /// cancelled while its response arrives can block URLSession for good (swift-corelibs-foundation, issue 5412).
  private static var rest: Duration { .milliseconds(500) }

  /// Runs the client in a lane, which is the current one meanwhile. After the limit its requests hang, and it is cancelled.
  package func outcome(in lane: Lane) async -> Sweep.Row.Outcome {
    let first = FirstResult<Sweep.Row.Outcome>()
    let task = Task {
      do {
        let value = try await Lane.$scoped.withValue(lane) { try await run(lane) }
        first.settle(.success(.returned(value is Void ? "" : String(describing: value))))
      } catch {
        first.settle(.success(.threw(String(describing: error))))
      }
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      first.settle(.success(.hung))
    }
    defer { timer.cancel() }
    let outcome = (try? await withCheckedThrowingContinuation { first.wait($0) }) ?? .hung
    guard outcome == .hung else { return outcome }
    let admin = AdminClient(mock: lane.mock)
    _ = try? await admin.send("DELETE", "\(lane.path)/replies")
    _ = try? await admin.send("PATCH", lane.path, body: ["fault": ["everything=hang"]])
    try? await Task.sleep(for: Self.rest)
    task.cancel()
    return .hung
  }
}
