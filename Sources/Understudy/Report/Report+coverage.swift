import SourceText

extension Report {
  /// Takes a coverage and what came of its gates: a case for every contract, and one for every gate, which fails where it is
  /// not passed.
  package mutating func add(_ coverage: Coverage, _ verdicts: [(name: String, verdict: CoverageGate.Verdict)]) {
    self.coverage = coverage
    let answers = coverage.answers
    for group in Coverage.grouped(answers, by: { [$0.contract] }) {
      cases.append(Case(Subject(contract: group.first?.contract ?? ""), "coverage", checked: group.count))
    }
    for (name, verdict) in verdicts {
      let subject = Subject(contract: answers.first?.contract ?? "")
      let findings: [Finding]
      if case .cells = verdict.gate {
        findings = verdict.missing.map { row in
          Finding(
            Diagnostic(.coverageCell, "\(row.title) was never served"),
            about: Subject(
              contract: row.contract, operation: row.operation, method: row.method, path: row.path, status: row.status))
        }
      } else {
        var diagnostic = Diagnostic(.coverageShare, verdict.sentence)
        diagnostic.help = verdict.missing.prefix(10).map { "missing: \($0.title)" }.joined(separator: "\n")
        findings = verdict.isPassed ? [] : [Finding(diagnostic, about: subject)]
      }
      cases.append(Case(subject, name, checked: verdict.checked, findings: findings))
    }
  }
}
