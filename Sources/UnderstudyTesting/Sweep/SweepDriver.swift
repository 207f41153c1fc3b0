import Understudy

/// Runs a client once for each answer that it can get.
struct SweepDriver<Value> {
  let session: Session
  let client: SweptClient<Value>
  let seed: String

  /// - Parameter operations: The ids of the operations whose answers vary; all that the client calls if there are none.
  func run(_ operations: [String], at location: SourceLocation) async throws -> Sweep {
    for id in operations where session.operation(id, at: location) == nil { throw UnderstudyError.reported }
    defer { session.begin(nil) }
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
    var rows: [SweepRow] = []
    for (operation, reply) in touched {
      for variant in SweepPlan(operation, usual: reply, seed: seed).variants {
        let run = SweepRun(variant)
        session.begin(run)
        rows.append(SweepRow(run, variant, await client.outcome(in: run)))
      }
    }
    return Sweep(rows, issues: session.issues)
  }
}
