extension Report {
  /// Findings that one change would mend: the same rule, the same place of the contract, the same status; the same message
  /// too where the place is the whole body.
  package struct Cause: Sendable {
    /// In the order of the run; never empty.
    package private(set) var findings: [Finding]

    /// The one that is shown.
    package var first: Finding { findings[0] }

    /// How often it was met, all findings together.
    package var count: Int { findings.reduce(0) { $0 + $1.count } }

    /// What it is about, each subject once, in the order of the run.
    package var subjects: [Subject] {
      var seen = Set<Subject>()
      return findings.map(\.subject).filter { seen.insert($0).inserted }
    }

    /// `GET /pets 200`, and how many others.
    package var title: String {
      let subjects = subjects
      let first = VisibleText.line(VisibleText.shortened(subjects[0].titleWithStatus, to: 300))
      return subjects.count == 1 ? first : "\(first) and \((subjects.count - 1).counted("other"))"
    }

    /// Puts findings together; causes stand in the order in which they were first met.
    package static func all(of findings: [Finding]) -> [Cause] {
      var causes: [Cause] = []
      var positions: [Key: Int] = [:]
      for finding in findings {
        if let position = positions[Key(finding)] {
          causes[position].findings.append(finding)
        } else {
          positions[Key(finding)] = causes.count
          causes.append(Cause(findings: [finding]))
        }
      }
      return causes
    }

    /// The same for all findings of a cause.
    private struct Key: Hashable {
      let rule: String
      let severity: Severity
      let isKnown: Bool
      let contract: String
      let status: String?
      /// The contract's place that is broken; where none is known, what stands alone: the message and its subject.
      let cause: [String]

      init(_ finding: Finding) {
        rule = finding.rule
        severity = finding.severity
        isKnown = finding.isKnown
        contract = finding.subject.contract
        status = finding.subject.status
        if let place = finding.notes.lazy.compactMap(\.place).first(where: { $0.pointer != nil }) {
          let isOfWhole = Rule.wholeBody.contains { $0.id == finding.rule }
          cause = [place.file ?? "", place.pointer ?? ""] + (isOfWhole ? [finding.message] : [])
        } else {
          cause = [finding.subject.title, finding.message, finding.place?.file ?? "", finding.place?.pointer ?? ""]
        }
      }
    }
  }

  /// The causes of all findings, in the order of the run.
  package var causes: [Cause] { Cause.all(of: findings) }

  /// The causes of what no baseline knows, the worst severity first.
  package var newCauses: [Cause] {
    let causes = Cause.all(of: findings.filter { !$0.isKnown })
    return Severity.allCases.reversed().flatMap { severity in causes.filter { $0.first.severity == severity } }
  }
}

extension Rule {
  /// Rules about a body as a whole: their place says nothing of what is wrong with it, only their message does.
  static let wholeBody = [
    Rule.responseEncoding, .responseBodyUnparsable, .requestEncoding, .requestBodyUnparsable,
  ]
}

extension Report.Subject {
  /// `GET /pets 200`
  package var titleWithStatus: String { title + (status.map { " \($0)" } ?? "") }
}
