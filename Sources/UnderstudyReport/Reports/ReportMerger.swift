/// Merges the reports of several jobs.
package enum ReportMerger {
  /// The run of a report, and its file name for messages. The cases are read when they are merged.
  package struct Part: Sendable {
    package let name: String
    let run: Report.Run
    /// The digest of the report, which gives an order to parts of one time.
    let digest: UInt64
    package let hasCoverage: Bool
    let reading: @Sendable () throws -> Report

    /// A part that is read when it is merged.
    package init(
      _ name: String, _ report: Report, digest: UInt64, reading: @escaping @Sendable () throws -> Report
    ) {
      (self.name, run, hasCoverage) = (name, report.run, report.coverage != nil)
      (self.digest, self.reading) = (digest, reading)
    }

    /// A part in memory.
    package init(_ name: String, _ report: Report) {
      self.init(name, report, digest: StableHash.of([JSONReport.text(report, ReportContext())])) { report }
    }
  }

  /// Merges cases by subject and name. The order of the parts makes no difference.
  ///
  /// If a part of a divided run is missing, the whole is incomplete. Throws if the same work would be counted twice.
  /// One part at a time is in memory.
  package static func merge(_ parts: [Part]) throws -> Report {
    let parts = sorted(parts)
    guard let first = parts.first else {
      throw UsageProblem(message: "no reports to merge", help: "name the files that `--report json=FILE` wrote")
    }
    guard parts.count > 1 || first.run.shard != nil else { return try first.reading() }
    try refuseDuplicates(parts)
    var merged = Report(RunMerger.merge(parts.map(\.run)))
    var positions: [CaseKey: Int] = [:]
    var coverage: [Coverage] = []
    for part in parts {
      let other = try part.reading()
      for item in other.cases {
        let key = CaseKey(subject: item.subject, name: item.name)
        if let position = positions[key] {
          merged.cases[position].join(item, isSameWork: part.run.shard != nil && item.isOfEveryPart)
        } else {
          positions[key] = merged.cases.count
          merged.cases.append(item)
        }
      }
      for item in other.notValidated { merged.skip(item.reason, count: item.count) }
      for remark in other.remarks where !merged.remarks.contains(remark) { merged.remarks.append(remark) }
      if let found = other.coverage { coverage.append(found) }
    }
    merged.remarks += RunMerger.differences(parts)
    if !coverage.isEmpty { merged.coverage = Coverage.merge(coverage) }
    return merged
  }

  /// The parts by index, start and content, so that the order of the files does not matter.
  private static func sorted(_ parts: [Part]) -> [Part] {
    parts.sorted { a, b in
      let (first, second) = (a.index, b.index)
      guard first == second else { return first < second }
      guard a.run.startedAt.utf8Equals(b.run.startedAt) else {
        return a.run.startedAt.utf8.lexicographicallyPrecedes(b.run.startedAt.utf8)
      }
      return a.digest < b.digest
    }
  }

  private static func refuseDuplicates(_ parts: [Part]) throws(UsageProblem) {
    for (position, part) in parts.enumerated() {
      for other in parts[..<position] {
        let (a, b) = (other.run, part.run)
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

extension ReportMerger.Part {
  /// The index of the part in a divided run; 0 for a whole.
  fileprivate var index: Int { run.shard.flatMap(Shard.init(_:))?.index ?? 0 }
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
