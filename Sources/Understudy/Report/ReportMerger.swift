/// Joins the reports of several jobs: cases by subject and name, sums, joined coverage.
package enum ReportMerger {
  /// A report and the file that it was read from, for messages.
  package struct Part: Sendable {
    package let name: String
    package let report: Report

    package init(_ name: String, _ report: Report) {
      self.name = name
      self.report = report
    }
  }

  /// Why reports cannot be joined.
  package struct Problem: Error, Sendable, Equatable {
    package let message: String
    package let help: String
  }

  /// One report of several. The order of the parts makes no difference.
  ///
  /// Of a run in parts every part must be there: a missing one leaves the whole incomplete. Throws where the same work was
  /// counted twice.
  package static func merge(_ parts: [Part]) throws(Problem) -> Report {
    let parts = sorted(parts)
    guard let first = parts.first else {
      throw Problem(message: "there is no report to join", help: "name the files that `--report json=FILE` wrote")
    }
    guard parts.count > 1 || first.report.run.shard != nil else { return first.report }
    try refuseTwins(parts)
    var merged = Report(RunMerger.merge(parts.map(\.report.run)))
    var positions: [[String]: Int] = [:]
    for part in parts {
      for item in part.report.cases {
        let key = item.mergeKey
        if let position = positions[key] {
          merged.cases[position].join(item, isSameWork: part.report.run.shard != nil && item.isOfEveryPart)
        } else {
          positions[key] = merged.cases.count
          merged.cases.append(item)
        }
      }
      for item in part.report.notValidated { merged.skip(item.reason, count: item.count) }
      for remark in part.report.remarks where !merged.remarks.contains(remark) { merged.remarks.append(remark) }
    }
    merged.remarks += RunMerger.differences(parts)
    let coverage = parts.compactMap(\.report.coverage)
    if !coverage.isEmpty { merged.coverage = Coverage.merge(coverage) }
    return merged
  }

  /// By part, start and content: the same order whatever order the files were named in.
  private static func sorted(_ parts: [Part]) -> [Part] {
    let keyed = parts.map { part in
      let run = part.report.run
      let index = run.shard.flatMap(Shard.init(_:))?.index ?? 0
      return (part: part, index: index, text: run.startedAt + JSONReport.text(part.report, ReportContext()))
    }
    return keyed.sorted { a, b in
      a.index != b.index ? a.index < b.index : a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }.map(\.part)
  }

  private static func refuseTwins(_ parts: [Part]) throws(Problem) {
    for (position, part) in parts.enumerated() {
      for other in parts[..<position] {
        let (a, b) = (other.report.run, part.report.run)
        guard a.command == b.command, a.contracts == b.contracts, a.target == b.target else { continue }
        if let shard = a.shard, shard == b.shard {
          throw Problem(
            message: "\(other.name) and \(part.name) are both part \(shard) of `\(a.command)`",
            help: "of a job that ran twice, name one report only")
        }
        if a.startedAt == b.startedAt, a.shard == b.shard, a.duration == b.duration {
          throw Problem(
            message: "\(other.name) and \(part.name) are the same report", help: "name every report once")
        }
      }
    }
  }
}

extension Report.Case {
  /// What makes a case the same in another report.
  fileprivate var mergeKey: [String] {
    [
      subject.contract, subject.operation ?? "", subject.method ?? "", subject.path ?? "", subject.status ?? "", name,
    ]
  }

  /// Whether every part of a divided run looks at it as a whole: the contract itself.
  fileprivate var isOfEveryPart: Bool { subject.operation == nil && name == Self.contract }

  /// Takes in what another report says about the same case; what was not to be validated outweighs what was. Of the same work,
  /// done again, nothing is counted twice.
  fileprivate mutating func join(_ other: Report.Case, isSameWork: Bool) {
    checked = isSameWork ? max(checked, other.checked) : checked + other.checked
    duration += other.duration
    place = place ?? other.place
    switch (outcome, other.outcome) {
    case (.failedToRun, _), (.validated, .skipped), (.validated, .validated), (.skipped, .skipped): break
    case (_, .failedToRun), (.skipped, .validated): outcome = other.outcome
    }
    for finding in other.findings {
      if let position = findings.firstIndex(where: { $0.fingerprint == finding.fingerprint }) {
        let count = findings[position].count
        findings[position].count = isSameWork ? max(count, finding.count) : count + finding.count
        findings[position].isKnown = findings[position].isKnown && finding.isKnown
      } else {
        findings.append(finding)
      }
    }
  }
}
