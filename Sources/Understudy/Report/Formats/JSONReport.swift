/// The report for programs: everything that the model holds (`specs/report.schema.json`), and read back by
/// `JSONReportReader`.
package enum JSONReport {
  /// The version of the layout; members may be added to it, never change their meaning.
  static let format = 1

  package static func text(_ report: Report, _ context: ReportContext) -> String {
    JSONWriter.text(value(report, context), .pretty) + "\n"
  }

  static func value(_ report: Report, _ context: ReportContext) -> JSON {
    var members: [(String, JSON)] = [
      ("format", JSON(integerLiteral: format)),
      ("tool", object(("name", "understudy"), ("version", report.run.version.map(JSON.string)))),
      ("run", run(report.run)),
      ("summary", summary(report, context)),
      ("cases", .array(report.cases.map(value))),
      (
        "notValidated",
        .array(report.notValidated.map { object(("reason", .string($0.reason)), ("count", integer($0.count))) })
      ),
      ("remarks", .array(report.remarks.map(JSON.string))),
    ]
    if let coverage = report.coverage { members.append(("coverage", CoverageJSON.value(coverage))) }
    return .object(members)
  }

  private static func run(_ run: Report.Run) -> JSON {
    object(
      ("command", .string(run.command)), ("contracts", .array(run.contracts.map(JSON.string))),
      ("target", run.target.map(JSON.string)), ("seed", run.seed.map(JSON.string)),
      ("shard", run.shard.map(JSON.string)), ("limits", run.limits.map(JSON.string)),
      ("startedAt", .string(run.startedAt)),
      ("seconds", .seconds(run.duration)), ("abortedBecause", run.abortedBecause.map(JSON.string)))
  }

  /// Counts for whoever reads a report without adding up; the reader leaves them aside.
  private static func summary(_ report: Report, _ context: ReportContext) -> JSON {
    object(
      ("verdict", .string(report.verdict(context).text)), ("checked", integer(report.checked)),
      ("notValidated", integer(report.unvalidated)), ("errors", integer(report.count(.error))),
      ("warnings", integer(report.count(.warning))), ("notes", integer(report.count(.info))),
      ("known", integer(report.known)))
  }

  private static func value(_ item: Report.Case) -> JSON {
    var members = subject(item.subject)
    members.append(("name", .string(item.name)))
    switch item.outcome {
    case .validated: members.append(("outcome", "validated"))
    case .skipped(let reason): members += [("outcome", "skipped"), ("reason", .string(reason))]
    case .failedToRun(let reason): members += [("outcome", "failedToRun"), ("reason", .string(reason))]
    }
    members += [("checked", integer(item.checked)), ("seconds", .seconds(item.duration))]
    if let place = item.place { members.append(("place", value(place))) }
    members.append(("findings", .array(item.findings.map { value($0, in: item) })))
    return .object(members)
  }

  private static func subject(_ subject: Report.Subject) -> [(String, JSON)] {
    present(
      ("contract", .string(subject.contract)), ("operation", subject.operation.map(JSON.string)),
      ("method", subject.method.map(JSON.string)), ("path", subject.path.map(JSON.string)),
      ("status", subject.status.map(JSON.string)))
  }

  private static func value(_ finding: Report.Finding, in item: Report.Case) -> JSON {
    let notes = finding.notes.map { object(("message", .string($0.message)), ("place", $0.place.map(value))) }
    return object(
      ("rule", .string(finding.rule)), ("severity", .string(finding.severity.rawValue)),
      ("owner", .string(finding.owner.rawValue)), ("message", .string(finding.message)),
      ("help", finding.help.map(JSON.string)), ("place", finding.place.map(value)),
      ("notes", notes.isEmpty ? nil as JSON? : .array(notes)),
      ("subject", finding.subject == item.subject ? nil as JSON? : .object(subject(finding.subject))),
      ("count", integer(finding.count)), ("reproduction", finding.reproduction.map(JSON.string)),
      ("fingerprint", .string(finding.fingerprint)), ("known", JSON(booleanLiteral: finding.isKnown)))
  }

  private static func value(_ place: Report.Place) -> JSON {
    let excerpt = place.excerpt.map {
      object(("text", .string($0.text)), ("offset", integer($0.offset)), ("length", integer($0.length)))
    }
    return object(
      ("file", place.file.map(JSON.string)), ("line", place.line.map(integer)), ("column", place.column.map(integer)),
      ("endLine", place.endLine.map(integer)), ("endColumn", place.endColumn.map(integer)),
      ("pointer", place.pointer.map(JSON.string)), ("excerpt", excerpt))
  }

  private static func object(_ members: (String, JSON?)...) -> JSON {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  private static func present(_ members: (String, JSON?)...) -> [(String, JSON)] {
    members.compactMap { name, value in value.map { (name, $0) } }
  }

  private static func integer(_ value: Int) -> JSON { JSON(integerLiteral: value) }
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
