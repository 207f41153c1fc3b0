import UnderstudyRecording
import UnderstudyVerification

/// Writes the files of a recording, and reports what was recorded and what to do next.
struct RecordingOutcome {
  let contracts: [Contract]
  let folder: String
  let settings: RecordingSettings
  let common: CommonOptions
  /// The contracts and the folder of fixtures as they were named on the command line.
  let arguments: String
  /// `--upstream URL` or `--from FILE`.
  let source: String

  /// The most lines of one kind that are listed.
  private static let lineLimit = 20

  /// Throws if there are differences or nothing can be written.
  func finish(_ plan: RecordingPlan, _ report: RecordingReport) throws {
    guard settings.mode != .diff else { return try showDrifts(report) }
    let apart: String
    do throws(FileProblem) {
      apart = try plan.write(to: folder)
    } catch {
      throw CommandFailure(
        .usage, "nothing was written: \(error.path): \(error.message)",
        help: error.help ?? "free some space, or choose another folder with --fixtures")
    }
    let style = common.standardOutput
    for file in plan.files where Path.name(of: file.path) != RecordingIndex.fileName {
      Terminal.standardOutput.write(
        "\(style.green(file.isReplaced ? "replaced" : "wrote")) \(Path.join(folder, file.path))\n")
    }
    for path in plan.removed {
      Terminal.standardOutput.write("\(style.yellow("removed")) \(Path.join(folder, path))\n")
    }
    for file in plan.doubtful {
      Terminal.standardOutput.write("\(style.yellow("put aside")) \(Path.join(apart, file.path))\n")
    }
    Terminal.standardError.write(summary(plan, report))
    try Self.refuse(report.secrets, in: apart)
    guard report.recorded > 0 else {
      throw CommandFailure(.nothingChecked, "no exchange was recorded, so no fixture was written")
    }
  }

  /// Throws if files that were put aside have what looks like a secret.
  ///
  /// - Parameter folder: The folder that they are in.
  static func refuse(_ secrets: [RecordingReport.FoundSecret], in folder: String) throws {
    guard !secrets.isEmpty else { return }
    Terminal.standardError.write(
      list(
        "what still looks like a secret:",
        secrets.map { "\(Path.join(folder, $0.path)):\($0.line): \($0.excerpt) [\($0.rule)]" }))
    let ids = secrets.map(\.rule).unique().map { " --allow-secret \($0)" }.joined()
    let count = Set(secrets.map(\.path)).count
    throw CommandFailure(
      .findings, "put aside in \(folder): \(count.counted("file")) with what looks like a secret",
      help:
        "record again with --redact PLACE, which replaces the values, or with\(ids); or look at the files and move them"
    )
  }

  private func summary(_ plan: RecordingPlan, _ report: RecordingReport) -> String {
    var text = "recorded \(count(report)) of \(report.operations.counted("operation")): "
    text += "\(report.written.count.counted("fixture")), \(report.seen) seen\n"
    if report.sockets.count > 0 {
      text += "replayed by the scenario: \(report.sockets.count.counted("socket")) with "
      text += "\(report.sockets.messages.counted("message"))\n"
    }
    text += Self.list(
      "kept, because a person wrote or edited them:", plan.kept.map { "\($0.path): \($0.difference)" })
    text += Self.list("written by a person, with a secret of this recording:", plan.leaks)
    text += Self.list(
      "breaches of the contract, written as `violates`:",
      report.breaches.map { "\($0.label): \(VisibleText.line($0.finding.placedMessage)) [\($0.finding.rule.id)]" })
    if !report.redactions.isEmpty { text += "replaced secrets:\n\(report.redactions.text)" }
    if !report.replacedPersonal.isEmpty {
      text +=
        "replaced personal data: "
        + report.replacedPersonal.map { "\($0.kind) (\($0.count))" }.joined(separator: ", ") + "\n"
    }
    text += Self.list(
      "personal data that was written; --pii replace puts fakes in its place:",
      report.personal.map { "\(Path.join(folder, $0.path)): \($0.places.joined(separator: ", "))" })
    text += remarks(report)
    guard report.recorded > 0 else { return text + advice(report) }
    let scenario = report.scenarios.first.map { " --scenario \($0)" } ?? ""
    return text + "next: understudy serve\(arguments)\(scenario); understudy verify\(arguments)\n"
  }

