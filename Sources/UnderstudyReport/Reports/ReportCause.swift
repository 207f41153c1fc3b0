extension Report {
  /// Findings that one change would fix: the same rule, place of the contract and status. If the place is a whole body,
  /// also the same message.
  package struct Cause: Sendable {
    /// In the order of the run; never empty.
    package private(set) var findings: [Finding]

    package var first: Finding { findings[0] }

    /// The occurrences of all findings together.
    package var count: Int { findings.reduce(0) { $0 + $1.count } }

    /// `GET /pets 200`, and the number of other subjects.
    package var title: String {
      let subjects = findings.flatMap { [$0.subject] + $0.others.map(\.subject) }.unique()
      let first = VisibleText.line(VisibleText.shortened(subjects[0].titleWithStatus, to: 300))
      return subjects.count == 1 ? first : "\(first) and \((subjects.count - 1).counted("other"))"
    }

    /// The causes in the order in which they first occur.
    package static func all(of findings: [Finding]) -> [Cause] {
      findings.grouped { Key($0, $0.cause, isKnown: $0.isKnown) }.map { Cause(findings: $0.elements) }
    }

    /// The same for all findings of a cause.
    package struct Key: Hashable {
      private let rule: Rule
      private let severity: Severity
      private let contract: String
      private let status: String?
      private let cause: [String]
      private let isKnown: Bool

      /// - Parameter ofAnyStatus: Whether the status of the response does not matter.
      package init(_ finding: Finding, _ cause: [String], isKnown: Bool = false, ofAnyStatus: Bool = false) {
        rule = finding.diagnostic.rule
        severity = finding.severity
        contract = finding.subject.contract
        // What a client does wrong with one answer it does with others.
        status = finding.row == nil && !ofAnyStatus ? finding.subject.status : nil
        self.cause = cause
        self.isKnown = isKnown
      }
    }
  }

  /// The causes of all findings, in the order of the run; a live run has the worst first.
  package var causes: [Cause] { sorted(Cause.all(of: findings)) }

  /// The causes of findings that are not in the baseline, errors first.
  package var newCauses: [Cause] {
    let causes = sorted(Cause.all(of: findings.filter { !$0.isKnown }))
    return Severity.allCases.reversed().flatMap { severity in causes.filter { $0.first.severity == severity } }
  }
}

extension Rule {
  /// Rules about a body as a whole, and about what it lacks: only their message identifies the cause, not their place.
  package static let wholeBody = [
    Rule.responseEncoding, .responseBodyUnparsable, .requestEncoding, .requestBodyUnparsable, .scenarioVariableUnset,
    .fixtureRequestUnreachable,
  ]
}

extension Report.Finding {
  /// The place of the contract that is violated.
  package var violated: Location? { diagnostic.notes.lazy.compactMap(\.location).first { $0.pointer != nil } }

  /// The violated place of the contract, else the message with its subject and place.
  package var cause: [String] {
    if row != nil { return [subject.title, variant.words] }
    let place = violated ?? diagnostic.location
    let names = [place?.path ?? "", place?.pointer ?? ""]
    if violated == nil { return [subject.title, diagnostic.message, fingerprint] + names }
    // Of one operation, several causes may have the same place and message.
    let ofWords: [Rule] = [.responseServerError, .providerValidRejected, .providerExample, .providerNoResponse]
    return names + (Rule.wholeBody.contains(diagnostic.rule) ? [diagnostic.message] : [])
      + (ofWords.contains(diagnostic.rule) ? [fingerprint] : [])
  }
}

extension Report.Subject {
  /// `GET /pets 200`
  package var titleWithStatus: String { title + (status.map { " \($0)" } ?? "") }
}
