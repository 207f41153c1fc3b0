import Foundation

/// Runs a client in lanes of its own.
struct SweepDriver<Value: Sendable>: Sendable {
  /// The lane that is swept.
  let lane: Lane
  let limit: Duration
  let client: @Sendable (Lane) async throws -> Value

  /// How long a run may take whose answers give it no reason to hang.
  private static var patience: Duration { .seconds(30) }
  /// How long a client is held before it is cancelled, so that it comes to wait for an answer. On Linux a task that is
  /// cancelled while its answer arrives can block URLSession for good (swift-corelibs-foundation, issue 5412).
  private static var rest: Duration { .milliseconds(500) }

  /// The variants of what the client calls with default responses.
  func variants(of operations: [String], _ seed: String, by admin: AdminClient) async throws -> [SweepVariant] {
    let run = try await open(nil, admin)
    let outcome = await outcome(in: run, within: max(limit, Self.patience), admin)
    var variants: [SweepVariant] = []
    guard case .returned = outcome else {
      try await close(run, admin)
      throw UnderstudyError(.misused, "a sweep needs a client that works with default responses, but it \(outcome)")
    }
    let query = [(name: "lane", value: run.name), ("limit", "10000")]
    let list = try await admin.send("GET", "requests", query: query)["requests"]?.array ?? []
    var known: Set<String> = []
    // The newest is the first.
    for request in list.reversed() {
      guard let operation = request["operation"]?.string, let id = request["id"]?.int,
        operations.isEmpty || operations.contains(operation), known.insert(operation).inserted
      else { continue }
      let answer = try await admin.send("GET", "requests/\(id)/variants", query: [("seed", seed)])
      variants += (answer["variants"]?.array ?? []).compactMap(SweepVariant.init)
    }
    try await close(run, admin)
    guard !variants.isEmpty else {
      throw UnderstudyError(
        .misused, "the client called no operation that the sweep could vary",
        help: "the closure gets a lane: its `baseURL` must be that of the client")
    }
    return variants
  }

  /// What the client does with a variant.
  func row(of variant: SweepVariant, by admin: AdminClient) async throws -> Sweep.Row {
    let run = try await open(variant, admin)
    let outcome = await outcome(in: run, within: limit, admin)
    let calls = try await run.calls()
    try await close(run, admin)
    let names = calls.map { $0.operation ?? "\($0.method) \($0.path)" }
    let after = names.firstIndex(of: variant.operation).map { names[($0 + 1)...] } ?? []
    let violations = zip(names, calls).flatMap { name, call in
      call.findings.filter(\.isError).map { "\(name): \($0)" }
    }
    return Sweep.Row(
      operation: variant.operation, variant: variant.name, kind: variant.kind, status: variant.status, outcome: outcome,
      next: Self.counted(Array(after)), requestsAfter: after.count, violations: Self.unique(violations),
      isUnusable: variant.isUnusable)
  }

  /// A lane as that of the test, with its replies, and with the answer of the variant.
  private func open(_ variant: SweepVariant?, _ admin: AdminClient) async throws -> Lane {
    let run = try await Lane.open(lane.settings.forRun, on: lane.mock, issues: IssueLog(.thrown))
    let given = lane.notes.withLock(\.replies)
    var bodies = given.map(\.body)
    if let variant {
      let answer = JSONValue.object(variant.reply.merging(["operation": .string(variant.operation)]) { _, new in new })
      if variant.keepsAnswer {
        // Late or broken on the way, but the answer that the test chose. The last one takes precedence.
        bodies = [answer] + given.map { $0.operation == variant.operation ? $0.changed(by: variant.reply) : $0.body }
      } else {
        bodies.append(answer)
      }
    }
    for body in bodies { _ = try await admin.send("POST", "\(run.path)/replies", body: body) }
    return run
  }

  private func close(_ run: Lane, _ admin: AdminClient) async throws {
    run.notes.withLock { $0.isClosed = true }
    _ = try await admin.send("DELETE", run.path)
  }

  /// How the client ends; after the limit its requests hang, and it is cancelled.
  private func outcome(in run: Lane, within limit: Duration, _ admin: AdminClient) async -> Sweep.Row.Outcome {
    let first = FirstResult<Sweep.Row.Outcome>()
    let task = Task {
      do {
        let value = try await client(run)
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
    _ = try? await admin.send("DELETE", "\(run.path)/replies")
    _ = try? await admin.send("PATCH", run.path, body: ["fault": ["everything=hang"]])
    try? await Task.sleep(for: Self.rest)
    task.cancel()
    return .hung
  }

  /// `refreshToken`, `readUser x3`
  private static func counted(_ names: [String]) -> [String] {
    var runs: [(name: String, count: Int)] = []
    for name in names {
      if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
    }
    return runs.map { $0.count == 1 ? $0.name : "\($0.name) x\($0.count)" }
  }

  private static func unique(_ texts: [String]) -> [String] {
    var known: Set<String> = []
    return texts.filter { known.insert($0).inserted }
  }
}
