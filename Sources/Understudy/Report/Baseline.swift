/// Findings that are known: shown and counted, never failing. A finding is known by its fingerprint, which no line number
/// is part of.
///
/// The file is YAML with a finding a line, sorted, so that two branches merge without a conflict.
package struct Baseline: Sendable, Equatable {
  /// A known finding; all but the fingerprint is there for people.
  package struct Entry: Sendable, Hashable {
    package var fingerprint: String
    package var rule: String
    /// `GET /pets 200`
    package var subject: String
    package var message: String

    package init(fingerprint: String, rule: String, subject: String, message: String) {
      self.fingerprint = fingerprint
      self.rule = rule
      self.subject = subject
      self.message = message
    }
  }

  package private(set) var entries: [Entry]
  private static let format = 1
  private static let longest = 200
  /// A gate that was not passed is what somebody asked for in this very run.
  private static let gates = Set(Rule.coverage.map(\.id))

  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// What remains known after a run that may not have looked at everything, beside what it found: of operations that it left
  /// out, as those that change data, nothing is proved.
  package func remaining(after report: Report) -> Baseline {
    guard report.isWhole else { return self }
    let skipped = report.cases.compactMap { item in if case .skipped = item.outcome { item.subject.title } else { nil }
    }
    return Baseline(
      entries.filter { entry in skipped.contains { entry.subject == $0 || entry.subject.hasPrefix($0 + " ") } })
  }

  /// Everything that a report found.
  package init(of report: Report) {
    self.init(report.findings.filter { !Self.gates.contains($0.rule) }.map(Self.entry))
  }

  private static func entry(_ finding: Report.Finding) -> Entry {
    Entry(
      fingerprint: finding.fingerprint, rule: finding.rule,
      subject: VisibleText.shortened(finding.subject.titleWithStatus, to: longest),
      message: VisibleText.shortened(finding.message, to: longest))
  }

  /// Both together.
  package func union(_ other: Baseline) -> Baseline { Baseline(entries + other.entries) }

  // MARK: - In a run

  /// Marks what is known. What the baseline has and a whole run did not meet is told as a remark; a part of a run, or one
  /// that was cut short, proves nothing about the rest.
  package func apply(to report: inout Report, file: String) {
    let known = Set(entries.map(\.fingerprint))
    var met = Set<String>()
    for item in report.cases.indices {
      for finding in report.cases[item].findings.indices {
        let fingerprint = report.cases[item].findings[finding].fingerprint
        guard known.contains(fingerprint), !Self.gates.contains(report.cases[item].findings[finding].rule) else {
          continue
        }
        report.cases[item].findings[finding].isKnown = true
        met.insert(fingerprint)
      }
    }
    let remaining = Set(remaining(after: report).entries)
    let stale = entries.filter { !met.contains($0.fingerprint) && !remaining.contains($0) }
    guard let first = stale.first else { return }
    report.remarks.append(
      "\(file) knows \(stale.count.counted("finding")) that nothing met, as \(first.rule) at \(first.subject): "
        + "`--update-baseline` removes what is stale")
  }

  // MARK: - The file

  /// The file's text.
  package var text: String {
    var seen = Set<String>()
    let unique = entries.filter { seen.insert($0.fingerprint).inserted }
    let lines = unique.map { entry in
      (
        [entry.rule, entry.subject, entry.fingerprint],
        """
        - {rule: \(Self.quoted(entry.rule)), subject: \(Self.quoted(entry.subject)), \
        fingerprint: \(Self.quoted(entry.fingerprint)), message: \(Self.quoted(entry.message))}

        """
      )
    }
    .sorted { a, b in a.0.lexicographicallyPrecedes(b.0) { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    return """
      # Known findings: they are shown and counted, and fail nothing. `--update-baseline` writes this file anew;
      # lines may be removed by hand.
      format: \(Self.format)
      findings:\(lines.isEmpty ? " []" : "")

      """ + lines.map(\.1).joined()
  }

  /// A double-quoted scalar of YAML; whatever is no plain letter to a reader is escaped.
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

  /// Reads the file.
  package init(_ document: JSONDocument) throws(RecordProblem) {
    let foreign = "this is no baseline of understudy"
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
        message: try entry.text("message"))
    }
  }
}

extension Report {
  /// Whether everything was looked at that the run could look at.
  package var isWhole: Bool {
    run.shard == nil && run.limits == nil && run.abortedBecause == nil
      && !cases.contains { item in if case .failedToRun = item.outcome { true } else { false } }
  }
}
