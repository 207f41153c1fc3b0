/// Reads JSON reports, so that reports of several jobs can be merged and written in other formats.
package enum JSONReportReader {
  package static func report(_ document: JSONDocument) throws(RecordProblem) -> Report {
    let root = document.root
    let foreign = "this is not a JSON report of understudy"
    let help = "`--report json=FILE` and `--format json` write one"
    guard root.isObject, let format = root["format"], root["cases"] != nil else {
      throw RecordProblem(foreign, at: root, help: help)
    }
    guard let number = format.int, number >= 1 else { throw RecordProblem(foreign, at: format, help: help) }
    guard number == JSONReport.format else {
      throw RecordProblem(
        "this report has format \(number), but this version reads format \(JSONReport.format)", at: format,
        help: "read it with the version that wrote it, or a newer one")
    }
    let record = try JSONRecord(root)
    var report = Report(try run(try record.value("run")))
    report.run.version = try JSONRecord(try record.value("tool")).textIfPresent("version")
    report.cases = try record.list("cases", item)
    report.notValidated = try record.list("notValidated") { (node) throws(RecordProblem) in
      let record = try JSONRecord(node)
      return Report.NotValidated(reason: try record.text("reason"), count: try record.count("count"))
    }
    report.remarks = try record.list("remarks", text)
    report.coverage = try record.ifPresent("coverage", CoverageJSON.coverage)
    return report
  }

  private static func run(_ node: JSON) throws(RecordProblem) -> Report.Run {
    let record = try JSONRecord(node)
    var run = Report.Run(
      try record.text("command"), contracts: try contracts(node),
      target: try record.textIfPresent("target"), startedAt: try record.text("startedAt"))
    run.seed = try record.textIfPresent("seed")
    run.shard = try record.textIfPresent("shard")
    run.limits = try record.textIfPresent("limits")
    run.duration = try record.seconds("seconds")
    run.abortedBecause = try record.textIfPresent("abortedBecause")
    return run
  }

  private static func contracts(_ node: JSON) throws(RecordProblem) -> [Report.ContractFile] {
    let record = try JSONRecord(node)
    let paths = try record.list("contracts", text)
    let names = try record.listIfPresent("contractNames", text)
    guard names.isEmpty || names.count == paths.count else {
      throw RecordProblem("expected one of `contractNames` for each of `contracts`", at: node)
    }
    return paths.enumerated().map { Report.ContractFile($1, name: names.isEmpty ? nil : names[$0]) }
  }

  private static func item(_ node: JSON) throws(RecordProblem) -> Report.Case {
    let record = try JSONRecord(node)
    let subject = try subject(node)
    return Report.Case(
      subject, try record.text("name"), outcome: try outcome(record), checked: try record.count("checked"),
      duration: try record.seconds("seconds"), at: try record.ifPresent("place", DiagnosticReader.place),
      findings: try record.list("findings") { (node) throws(RecordProblem) in try finding(node, about: subject) })
  }

  private enum OutcomeName: String, CaseIterable {
    case validated, skipped, failedToRun
  }

  private static func outcome(_ record: JSONRecord) throws(RecordProblem) -> Report.Outcome {
    switch try record.choice("outcome", of: OutcomeName.allCases) {
    case .validated: .validated
    case .skipped: .skipped(try record.text("reason"))
    case .failedToRun: .failedToRun(try record.text("reason"))
    }
  }

  private static func subject(_ node: JSON) throws(RecordProblem) -> Report.Subject {
    let record = try JSONRecord(node)
    return Report.Subject(
      contract: try record.text("contract"), operation: try record.textIfPresent("operation"),
      method: try record.textIfPresent("method"), path: try record.textIfPresent("path"),
      status: try record.textIfPresent("status"))
  }

  private static func finding(_ node: JSON, about subject: Report.Subject) throws(RecordProblem) -> Report.Finding {
    let record = try JSONRecord(node)
    var finding = Report.Finding(
      try DiagnosticReader.diagnostic(node), about: try record.ifPresent("subject", self.subject) ?? subject,
      fingerprint: try record.text("fingerprint"))
    finding.others = try record.listIfPresent("others") { (node) throws(RecordProblem) in
      let record = try JSONRecord(node)
      return Report.Finding.Other(
        try self.subject(node), at: try record.textIfPresent("place"),
        reproduction: try record.textIfPresent("reproduction"))
    }
    finding.count = try record.count("count")
    finding.reproduction = try record.textIfPresent("reproduction")
    finding.isKnown = try record.flag("known")
    return finding
  }

  private static func text(_ node: JSON) throws(RecordProblem) -> String {
    guard let text = node.string else { throw RecordProblem("expected text, found \(node.kindName)", at: node) }
    return text
  }
}
