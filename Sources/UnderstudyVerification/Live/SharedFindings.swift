/// Merges the findings of operations that share a cause: one finding, with the other operations listed.
enum SharedFindings {
  /// Findings with messages of one shape are one cause in so many operations.
  static let operationLimit = 5

  static func merge(in report: inout Report) {
    // A part of the contract that several operations refer to.
    merge(in: &report, from: 2) { finding in
      finding.violated.map { [$0.path ?? "", $0.pointer ?? "", MessageShape.of(finding.message)] }
    }
    merge(in: &report, from: operationLimit, by: shape)
  }

  /// The message without what differs between operations.
  static func shape(of finding: Report.Finding) -> [String] {
    let names = [finding.subject.operation, finding.subject.path].compactMap(\.self)
    return [MessageShape.of(finding.message, without: names)]
  }

  /// - Parameter limit: The least number of operations.
  private static func merge(in report: inout Report, from limit: Int, by cause: (Report.Finding) -> [String]?) {
    var groups: [Report.Cause.Key: [(item: Int, finding: Int)]] = [:]
    for (item, entry) in report.cases.enumerated() {
      for (position, finding) in entry.findings.enumerated() where finding.subject.operation != nil {
        guard let cause = cause(finding) else { continue }
        groups[Report.Cause.Key(finding, cause), default: []].append((item, position))
      }
    }
    var merged: Set<[Int]> = []
    for places in groups.values {
      let findings = places.map { report.cases[$0.item].findings[$0.finding] }
      let subjects = findings.flatMap { [$0.subject] + $0.others }.unique()
      guard let first = places.first, Set(subjects.map(\.operation)).count >= limit else { continue }
      report.cases[first.item].findings[first.finding].count = findings.reduce(0) { $0 + $1.count }
      report.cases[first.item].findings[first.finding].others = Array(subjects.dropFirst())
      for place in places.dropFirst() { merged.insert([place.item, place.finding]) }
    }
    for item in report.cases.indices {
      let findings = report.cases[item].findings
      report.cases[item].findings = findings.enumerated().filter { !merged.contains([item, $0.offset]) }.map(\.element)
    }
  }
}
