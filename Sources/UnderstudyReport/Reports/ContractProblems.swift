extension Report {
  /// So many problems of one kind are one finding.
  private static let problemLimit = 3

  /// Merges problems of one kind in a contract: one finding, which lists the other places.
  package mutating func mergeContractProblems() {
    var groups: [[String]: [(item: Int, finding: Int)]] = [:]
    for (item, entry) in cases.enumerated() where entry.name == Case.contract {
      for (position, finding) in entry.findings.enumerated() {
        let key = [
          finding.subject.contract, finding.rule, finding.severity.rawValue, MessageShape.of(finding.message),
        ]
        groups[key, default: []].append((item, position))
      }
    }
    var merged: Set<[Int]> = []
    for places in groups.values where places.count >= Self.problemLimit {
      let findings = places.map { cases[$0.item].findings[$0.finding] }
      let first = places[0]
      cases[first.item].findings[first.finding].count = findings.reduce(0) { $0 + $1.count }
      cases[first.item].findings[first.finding].others = findings.dropFirst().map { finding in
        Finding.Other(finding.subject, at: "\(finding.location?.shown ?? ""): \(finding.message)")
      }
      for place in places.dropFirst() { merged.insert([place.item, place.finding]) }
    }
    guard !merged.isEmpty else { return }
    for item in cases.indices {
      cases[item].findings = cases[item].findings.enumerated().filter { !merged.contains([item, $0.offset]) }
        .map(\.element)
    }
  }
}
