import UnderstudyMock
import UnderstudyReport

/// Runs a client once for each answer that it can get.
struct SweepDriver<Value> {
  let session: Session
  let client: SweptClient<Value>
  let seed: String

  /// - Parameters:
  ///   - operations: The ids of the operations whose answers vary; all that the client calls if there are none.
  ///   - inChildProcesses: Whether each variant has a process of its own.
  func run(_ operations: [String], inChildProcesses: Bool, at location: SourceLocation) async throws -> Sweep {
    for id in operations where session.operation(id, at: location) == nil { throw UnderstudyError.reported }
    defer { session.begin(nil) }
    let processes = inChildProcesses ? try processes(at: location) : nil
    var run = Report.Run(
      "sweep", contracts: session.mock.contracts.map(Self.file),
      target: "\(location.fileID):\(location.line)", startedAt: Timestamp.now())
    let start = ContinuousClock.now
    let variants = try await variants(operations, at: location)
    let outcomes: [SweepOutcome]
    if let processes {
      if let child = SweepProcess.current { await child.run(in: self, variants) }
      outcomes = try await processes.outcomes(of: variants, at: location)
    } else {
      outcomes = try await self.outcomes(of: variants.filter { !FoundationNetworkingCrash.isCaused(by: $0.name) })
    }
    run.seed = seed
    run.duration = ContinuousClock.now - start
    let sweep = Sweep(outcomes, of: session, run)
    CoverageFolder.current?.write(sweep, of: session, at: location)
    return sweep
  }

  /// The file of a contract below the working folder, as the command names it.
  private static func file(of contract: Contract) -> Report.ContractFile {
    var file = Report.ContractFile(contract)
    file.path = RepositoryPaths(workingFolder: FileSystem.workingFolder, root: FileSystem.workingFolder).path(file.path)
    return file
  }

  /// Runs the client with each variant, one after the other. A run that hung is repeated: other tests of the process may
  /// have slowed it down.
  private func outcomes(of variants: [SweepVariant]) async throws -> [SweepOutcome] {
    var outcomes: [SweepOutcome] = []
    for variant in variants { outcomes.append(await outcome(of: variant)) }
    return try await HungRuns.confirmed(outcomes) {
      $0.row.outcome == .hung
    } again: { hung in
      guard let variant = variants.first(where: { $0.fullName == hung.row.name }) else { return nil }
      return await outcome(of: variant)
    }
  }

  private func processes(at location: SourceLocation) throws -> SweepProcesses {
    guard let test = SweptTest.current else {
      throw session.issues.failure(
        "a sweep in child processes runs its test again in each of them, so it needs the task of a test of Swift Testing",
        at: location)
    }
    guard SweptTest.canRunAgain() else {
      throw session.issues.failure(
        "a sweep in child processes needs `swift test`: Xcode does not say how to run one test in another process",
        at: location)
    }
    // A child has one sweep: a filter selects only the function, so its other cases end here.
    if let child = SweepProcess.current, !child.test.utf8Equals(test.name) { throw UnderstudyError.reported }
    return SweepProcesses(session: session, test: test, limit: client.limit)
  }

  /// The variants of what the client calls with default responses.
  private func variants(_ operations: [String], at location: SourceLocation) async throws -> [SweepVariant] {
    let usual = SweepRun()
    session.begin(usual)
    let outcome = await client.patient.outcome(in: usual)
    guard case .returned = outcome else {
      throw session.issues.failure(
        "a sweep needs a client that works with default responses, but it \(outcome)", at: location)
    }
    let touched = usual.touched.filter { operations.isEmpty || operations.contains($0.operation.id) }
    let events = operations.isEmpty ? EventPlan(session.mock, usual: usual).variants : []
    guard !touched.isEmpty || !events.isEmpty else {
      throw session.issues.failure("the client called no operation that the sweep could vary", at: location)
    }
    let answers = touched.flatMap {
      SweepPlan($0.operation, usual: $0.reply, seed: seed, sockets: session.mock.sockets).variants
    }
    return answers + events
  }

  /// - Parameter onExchange: Gets each request before it is answered, and the event of the variant.
  func outcome(
    of variant: SweepVariant, onExchange: (@Sendable (SweptRequest) -> Void)? = nil
  ) async -> SweepOutcome {
    let mock = session.mock
    let run = SweepRun(variant, onRequest: { onExchange?(SweptRequest($0, in: mock)) }, onEvent: onExchange)
    session.begin(run)
    let outcome = await client.outcome(in: run)
    return SweepOutcome(variant, outcome, run.exchanges(in: session.mock))
  }
}
