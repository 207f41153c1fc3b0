/// Turns the result of one operation into cases of a report.
struct OperationCases {
  private let result: OperationResult

  init(_ result: OperationResult) { self.result = result }

  func add(to report: inout Report) {
    let subject = result.subject
    var cases = result.findings.cases { (subject.subject(status: $0.status), $0.check.name) }
    if result.isLockedOut {
      // A refusal for the credentials shows nothing about other errors.
      for index in cases.indices where Self.needsEntry.contains(cases[index].name) && cases[index].findings.isEmpty {
        cases[index].outcome = .skipped("valid requests are refused for their credentials as well")
        report.skip(
          "whether invalid requests are refused, as valid ones are refused for their credentials",
          count: cases[index].checked)
        cases[index].checked = 0
      }
    }
    report.cases += cases
    var outcome: Report.Outcome?
    if let (call, failure) = result.failures.first {
      let sent = result.failures.count + result.exchanges
      outcome = .failedToRun(
        "\(result.failures.count) of \(sent) requests got no answer, the first \(call.wire.request.method.rawValue) "
          + "\(call.wire.target): \(failure.message)"
          + (result.unsent > 0 ? "; \(result.unsent) more were not sent" : ""))
    } else if result.unsent > 0 {
      report.skip("requests that were not sent before the run ended", count: result.unsent)
      if result.exchanges == 0 { outcome = .skipped("the run ended before its turn") }
    } else if result.exchanges == 0 {
      outcome = .skipped(result.notValidated.first?.reason ?? "no request could be made")
    }
    if let outcome { report.cases.append(Report.Case(subject.subject(), "live.answered", outcome: outcome)) }
    for reason in result.notValidated { report.skip(reason.reason, count: reason.count) }
  }

  private static let needsEntry: Set<String> = Set(
    [Rule.providerInvalidAccepted, .providerHeaderIgnored, .providerMediaUnsupported].map(\.id))
}
