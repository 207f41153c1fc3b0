/// Merges the findings of operations that share a cause: one finding, with the other operations and their reproductions.
enum SharedFindings {
  /// Findings with messages of one shape are one cause in so many operations.
  static let operationLimit = 5
  /// Values of one kind that break one keyword of a schema are one cause in so many places.
  private static let placeLimit = 3
  /// The fewest words with which two equal messages have the same cause.
  private static let ownWords = 3

  static func merge(in report: inout Report) {
    mergePlaces(in: &report)
    // A part of the contract that several operations refer to.
    merge(in: &report, from: 2) { finding in
      finding.violated.map { place in
        let isWhole = Rule.wholeBody.contains(finding.diagnostic.rule)
        return [place.path ?? "", place.pointer ?? ""] + (isWhole ? [finding.message] : [])
      }
    }
    merge(in: &report, from: 2) { finding in
      guard finding.diagnostic.rule == .responseFormat || finding.diagnostic.rule == .responseBodySchema,
        let name = finding.location?.pointer.flatMap({ JSONPointer($0)?.tokens.last })
      else { return nil }
      return [name, MessageShape.of(finding.message)]
    }
    // What a server says in words of its own has one reason.
    merge(in: &report, from: 2) { finding in
      let words = finding.variant.words.split(separator: " ").filter { $0 != "_" }
      return words.count < ownWords ? nil : [finding.variant.words, String(finding.variant.isOfInvalid)]
    }
    merge(in: &report, from: operationLimit, by: shape)
    // What a reader sees as one entry counts once.
    merge(in: &report, from: 2, counting: { $0.count }, by: \.cause)
  }

  /// The message without what differs between operations, and what separates causes with one message.
  static func shape(of finding: Report.Finding) -> [String] {
    let names = [finding.subject.operation, finding.subject.path].compactMap(\.self)
    return [
      MessageShape.of(finding.message, without: names), String(finding.variant.isOfInvalid), finding.variant.words,
      finding.variant.kind,
    ]
  }

  /// Merges what one operation shows in several places of a schema.
  private static func mergePlaces(in report: inout Report) {
    merge(in: &report, from: placeLimit, counting: { $0.count }) { finding in
      guard finding.diagnostic.rule == .responseBodySchema || finding.diagnostic.rule == .responseFormat,
        let keyword = finding.violated?.pointer.flatMap({ JSONPointer($0)?.tokens.last })
      else { return nil }
      return [finding.subject.operation ?? "", keyword, MessageShape.of(finding.message)]
    }
  }

  /// - Parameter limit: The least number of operations.
  private static func merge(in report: inout Report, from limit: Int, by cause: (Report.Finding) -> [String]?) {
    merge(in: &report, from: limit, counting: { Set($0.map(\.operation)).count }, by: cause)
  }

  /// - Parameters:
  ///   - limit: The least number of subjects, as `number` counts them.
  private static func merge(
    in report: inout Report, from limit: Int, counting number: ([Report.Subject]) -> Int,
    by cause: (Report.Finding) -> [String]?
  ) {
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
      let subjects = findings.flatMap { [$0.subject] + $0.others.map(\.subject) }
      guard let first = places.first, findings.count > 1, number(subjects) >= limit else { continue }
      report.cases[first.item].findings[first.finding].count = findings.reduce(0) { $0 + $1.count }
      report.cases[first.item].findings[first.finding].others = others(of: findings)
      for place in places.dropFirst() { merged.insert([place.item, place.finding]) }
    }
    for item in report.cases.indices {
      let findings = report.cases[item].findings
      report.cases[item].findings = findings.enumerated().filter { !merged.contains([item, $0.offset]) }.map(\.element)
    }
  }

  /// The other operations, each once; of the first operation its other places.
  private static func others(of findings: [Report.Finding]) -> [Report.Finding.Other] {
    guard let first = findings.first else { return [] }
    var others: [Report.Finding.Other] = first.others
    for finding in findings.dropFirst() {
      let isSame = finding.subject == first.subject
      let own = Report.Finding.Other(
        finding.subject, at: isSame ? finding.location?.pointer : nil,
        reproduction: isSame ? nil : finding.reproduction)
      let isAtSame = isSame && finding.location?.pointer == first.location?.pointer
      for other in (isAtSame ? [] : [own]) + finding.others
      where other.subject == first.subject || !others.contains(where: { $0.subject == other.subject }) {
        others.append(other)
      }
    }
    return others
  }
}
