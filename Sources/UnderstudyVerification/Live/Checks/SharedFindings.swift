/// Merges the findings of operations that share a cause: one finding, with the other operations and their reproductions.
enum SharedFindings {
  /// Findings with messages of one shape are one cause in so many operations, where the response says nothing about its cause.
  private static let operationLimit = 5
  /// Values of one kind that break one keyword of a schema are one cause in so many places.
  private static let placeLimit = 2
  /// Places with different names that a server treats alike are one cause from so many on.
  private static let kindLimit = 3
  /// The fewest words with which two equal messages have the same cause.
  private static let ownWords = 3

  static func merge(in report: inout Report) {
    mergePlaces(in: &report)
    // What the contract allows everywhere, and a server refuses, is one gap of the contract.
    merge(in: &report, from: 2, ofAnyStatus: true) { finding in
      finding.diagnostic.rule == .providerValidRejected && finding.severity == .info && !finding.variant.kind.isEmpty
        ? [finding.variant.kind] : nil
    }
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
      hasOwnWords(finding) ? [finding.variant.words, String(finding.variant.isOfInvalid)] : nil
    }
    // The status says that the server lacks a functionality (RFC 9110, 15.6.2), whatever the words.
    merge(in: &report, from: 2) { finding in
      finding.subject.status == "501" && finding.diagnostic.rule == .responseServerError ? [] : nil
    }
    // One reader of methods serves all paths.
    merge(in: &report, from: 2, counting: { $0.count }) { $0.diagnostic.rule == .providerMethodStatus ? [] : nil }
    // The methods of a path share what reads its parameters.
    merge(in: &report, from: 2) { finding in
      let (variant, path) = (finding.variant, finding.subject.path)
      let kind = variant.kind.hasPrefix("body") ? variant.kind : ""
      return variant.isOfInvalid ? path.map { [$0, variant.words, kind] } : nil
    }
    // One place under one name in two operations, then any places of one kind.
    for (limit, isNamed) in [(2, true), (kindLimit, false)] {
      func cause(_ finding: Report.Finding) -> [String] {
        shape(of: finding) + (isNamed ? [finding.location?.pointer ?? ""] : [])
      }
      merge(in: &report, from: limit, counting: { $0.count }) { least(of: $0) == 2 ? cause($0) : nil }
      merge(in: &report, from: limit, counting: { $0.count }, ofAnyStatus: true) { finding in
        guard isOfAnyStatus(finding) else { return nil }
        let isFailure = finding.subject.status.flatMap(Int.init).map { $0 >= 400 } ?? true
        return cause(finding) + [String(isFailure)]
      }
    }
    merge(in: &report, from: operationLimit, by: shape)
    // What a reader sees as one entry counts once.
    merge(in: &report, from: 2, counting: { $0.count }, by: \.cause)
  }

  private static func hasOwnWords(_ finding: Report.Finding) -> Bool {
    finding.variant.words.split(separator: " ").count { $0 != "_" } >= ownWords
  }

  /// The least number of operations in which a message of one shape has one cause. A refusal, a failure or a closed connection
  /// that says little may have any cause, and so may a value of another type; everything else is said by the message.
  static func least(of finding: Report.Finding) -> Int {
    let rule = finding.diagnostic.rule
    let ofValues: [Rule] = [.responseBodySchema, .responseFormat, .responseHeaderSchema]
    let isOpen = LiveEvidence.ofWords.contains(rule) || rule == .providerNoResponse
    return ofValues.contains(rule) || (isOpen && !hasOwnWords(finding)) ? operationLimit : 2
  }

  /// The message without what differs between operations, and what separates causes with one message.
  static func shape(of finding: Report.Finding) -> [String] {
    let names = [finding.subject.operation, finding.subject.path].compactMap(\.self)
    // Another media type has another cause.
    let isOfType = finding.diagnostic.rule == .responseContentTypeUndocumented
    return [
      isOfType ? finding.message : MessageShape.of(finding.message, without: names),
      String(finding.variant.isOfInvalid), finding.variant.words,
      finding.variant.kind,
    ]
  }

  /// Whether a rule ignores the status of the response: successes and errors each share causes among themselves.
  private static func isOfAnyStatus(_ finding: Report.Finding) -> Bool {
    let rules: [Rule] = [
      .responseBodyUnexpected, .responseContentTypeMissing, .responseContentTypeUndocumented, .responseHeaderMissing,
      .providerInvalidAccepted, .providerHeaderIgnored, .providerMediaUnsupported, .providerAuthIgnored,
    ]
    return rules.contains(finding.diagnostic.rule)
  }

  /// Merges what one operation shows in several places of a schema, or of a body that cannot be read.
  private static func mergePlaces(in report: inout Report) {
    merge(in: &report, from: placeLimit, counting: { $0.count }) { finding in
      let operation = finding.subject.operation ?? ""
      if finding.diagnostic.rule == .responseBodyUnparsable { return [operation, MessageShape.of(finding.message)] }
      guard finding.diagnostic.rule == .responseBodySchema || finding.diagnostic.rule == .responseFormat,
        // A member of `required` has a number.
        let keyword = finding.violated?.pointer.flatMap({ pointer in
          JSONPointer(pointer)?.tokens.last { Int($0) == nil }
        })
      else { return nil }
      return [operation, keyword, MessageShape.of(finding.message)]
    }
  }

  /// - Parameter limit: The least number of operations.
  private static func merge(
    in report: inout Report, from limit: Int, ofAnyStatus: Bool = false, by cause: (Report.Finding) -> [String]?
  ) {
    merge(in: &report, from: limit, counting: { Set($0.map(\.operation)).count }, ofAnyStatus: ofAnyStatus, by: cause)
  }

  /// - Parameters:
  ///   - limit: The least number of subjects, as `number` counts them.
  ///   - ofAnyStatus: Whether the statuses of the responses do not matter.
  private static func merge(
    in report: inout Report, from limit: Int, counting number: ([Report.Subject]) -> Int, ofAnyStatus: Bool = false,
    by cause: (Report.Finding) -> [String]?
  ) {
    var groups: [Report.Cause.Key: [(item: Int, finding: Int)]] = [:]
    for (item, entry) in report.cases.enumerated() {
      for (position, finding) in entry.findings.enumerated() where finding.subject.operation != nil {
        guard let cause = cause(finding) else { continue }
        groups[Report.Cause.Key(finding, cause, ofAnyStatus: ofAnyStatus), default: []].append((item, position))
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
