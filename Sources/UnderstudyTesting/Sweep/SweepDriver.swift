import Understudy

#if canImport(Darwin)
private let fatalVariants: Set<String> = []
#else
/// What ends every process with a `URLSession`: FoundationNetworking stops with "Transfer completed, but there's no
/// response" when a connection closes within the head.
private let fatalVariants: Set = ["close head"]
#endif

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
    let variants = try await variants(operations, at: location)
    if let processes {
      if let child = SweepProcess.current { await child.run(in: self, variants) }
      return Sweep(try await processes.outcomes(of: variants, at: location), of: session)
    }
    var outcomes: [SweepOutcome] = []
    for variant in variants { outcomes.append(await outcome(of: variant)) }
    return Sweep(outcomes, of: session)
  }

  private func processes(at location: SourceLocation) throws -> SweepProcesses {
    guard let test = SweptTest.current else {
      throw session.issues.failure(
        "a sweep in child processes runs its test again in each of them, so it needs the task of a test of Swift Testing",
        at: location)
    }
    // A child has one sweep: a filter selects only the function, so its other cases end here.
    if let child = SweepProcess.current, !child.test.utf8Equals(test.name) { throw UnderstudyError.reported }
    return SweepProcesses(session: session, test: test, limit: client.limit)
  }

  /// The variants of what the client calls with usual answers.
  private func variants(_ operations: [String], at location: SourceLocation) async throws -> [SweepVariant] {
    let usual = SweepRun()
    session.begin(usual)
    let outcome = await client.patient.outcome(in: usual)
    guard case .returned = outcome else {
      throw session.issues.failure(
        "a sweep needs a client that works with usual answers, but it \(outcome)", at: location)
    }
    let touched = usual.touched.filter { operations.isEmpty || operations.contains($0.operation.id) }
    guard !touched.isEmpty else {
      throw session.issues.failure("the client called no operation that the sweep could vary", at: location)
    }
    return touched.flatMap { SweepPlan($0.operation, usual: $0.reply, seed: seed).variants }
      .filter { !fatalVariants.contains($0.name) }
  }

  /// - Parameter onRequest: Gets each request before it is answered.
  func outcome(
    of variant: SweepVariant, onRequest: (@Sendable (SweepRun.Request) -> Void)? = nil
  ) async -> SweepOutcome {
    let run = SweepRun(variant, onRequest: onRequest)
    session.begin(run)
    let outcome = await client.outcome(in: run)
    return SweepOutcome(variant, outcome, run.exchanges(in: session.mock))
  }
}
