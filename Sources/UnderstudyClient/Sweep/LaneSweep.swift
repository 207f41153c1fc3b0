import Foundation

extension Lane {
  /// Runs a client once for each response that it can get: every documented status of every operation that it calls, then
  /// hostile variants of the default responses, and of the events of its sockets.
  ///
  /// Each run has a lane of its own, which begins as this one stands, with its replies. Its requests are neither in the calls
  /// nor in the verdict of this lane. The first run, with default responses, finds the operations. A run that hangs is
  /// repeated once.
  ///
  /// ```swift
  /// let sweep = try await lane.sweep { lane in try await Client(baseURL: lane.baseURL).profile() }
  /// try sweep.expect(.noHang, .throwsFor(500...599))
  /// ```
  ///
  /// - Parameters:
  ///   - operations: The ids of the operations whose responses vary; all that the client calls without it.
  ///   - limit: The time limit for a run, the first one excepted; after it the client counts as hung, and its task is cancelled.
  ///   - seed: Selects the members where a body has more than a run changes.
  ///   - sourceLocation: The line of the test, for failures.
  ///   - client: Calls the client at the address of a run's lane; what it returns is shown in the table.
  /// - Throws: When the client fails with default responses, or calls no operation.
  public func sweep<Value: Sendable>(
    _ operations: String..., within limit: Duration = .seconds(5), seed: String = "0",
    sourceLocation: SourceLocation = #_sourceLocation,
    client: @escaping @Sendable (Lane) async throws -> Value
  ) async throws -> Sweep {
    let client = SweptClient(within: limit, client)
    return try await sweep(operations, seed: seed, client, at: sourceLocation) { lane, _ in
      await client.outcome(in: lane)
    }
  }

  /// - Parameters:
  ///   - jobs: The number of runs at the same time.
  ///   - isProtected: Whether each run has a process of its own, so that variants which end it are not left out.
  ///   - run: Runs the client with a variant in a lane.
  package func sweep<Value: Sendable>(
    _ operations: [String], seed: String, jobs: Int = 1, isProtected: Bool = false, _ client: SweptClient<Value>,
    at sourceLocation: SourceLocation, run: @escaping @Sendable (Lane, SweepVariant) async throws -> Sweep.Row.Outcome
  ) async throws -> Sweep {
    for operation in operations { try await require(operation, at: sourceLocation) }
    let allowed = notes.withLock(\.allowed)
    let issues = issues
    return try await ask("sweep", at: sourceLocation, needing: "variants") { lane, admin in
      let start = (Date(), ContinuousClock.now)
      let usual = try await SweepRun(of: lane, by: admin)
      do {
        let outcome = await client.patient.outcome(in: usual.lane)
        guard case .returned = outcome else {
          throw UnderstudyError(
            .misused, "a sweep needs a client that works with default responses, but it \(outcome.text)")
        }
        var plan = try await SweepPlan(of: usual.lane, operations, seed, by: admin)
        if !isProtected { plan.variants.removeAll(where: \.endsProcess) }
        let ended = try await plan.ended(jobs: jobs) { variant in
          try await SweepRun.ended(variant, after: usual.lane, by: admin, run)
        }
        let unused = Verdict(try await usual.close(by: admin)).unusedReplies.map(\.number)
        // Its replies have met the requests of the runs.
        lane.notes.withLock { notes in
          for index in notes.replies.indices where !unused.contains(notes.replies[index].number) {
            notes.replies[index].isMet = true
          }
        }
        let sweep = Sweep(
          ended.map { Sweep.Row($0.variant, $0.outcome, $0.report, allowing: allowed) }, plan.kinds, issues,
          Sweep.Record(
            seed: seed, startedAt: start.0, duration: .now - start.1, location: sourceLocation,
            cells: ended.flatMap { $0.report["cells"]?.array ?? [] }, mock: lane.mock))
        try await lane.mock.transport.note(sweep)
        return sweep
      } catch {
        _ = try? await usual.close(by: admin)
        throw error
      }
    }
  }
}

/// A lane in which a sweep runs its client.
struct SweepRun: Sendable {
  let lane: Lane

