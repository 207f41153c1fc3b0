/// Known findings, which are shown and counted but do not fail a run. A fingerprint without line numbers identifies
/// each.
///
/// The file is YAML with one finding a line, sorted, so that two branches merge without a conflict.
package struct Baseline: Sendable, Equatable {
  /// A known finding. Only the fingerprint and the day count; the rest is for people.
  package struct Entry: Sendable, Hashable {
    package var fingerprint: String
    package var rule: String
    /// `GET /pets 200`
    package var subject: String
    package var message: String
    /// The last day on which the finding is accepted: `2027-01-31`; `nil` for all days.
    package var until: String?

    func isExpired(_ today: String) -> Bool { until.map { $0.utf8.lexicographicallyPrecedes(today.utf8) } ?? false }
  }

  package private(set) var entries: [Entry]
  private static let format = 1
  private static let longest = 200
  /// A gate is set for each run, so its findings are never known.
  private static let gates = Set(Rule.coverage.map(\.id))

  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// The entries that a run does not disprove: all of them after an incomplete run, otherwise those of skipped
  /// operations.
  package func remaining(after report: Report) -> Baseline {
    guard report.isWhole else { return self }
    let skipped = report.cases.compactMap { if case .skipped = $0.outcome { $0.subject.title } else { nil } }
    return Baseline(
      entries.filter { entry in skipped.contains { entry.subject == $0 || entry.subject.hasPrefix($0 + " ") } })
  }

  /// All findings of a report.
  package init(of report: Report) {
    self.init(report.findings.filter { !Self.gates.contains($0.rule) }.map(Self.entry))
  }

  private static func entry(_ finding: Report.Finding) -> Entry {
    Entry(
      fingerprint: finding.fingerprint, rule: finding.rule,
      subject: VisibleText.shortened(finding.subject.titleWithStatus, to: longest),
      message: VisibleText.shortened(finding.message, to: longest))
  }

  package func union(_ other: Baseline) -> Baseline { Baseline(entries + other.entries) }

  /// The entries with the days that another baseline has for them.
  package func keepingDays(of other: Baseline) -> Baseline {
    let days = Dictionary(other.entries.map { ($0.fingerprint, $0.until) }, uniquingKeysWith: { first, _ in first })
    return Baseline(
      entries.map { entry in
        var entry = entry
        entry.until = entry.until ?? days[entry.fingerprint] ?? nil
        return entry
      })
  }

  // MARK: - In a run

  /// Marks known findings, and remarks on entries that have expired, or that the run shows to be stale.
  ///
  /// - Parameter today: `2026-11-30`, in UTC; without it nothing has expired.
  package func apply(to report: inout Report, file: String, today: String = "") {
    let known = Dictionary(entries.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    var found = Set<String>()
    var expired: [Entry] = []
    report.forEachFinding { finding in
      guard let entry = known[finding.fingerprint], !Self.gates.contains(finding.rule) else { return }
      if entry.isExpired(today) {
        if found.insert(entry.fingerprint).inserted { expired.append(entry) }
      } else {
        finding.isKnown = true
        found.insert(entry.fingerprint)
      }
    }
    if let first = expired.first, let day = first.until {
      report.remarks.append(
        "\(file) has \(expired.count.counted("expired finding")), such as \(first.rule) at \(first.subject), accepted until "
          + "\(day): fix it, or write a later day there")
    }
    let remaining = Set(remaining(after: report).entries)
    let stale = entries.filter { !found.contains($0.fingerprint) && !remaining.contains($0) }
    guard let first = stale.first else { return }
    report.remarks.append(
      "\(file) has \(stale.count.counted("stale finding")), such as \(first.rule) at \(first.subject): "
        + "`--update-baseline` removes them")
  }

  // MARK: - The file

  package var text: String {
    let lines = entries.grouped(by: \.fingerprint).map(\.elements[0]).map { entry in
      (
        [entry.rule, entry.subject, entry.fingerprint],
        """
        - {rule: \(Self.quoted(entry.rule)), subject: \(Self.quoted(entry.subject)), \
        fingerprint: \(Self.quoted(entry.fingerprint)), message: \(Self.quoted(entry.message))\
        \(entry.until.map { ", until: \(Self.quoted($0))" } ?? "")}

        """
      )
    }
    .sorted { a, b in a.0.lexicographicallyPrecedes(b.0) { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    return """
      # Known findings: they are shown and counted, but do not fail a run. `--update-baseline` rewrites this file;
      # lines may be removed by hand.
      format: \(Self.format)
      findings:\(lines.isEmpty ? " []" : "")

      """ + lines.map(\.1).joined()
  }

  /// A double-quoted scalar of YAML, with control and bidirectional characters escaped.
  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: out += "\\\(scalar)"
      case 0x0A: out += "\\n"
      case 0x20..<0x7F, 0xA0..<0x2028, 0x202F..<0x2066, 0x206A..<0xFEFF, 0xFF00..<0xFFFE, 0x1_0000...:
        out.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        out += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return out + "\""
  }

  package init(_ document: JSONDocument) throws(RecordProblem) {
    let foreign = "this is not a baseline of understudy"
    let help = "`--update-baseline` writes one"
    let root = document.root
    guard root.isObject, let format = root["format"] else { throw RecordProblem(foreign, at: root, help: help) }
    guard format.int == Self.format else {
      throw RecordProblem("\(foreign): expected `format: \(Self.format)`", at: format, help: help)
    }
    let record = try JSONRecord(root)
    entries = try record.list("findings") { (node) throws(RecordProblem) in
      let entry = try JSONRecord(node)
      return Entry(
        fingerprint: try entry.text("fingerprint"), rule: try entry.text("rule"), subject: try entry.text("subject"),
        message: try entry.text("message"), until: try Self.day(node))
    }
  }

  private static func day(_ entry: JSON) throws(RecordProblem) -> String? {
    guard let node = entry["until"] else { return nil }
    let parts = node.text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard node.isString, parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy { 48...57 ~= $0 } }) else {
      throw RecordProblem("`until` is not a day: expected one such as `2027-01-31`", at: node)
    }
    return node.text
  }
}

extension Report {
  /// Whether the run covered everything that it could.
  package var isWhole: Bool {
    run.shard == nil && run.limits == nil && run.abortedBecause == nil
      && !cases.contains { if case .failedToRun = $0.outcome { true } else { false } }
  }
}
