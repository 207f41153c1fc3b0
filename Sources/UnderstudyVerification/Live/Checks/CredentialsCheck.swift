/// Finds contracts whose valid requests are nearly all refused for their credentials.
struct CredentialsCheck {
  let contract: CompiledContract

  /// The share of operations whose valid requests must be refused. Those of the others do not count more for being more.
  private static let share = 0.8

  /// Reports the refusals once, in place of the findings in every operation.
  func apply(to results: inout [OperationResult], _ report: inout Report) {
    let tried = results.filter { $0.validCount > 0 }
    let refusals = tried.map { $0.count(where: $0.subject.refusals.isAboutCredentials) }
    let refused = refusals.reduce(0, +)
    let total = tried.reduce(0) { $0 + $1.validCount }
    let isShared = refusals.count { $0 > 0 } > 1
    let shares = zip(refusals, tried).map { Double($0) / Double($1.validCount) }
    guard isShared, shares.reduce(0, +) >= Self.share * Double(tried.count) else { return }
    for index in results.indices {
      results[index].findings.removeAll { entry in
        entry.finding.rule == Rule.providerAuthOpen.id
          || (entry.finding.rule == Rule.responseStatusUndocumented.id
            && ["401", "403"].contains(entry.finding.subject.status))
      }
    }
    let subject = Report.Subject(contract: contract.api.name)
    let schemes = contract.api.securitySchemes
    var finding = Report.Finding(
      Diagnostic(
        .providerCredentials, "\(refused) of \(total.counted("valid request")) were refused for their credentials",
        at: schemes.first.map { Location(start: $0.node) },
        help: schemes.first.map {
          "set them by --header, by UNDERSTUDY_AUTH_\(Secret.variable(named: $0.name)), or below `verify: live: auth:`"
        } ?? "the contract has no security scheme; set a header by --header"), about: subject)
    finding.count = refused
    report.cases.append(Report.Case(subject, Rule.providerCredentials.id, checked: total, findings: [finding]))
  }
}
