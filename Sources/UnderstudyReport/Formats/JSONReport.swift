/// The whole report for programs (`specs/report.schema.json`). `JSONReportReader` reads it back.
package enum JSONReport {
  /// The version of the layout. Later releases may add members, but not change their meaning.
  static let format = 1

  package static func text(_ report: Report, _ context: ReportContext) -> String {
    JSONWriter.text(value(report, context), .pretty) + "\n"
  }

  static func value(_ report: Report, _ context: ReportContext) -> JSON {
    let notValidated = report.notValidated.map { item -> JSON in
      ["reason": .string(item.reason), "count": .integer(item.count)]
    }
    return .object(
      ("format", .integer(format)),
      ("tool", .object(("name", "understudy"), ("version", report.run.version.map(JSON.string)))),
      ("run", run(report.run)), ("summary", summary(report, context)), ("cases", .array(report.cases.map(value))),
      ("notValidated", .array(notValidated)), ("remarks", .array(report.remarks.map(JSON.string))),
      ("coverage", report.coverage.map(CoverageJSON.value)))
  }

  private static func run(_ run: Report.Run) -> JSON {
    .object(
      ("command", .string(run.command)), ("contracts", .array(run.contracts.map { .string($0.path) })),
      ("contractNames", contractNames(run)),
      ("target", run.target.map(JSON.string)), ("seed", run.seed.map(JSON.string)),
      ("shard", run.shard.map(JSON.string)), ("limits", run.limits.map(JSON.string)),
      ("startedAt", .string(run.startedAt)), ("seconds", .seconds(run.duration)),
      ("abortedBecause", run.abortedBecause.map(JSON.string)))
  }

  /// The names of the contracts; omitted if all follow from the paths.
  private static func contractNames(_ run: Report.Run) -> JSON? {
    let isNamed = run.contracts.contains { $0 != Report.ContractFile($0.path) }
    return isNamed ? .array(run.contracts.map { .string($0.name) }) : nil
  }

  /// Counts for other programs; `JSONReportReader` ignores them.
  private static func summary(_ report: Report, _ context: ReportContext) -> JSON {
    [
      "verdict": .string(report.verdict(context).text), "checked": .integer(report.checked),
      "notValidated": .integer(report.unvalidated), "errors": .integer(report.count(.error)),
      "warnings": .integer(report.count(.warning)), "notes": .integer(report.count(.info)),
      "known": .integer(report.known),
    ]
  }

  private static func value(_ item: Report.Case) -> JSON {
    let (outcome, reason): (JSON, String?) =
      switch item.outcome {
      case .validated: ("validated", nil)
      case .skipped(let reason): ("skipped", reason)
      case .failedToRun(let reason): ("failedToRun", reason)
      }
    return .object(
      present: subject(item.subject) + [
        ("name", .string(item.name)), ("outcome", outcome), ("reason", reason.map(JSON.string)),
        ("checked", .integer(item.checked)), ("seconds", .seconds(item.duration)),
        ("place", item.place.map { $0.json(hasExcerpt: true) }),
        ("findings", .array(item.findings.map { value($0, in: item) })),
      ])
  }

  private static func subject(_ subject: Report.Subject) -> [(String, JSON?)] {
    [
      ("contract", .string(subject.contract)), ("operation", subject.operation.map(JSON.string)),
      ("method", subject.method.map(JSON.string)), ("path", subject.path.map(JSON.string)),
      ("status", subject.status.map(JSON.string)),
    ]
  }

  private static func value(_ finding: Report.Finding, in item: Report.Case) -> JSON {
    let others = finding.others.map { other in
      JSON.object(
        present: subject(other.subject) + [
          ("place", other.place.map(JSON.string)), ("reproduction", other.reproduction.map(JSON.string)),
        ])
    }
    return .object(
      present: finding.diagnostic.members(.report) + [
        ("subject", finding.subject == item.subject ? nil : .object(present: subject(finding.subject))),
        ("others", others.isEmpty ? nil : .array(others)), ("count", .integer(finding.count)),
        ("reproduction", finding.reproduction.map(JSON.string)), ("fingerprint", .string(finding.fingerprint)),
        ("known", JSON(booleanLiteral: finding.isKnown)),
      ])
  }
}

extension JSON {
  /// A duration as decimal seconds, to the nanosecond: `1.5`.
  static func seconds(_ duration: Duration) -> JSON {
    let (seconds, attoseconds) = duration.components
    let digits = String(max(0, attoseconds / 1_000_000_000))
    var fraction = String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
    while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    let spelling = "\(max(0, seconds))" + (fraction.isEmpty ? "" : ".\(fraction)")
    return .make { $0.append(number: spelling.utf8) }
  }
}
