extension Report.Run {
  /// `250 ms`, `1.5 s`
  package var tookText: String {
    let (seconds, attoseconds) = duration.components
    return seconds < 1 ? duration.shortText : "\(seconds).\(attoseconds / 100_000_000_000_000_000) s"
  }

  /// The target and the limits of the run, as far as they are known.
  var scope: [(String, String)] {
    [("target", target), ("seed", seed), ("part", shard), ("limited to", limits)].compactMap { name, value in
      value.map { (name, $0) }
    }
  }
}

extension Report {
  /// The result of a run. An incomplete run neither passes nor fails, even with findings.
  package enum Verdict: Sendable, Equatable {
    case passed
    case failed(errors: Int, warnings: Int, notes: Int)
    /// The reason why the run is not complete.
    case incomplete(String)
    case nothingChecked

    /// The most characters of the line of a verdict.
    private static let longest = 180

    /// `failed: 2 errors, 1 warning`
    package var text: String {
      switch self {
      case .passed: "passed"
      case .failed(let errors, let warnings, let notes):
        "failed: "
          + [(errors, "error"), (warnings, "warning"), (notes, "note")].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
          .joined(separator: ", ")
      case .incomplete(let reason): VisibleText.shortened("incomplete: \(reason)", to: Self.longest)
      case .nothingChecked: "nothing was checked"
      }
    }
  }

  package func verdict(_ context: ReportContext) -> Verdict {
    if let reason = run.abortedBecause ?? failedToRun { return .incomplete(reason) }
    let failing = findings.filter(context.fails)
    guard failing.isEmpty else {
      func count(_ severity: Severity) -> Int { failing.count { $0.severity == severity } }
      return .failed(errors: count(.error), warnings: count(.warning), notes: count(.info))
    }
    return checked > 0 || context.allowsEmpty ? .passed : .nothingChecked
  }

  private var failedToRun: String? {
    let failed = cases.compactMap { item in
      if case .failedToRun(let reason) = item.outcome { "\(item.subject.title), \(item.name): \(reason)" } else { nil }
    }
    guard let first = failed.first else { return nil }
    return "\(failed.count.counted("case")) could not be run; \(failed.count == 1 ? "" : "the first: ")\(first)"
  }

  /// The number of findings of a severity that are not in the baseline.
  package func count(_ severity: Severity) -> Int { findings.count { !$0.isKnown && $0.severity == severity } }

  /// The number of findings in the baseline.
  package var known: Int { findings.count { $0.isKnown } }

  package var unvalidated: Int { notValidated.reduce(0) { $0 + $1.count } }

  /// `1 error, 0 warnings, 2 notes`, and the number of known findings.
  package var countsText: String {
    "\(count(.error).counted("error")), \(count(.warning).counted("warning")), \(count(.info).counted("note"))"
      + (known > 0 ? "; known from the baseline: \(known)" : "")
  }

  /// `checked: 9 in 3 cases`, and the numbers of those that were skipped or failed to run.
  package var checkedText: String {
    var (skipped, failed) = (0, 0)
    for item in cases {
      switch item.outcome {
      case .validated: break
      case .skipped: skipped += 1
      case .failedToRun: failed += 1
      }
    }
    let rest = (skipped > 0 ? ["\(skipped) skipped"] : []) + (failed > 0 ? ["\(failed) not run"] : [])
    return "checked: \(checked) in \(cases.count.counted("case"))"
      + (rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))")
  }

  /// `not validated: 2 (no schema: 2)`
  package var unvalidatedText: String {
    let reasons = notValidated.map { "\(VisibleText.line($0.reason)): \($0.count)" }
    return "not validated: \(unvalidated)" + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))")
  }
}
