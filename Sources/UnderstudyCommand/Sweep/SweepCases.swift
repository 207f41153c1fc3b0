import UnderstudyVerification

/// The runs of a sweep as cases of a report.
struct SweepCases {
  private let operations: [CompiledOperation]
  private let expectations: SweepExpectations

  init(_ operations: [CompiledOperation], _ expectations: SweepExpectations) {
    self.operations = operations
    self.expectations = expectations
  }

  /// What the requests of the run with default responses break, a case for each operation.
  func cases(of violations: [SweepViolation]) -> [Report.Case] {
    violations.grouped(by: \.cell).map { request, own in
      Report.Case(subject(request), "default responses", checked: own.count, reporting: own.map(\.evidence))
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
      let found = findings(about: run)
      var item = Report.Case(subject, row.variant, checked: 1, reporting: found.map(\.finding))
      for (index, words) in found.map(\.cause).enumerated() where item.findings.indices.contains(index) {
        (item.findings[index].row, item.findings[index].variant.words) = (row.variant, words)
      }
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

  /// A finding, and what it has in common with those of other rows.
  private typealias Found = (finding: Diagnostic, cause: String)

  private func findings(about run: CommandRun) -> [Found] {
    let expectation = expectations.expectation(of: run.row)
    let unexpected = (expectation?.problems(of: run) ?? []).map { problem -> Found in
      (Diagnostic(.sweepUnexpected, "\(run.row.variant): \(problem)"), problem)
    }
    let usual = (expectation?.end == nil ? [failure(of: run)] : []) + [storm(of: run)]
    return unexpected + usual.compactMap(\.self)
      + run.violations.map { violation in
        var diagnostic = violation.evidence
        // A message about sockets has times, which differ between rows.
        let cause = violation.cell.isEmpty ? diagnostic.rule.id : "\(violation.cell) \(diagnostic.placedMessage)"
        diagnostic.message =
          violation.cell.isEmpty
          ? "\(run.row.variant): \(diagnostic.placedMessage)"
          : "\(run.row.variant): it then sent \(violation.cell), which breaks the contract: \(diagnostic.placedMessage)"
        diagnostic.location = nil
        return (diagnostic, cause)
      }
  }

  private func storm(of run: CommandRun) -> Found? {
    run.storm.map { storm in
      let finding = Diagnostic(
        .sweepRetryStorm,
        "\(run.row.variant): it sent \(storm.name) \(storm.count.counted("time")), each time the same request",
        help: "stop after some attempts, and wait longer before each of them")
      return (finding, storm.name)
    }
  }

  /// What fails in every sweep.
  private func failure(of run: CommandRun) -> Found? {
    let row = run.row
    func message(_ expected: String) -> String { "\(row.variant): \(expected), found \(row.outcome)\(run.sentNext)" }
    switch row.outcome {
    case .crashed(let signal, _): return (Diagnostic(.sweepCrash, message("expected an answer or an error")), signal)
    case .hung: return (Diagnostic(.sweepHang, message("expected an end within the limit")), "")
    case .exited(let code, _) where code != 0:
      return ExitMessage.uncaught(in: run.output).map { exception in
        let shown = VisibleText.shortened(exception, to: 120)
        let finding = Diagnostic(
          .sweepUncaught, "\(row.variant): expected an error of the client's own, found the uncaught \(shown)")
        // Its class.
        return (finding, String(exception.prefix { $0 != ":" }))
      }
    default:
      guard row.isUnusable, row.outcome.isSuccess else { return nil }
      return (Diagnostic(.sweepSwallowed, message("expected a failure")), "")
    }
  }
}
