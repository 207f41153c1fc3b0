import UnderstudyVerification

/// The runs of a sweep as cases of a report.
struct SweepCases {
  private let operations: [CompiledOperation]
  private let expectations: SweepExpectations

  init(_ operations: [CompiledOperation], _ expectations: SweepExpectations) {
    self.operations = operations
    self.expectations = expectations
  }

  /// What the requests of the run with usual answers break, a case for each operation.
  func cases(of violations: [SweepViolation]) -> [Report.Case] {
    violations.grouped(by: \.cell).map { request, own in
      Report.Case(subject(request), "usual answers", checked: own.count, reporting: own.map(\.evidence))
    }
  }

  func cases(of runs: [CommandRun]) -> [Report.Case] {
    runs.map { run in
      let row = run.row
      var subject = subject(row.operation)
      subject.status = row.kind == .status ? row.variant.split(separator: " ").dropFirst().first.map(String.init) : nil
      guard row.wasMet else {
        return Report.Case(
          subject, row.variant, outcome: .skipped("the command did not call \(row.operation) in this run"),
          duration: run.duration)
      }
      var item = Report.Case(subject, row.variant, checked: 1, reporting: findings(about: run))
      item.duration = run.duration
      return item
    }
  }

  private func subject(_ name: String) -> Report.Subject {
    let operation = operations.first { $0.id.utf8Equals(name) }
    return Report.Subject(
      contract: (operation ?? operations.first)?.api.name ?? "", operation: operation == nil ? nil : name,
      method: operation?.operation.method, path: operation?.operation.path)
  }

  private func findings(about run: CommandRun) -> [Diagnostic] {
    let expectation = expectations.expectation(of: run.row)
    let unexpected = (expectation?.problems(of: run) ?? []).map {
      Diagnostic(.sweepUnexpected, "\(run.row.variant): \($0)")
    }
    let usual = (expectation?.end == nil ? [failure(of: run)] : []) + [storm(of: run)]
    return unexpected + usual.compactMap(\.self)
      + run.violations.map { violation in
        var diagnostic = violation.evidence
        diagnostic.message =
          "\(run.row.variant): it then sent \(violation.cell), which breaks the contract: \(diagnostic.placedMessage)"
        diagnostic.location = nil
        return diagnostic
      }
  }

  private func storm(of run: CommandRun) -> Diagnostic? {
    run.storm.map { storm in
      Diagnostic(
        .sweepRetryStorm,
        "\(run.row.variant): it sent \(storm.name) \(storm.count.counted("time")), each time the same request",
        help: "stop after some attempts, and wait longer before each of them")
    }
  }

  /// What fails in every sweep.
  private func failure(of run: CommandRun) -> Diagnostic? {
    let row = run.row
    func message(_ expected: String) -> String { "\(row.variant): \(expected), found \(row.outcome)\(run.sentNext)" }
    switch row.outcome {
    case .crashed: return Diagnostic(.sweepCrash, message("expected an answer or an error"))
    case .hung: return Diagnostic(.sweepHang, message("expected an end within the limit"))
    case .exited(let code, _) where code != 0:
      return ExitMessage.uncaught(in: run.output).map {
        Diagnostic(
          .sweepUncaught,
          "\(row.variant): expected an error of the client's own, found the uncaught \(VisibleText.shortened($0, to: 120))"
        )
      }
    default:
      return row.isUnusable && row.outcome.isSuccess
        ? Diagnostic(.sweepSwallowed, message("expected a failure")) : nil
    }
  }
}