  /// `6 exchanges`, or `6 of 17 exchanges`
  private func count(_ report: RecordingReport) -> String {
    report.recorded == report.exchanges
      ? report.exchanges.counted("exchange") : "\(report.recorded) of \(report.exchanges.counted("exchange"))"
  }

  /// What to do where nothing was recorded.
  private func advice(_ report: RecordingReport) -> String {
    let isLive = source.hasPrefix(" --upstream")
    guard report.exchanges > 0 else {
      return isLive
        ? "next: send requests to the address that `record` prints, and end it with Ctrl-C\n"
        : "next: record a session: the file has no exchange\n"
    }
    guard report.ignored.isEmpty, report.undocumented.isEmpty else {
      return "next: `servers` of the contract must have the address of the exchanges, and its paths theirs\n"
    }
    return isLive ? "next: make the upstream answer, and send the requests again\n" : ""
  }

  /// What was recorded without a fixture.
  private func remarks(_ report: RecordingReport) -> String {
    func counted(_ count: Int) -> String { count == 1 ? "" : " (\(count) times)" }
    let comparison = report.comparison
    let unequal = report.unequal.map { $0.what + counted($0.count) }
    let title = "changes from run to run, by \(comparison.compared.counted("comparison")):"
    return (comparison.compared > 0 ? Self.list(title, report.volatile.isEmpty ? ["nothing"] : report.volatile) : "")
      + Self.list(
        "not compared:", comparison.notCompared.map { "\($0.count.counted("exchange")): \($0.reason)" })
      + Self.list("not in the contract:", report.undocumented.map { $0.what + counted($0.count) })
      + Self.list(
        "requests that the mock refuses without the scenario, as they break the contract:",
        report.refused.map { $0.what + counted($0.count) })
      + Self.list(
        "left out of the replay, as another answer of the same shape stands for it; --keep all keeps each:",
        report.merged.map { $0.what + counted($0.count) })
      + Self.list("responses that a replay does not reproduce:", unequal)
      + Self.list(
        "header fields that no fixture has, as the contract does not document them:",
        report.lostFields.map { $0.what + counted($0.count) })
      + Self.list(
        "of sockets, not as recorded:", report.lostMessages.map { $0.what + counted($0.count) })
      + Self.list(
        "not recorded:",
        report.skipped.map { skipped in
          let first = skipped.first.map { skipped.count == 1 ? " (\($0))" : " (first: \($0))" } ?? ""
          return "\(skipped.count.counted("exchange")): \(skipped.reason)\(first)"
        })
      + Self.list("of other servers:", report.ignored.map { "\($0.count.counted("exchange")) with \($0.origin)" })
  }

  private static func list(_ title: String, _ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    let shown = lines.prefix(lineLimit).map { "  \(DiagnosticPrinter.visible($0))\n" }.joined()
    let rest = lines.count - lineLimit
    return "\(title)\n\(shown)" + (rest > 0 ? "  and \(rest) more\n" : "")
  }

  private func showDrifts(_ report: RecordingReport) throws {
    for drift in report.drifts {
      Terminal.standardOutput.write("\(drift.cell): \(DiagnosticPrinter.visible(drift.message))\n")
    }
    Terminal.standardError.write(
      remarks(report)
        + "compared \(count(report)) of \(report.operations.counted("operation")): "
        + "\(report.drifts.count.counted("difference"))\n")
    guard report.recorded > 0 else { throw CommandFailure(.nothingChecked, "no exchange was compared") }
    guard report.drifts.isEmpty else {
      Terminal.standardError.write(
        "next: understudy record\(arguments)\(source) --mode all writes the recorded fixtures again\n")
      throw CommandFailure(.findings)
    }
  }
}
