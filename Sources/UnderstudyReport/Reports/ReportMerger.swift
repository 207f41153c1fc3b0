/// Merges the reports of several jobs.
package enum ReportMerger {
  /// A report and its file name, for messages.
  package struct Part: Sendable {
    package let name: String
    package let report: Report

    package init(_ name: String, _ report: Report) {
      self.name = name
      self.report = report
    }
  }

  /// Merges cases by subject and name. The order of the parts makes no difference.
  ///
  /// If a part of a divided run is missing, the whole is incomplete. Throws if the same work would be counted twice.
  package static func merge(_ parts: [Part]) throws(UsageProblem) -> Report {
    let parts = sorted(parts)
    guard let first = parts.first else {
      throw UsageProblem(message: "no reports to merge", help: "name the files that `--report json=FILE` wrote")
    }
    guard parts.count > 1 || first.report.run.shard != nil else { return first.report }
    try refuseDuplicates(parts)
    var merged = Report(RunMerger.merge(parts.map(\.report.run)))
    var positions: [CaseKey: Int] = [:]
    for part in parts {
      for item in part.report.cases {
        let key = CaseKey(subject: item.subject, name: item.name)
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

  /// The parts by index, start and content, so that the order of the files does not matter.
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

  private static func refuseDuplicates(_ parts: [Part]) throws(UsageProblem) {
    for (position, part) in parts.enumerated() {
      for other in parts[..<position] {
        let (a, b) = (other.report.run, part.report.run)
        guard a.command == b.command, a.contracts == b.contracts, a.target == b.target else { continue }
        if let shard = a.shard, shard == b.shard {
          throw UsageProblem(
            message: "\(other.name) and \(part.name) are both part \(shard) of `\(a.command)`",
            help: "if a job ran twice, name only one of its reports")
        }
        if a.startedAt == b.startedAt, a.shard == b.shard, a.duration == b.duration {
          throw UsageProblem(
            message: "\(other.name) and \(part.name) are the same report", help: "name each report once")
        }
      }
    }
  }
}

/// Identifies a case across reports.
private struct CaseKey: Hashable {
  let subject: Report.Subject
  let name: String
}

extension Report.Case {
  /// Whether every part of a divided run checks it: the contract itself.
  fileprivate var isOfEveryPart: Bool { subject.operation == nil && name == Self.contract }

  /// Adds the results of another report. A failure to run outweighs a validation. The same work is not counted twice.
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