  /// Opens a lane that begins as another one began, with a variant of what its client called.
  init(of other: Lane, _ variant: SweepVariant? = nil, by admin: AdminClient) async throws {
    var body: [String: JSONValue] = [:]
    body["variant"] = variant.map { .string($0.fullName) }
    let answer = try await admin.send("POST", "\(other.path)/runs", body: .object(body))
    lane = try Lane(answer, other.settings, on: other.mock, issues: IssueLog(.thrown))
  }

  /// Closes the lane. Returns its verdict, with the member `run` about what its client sent.
  @discardableResult
  func close(by admin: AdminClient) async throws -> JSONValue {
    lane.notes.withLock { $0.isClosed = true }
    return try await admin.send("DELETE", lane.path)
  }

  /// A run that has ended.
  struct Ended: Sendable {
    let variant: SweepVariant
    let outcome: Sweep.Row.Outcome
    let report: JSONValue
  }

  static func ended(
    _ variant: SweepVariant, after usual: Lane, by admin: AdminClient,
    _ client: (Lane, SweepVariant) async throws -> Sweep.Row.Outcome
  ) async throws -> Ended {
    let run = try await SweepRun(of: usual, variant, by: admin)
    do {
      let outcome = try await client(run.lane, variant)
      return Ended(variant: variant, outcome: outcome, report: try await run.close(by: admin)["run"] ?? .null)
    } catch {
      _ = try? await run.close(by: admin)
      throw error
    }
  }
}

/// The variants that a mock serves to the runs of a sweep.
struct SweepPlan: Sendable {
  var variants: [SweepVariant]
  /// The kinds that a sweep can have.
  let kinds: [String]

  /// - Parameter usual: The lane of the run with default responses.
  init(of usual: Lane, _ operations: [String], _ seed: String, by admin: AdminClient) async throws {
    let query = operations.map { (name: "operation", value: $0) } + [("seed", seed)]
    let answer = try await admin.send("GET", "\(usual.path)/variants", query: query)
    variants = (answer["variants"]?.array ?? []).compactMap(SweepVariant.init)
    kinds = (answer["kinds"]?.array ?? []).compactMap(\.string)
    guard !variants.isEmpty else {
      throw UnderstudyError(
        .misused, "the client called no operation that the sweep could vary",
        help: "the closure gets a lane: make the client with the `baseURL` of that lane")
    }
  }

  /// Runs the client with each variant, in their order. A run that hung is repeated alone: other tests of the process may
  /// have slowed it down.
  func ended(
    jobs: Int, run: @escaping @Sendable (SweepVariant) async throws -> SweepRun.Ended
  ) async throws -> [SweepRun.Ended] {
    var ended = try await withThrowingTaskGroup(of: (Int, SweepRun.Ended).self) { group in
      var ended: [SweepRun.Ended?] = Array(repeating: nil, count: variants.count)
      var rest = variants.enumerated().makeIterator()
      func start() {
        guard let (position, variant) = rest.next() else { return }
        group.addTask { (position, try await run(variant)) }
      }
      for _ in 0..<jobs { start() }
      while let (position, run) = try await group.next() {
        ended[position] = run
        start()
      }
      return ended.compactMap { $0 }
    }
    for index in ended.indices where ended[index].outcome == .hung {
      ended[index] = try await run(ended[index].variant)
    }
    return ended
  }
}

/// One response or event of a sweep, as the mock makes it.
package struct SweepVariant: Sendable {
  let operation: String
  /// `required-null /nick`
  package let name: String
  let kind: Sweep.Kind
  let status: Int?
  let isUnusable: Bool
  private let closesInHead: Bool

  init?(_ value: JSONValue) {
    guard let operation = value["operation"]?.string, let name = value["name"]?.string,
      let kind = value["kind"]?.string
    else { return nil }
    (self.operation, self.name) = (operation, name)
    self.kind = Sweep.Kind(stringLiteral: kind)
    status = value["status"]?.int
    isUnusable = value["isUnusable"]?.bool ?? false
    closesInHead = value["closesInHead"]?.bool ?? false
  }

  /// `readUser required-null /nick`
  package var fullName: String { "\(operation) \(name)" }

  /// Whether it ends every process with a `URLSession`: on Linux, FoundationNetworking stops with a fatal error when a
  /// connection closes within the head.
  package var endsProcess: Bool {
    #if canImport(FoundationNetworking)
    closesInHead
    #else
    false
    #endif
  }
}
