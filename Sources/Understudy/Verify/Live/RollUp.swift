import SourceText

/// Says once what would otherwise be said of every operation.
struct RollUp {
  let contract: CompiledContract

  /// Of the valid requests, from which share on a cause is one for all of them.
  private static let lockedShare = 0.9
  private static let remarkableShare = 0.1

  func apply(to results: inout [OperationResult], _ report: inout Report) {
    for index in results.indices { judgeImplementation(of: &results[index]) }
    rollUpCredentials(&results, &report)
    remark(results, &report)
    remarkFixtures(results, &report)
  }

  // MARK: - Operations that are not there

  private func judgeImplementation(of result: inout OperationResult) {
    let operation = result.subject.operation
    let documents = operation.responses.contains { 200...299 ~= $0.status.code }
    guard documents, result.validCount > 0 else { return }
    let hasParameters = !PathTemplate(operation.path).names.isEmpty
    func isAbsence(_ status: Int) -> Bool {
      guard operation.responses.allSatisfy({ $0.status != .code(status) }) else { return false }
      return status == 405 || status == 501 || (status == 404 && !hasParameters)
    }
    let rule = Rule.coverageStatusUnimplemented
    var verdict = LiveVerdict()
    verdict.count(.rule(rule), nil, 1)
    let isTold = result.subject.options.levels[rule] != .off
    if let call = result.firstValid, isTold, result.count(where: isAbsence) == result.validCount {
      let status = result.validAnswers.keys.min() ?? 404
      result.tally.removeAll {
        [.providerValidRejected, .providerExample, .responseStatusUndocumented].contains($0.rule)
      }
      verdict.complaints = [
        LiveComplaint(
          .rule(rule),
          Diagnostic(
            rule, "\(operation.id) answered \(status) to every one of \(result.validCount.counted("valid request"))",
            at: Location(exchange: "/status"),
            notes: operation.node.range == nil
              ? [] : [Diagnostic.Note("the contract", at: Location(start: operation.node))]),
          status: String(status))
      ]
      result.add(verdict, of: call)
    } else {
      result.add(verdict, of: nil)
    }
  }

  // MARK: - Credentials

  private func rollUpCredentials(_ results: inout [OperationResult], _ report: inout Report) {
    let tried = results.filter { $0.validCount > 0 }
    let refusals = tried.map { $0.count(where: $0.subject.refusals.isAboutCredentials) }
    let refused = refusals.reduce(0, +)
    let total = tried.reduce(0) { $0 + $1.validCount }
    let isShared = refusals.count { $0 > 0 } > 1
    guard isShared, Double(refused) >= Self.lockedShare * Double(total) else { return }
    for index in results.indices {
      results[index].tally.removeAll { key in
        key.rule == .providerAuthOpen
          || (key.rule == .responseStatusUndocumented && ["401", "403"].contains(key.status))
      }
    }
    let subject = Report.Subject(contract: contract.api.name)
    let names = contract.api.securitySchemes.map(\.name)
    let diagnostic = Diagnostic(
      .providerCredentials, "\(refused) of \(total.counted("valid request")) were refused for their credentials",
      at: names.isEmpty ? nil : contract.api.securitySchemes.first.map { Location(start: $0.node) },
      help: names.first.map {
        "give them by --header, by UNDERSTUDY_AUTH_\(LiveSettings.variable($0)), or below `verify: live: auth:`"
      } ?? "the contract names no security scheme; give a header by --header")
    report.cases.append(
      Report.Case(
        subject, Rule.providerCredentials.id, checked: total,
        findings: [Report.Finding(diagnostic, about: subject, count: refused)]))
  }

  // MARK: - Remarks

  private func remark(_ results: [OperationResult], _ report: inout Report) {
    let tried = results.filter { $0.validCount > 0 }
    let total = tried.reduce(0) { $0 + $1.validCount }
    guard total > 0 else { return }
    let missing = tried.reduce(0) { $0 + $1.count { $0 == 404 } }
    if Double(missing) >= Self.remarkableShare * Double(total) {
      report.remarks.append(
        "\(missing) of \(total.counted("valid request")) met 404: the server lacks the data that they ask for; examples in "
          + "the contract can name what exists")
    }
    let blamed = tried.reduce(0) { $0 + $1.count(where: $1.subject.refusals.blamesForm) }
    if Double(blamed) >= Self.remarkableShare * Double(total) {
      report.remarks.append(
        "\(blamed) of \(total.counted("valid request")) were refused as invalid: contract and server disagree on what is"
      )
    }
    let unreached = tried.filter { !$0.wasReached }
    if !unreached.isEmpty {
      let shown = unreached.prefix(10).map(\.subject.operation.id).joined(separator: ", ")
      report.remarks.append(
        "\(unreached.count.counted("operation")) never answered with a 2xx: \(shown)"
          + (unreached.count > 10 ? " and \(unreached.count - 10) more" : ""))
    }
  }

  /// Fixtures that the server answers otherwise. No finding: which answer is right depends on the data that is there; but a
  /// stub that says something else than its original is worth a look.
  private func remarkFixtures(_ results: [OperationResult], _ report: inout Report) {
    let answers = results.flatMap(\.fixtureAnswers)
    let others = answers.filter { !$0.fixture.expects($0.status) }
    guard !others.isEmpty else { return }
    let shown = others.prefix(5).map { "\($0.fixture.name) got \($0.status)" }.joined(separator: ", ")
    report.remarks.append(
      "\(others.count) of \(answers.count.counted("request")) of fixtures got another status than the fixture has: \(shown)"
        + (others.count > 5 ? " and \(others.count - 5) more" : ""))
  }
}

extension LiveSettings {
  /// The name of a shell variable for something: `api-key` becomes `API_KEY`.
  package static func variable(_ name: String) -> String {
    let bytes = name.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
