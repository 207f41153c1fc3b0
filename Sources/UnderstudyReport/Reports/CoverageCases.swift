/// The cases of a coverage: one for each contract, and one for each gate, which fails if it is not passed.
package enum CoverageCases {
  package static func of(
    _ coverage: Coverage, _ gates: [(name: String, result: CoverageGate.Evaluation)]
  ) -> [Report.Case] {
    let answers = coverage.answers
    let contracts = answers.grouped(by: \.contract).map { contract, answers in
      Report.Case(Report.Subject(contract: contract), "coverage", checked: answers.count)
    }
    let subject = Report.Subject(contract: answers.first?.contract ?? "")
    return contracts
      + gates.map { name, result in
        Report.Case(subject, name, checked: result.checked, findings: findings(result, subject))
      }
  }

  private static func findings(_ result: CoverageGate.Evaluation, _ subject: Report.Subject) -> [Report.Finding] {
    if case .cells = result.gate {
      return result.missing.map { row in
        Report.Finding(
          Diagnostic(.coverageCell, "\(row.title) was never served"),
          about: Report.Subject(
            contract: row.contract, operation: row.operation, method: row.method, path: row.path, status: row.status))
      }
    }
    guard !result.isPassed else { return [] }
    let missing = result.missing.prefix(10).map { "missing: \(VisibleText.line($0.title))" }.joined(separator: "\n")
    return [Report.Finding(Diagnostic(.coverageShare, result.sentence, help: missing), about: subject)]
  }
}
