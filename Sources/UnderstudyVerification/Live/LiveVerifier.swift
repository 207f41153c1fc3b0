/// Sends requests to a running server and validates its answers by the contracts.
package struct LiveVerifier: Sendable {
  private let contracts: [Contract]
  private let settings: LiveSettings
  private let client: LiveClient
  private let recorder: LedgerRecorder
  private let isOver: @Sendable () -> String?

  /// - Parameter isOver: The reason to end the run, if there is one; called before every request.
  package init(
    _ contracts: [Contract], settings: LiveSettings, transport: @escaping Transport,
    isOver: @escaping @Sendable () -> String? = { nil }
  ) {
    self.contracts = contracts
    self.settings = settings
    self.isOver = isOver
    recorder = LedgerRecorder(Ledger(limit: settings.ledgerSize))
    client = LiveClient(transport: transport, recorder: recorder)
  }

  /// The exchanges of the run so far.
  package var ledger: Ledger { recorder.ledger }

  /// Fills a report, also where the run ends early.
  package func verify(into report: inout Report) async {
    let progress = LiveProgress(
      maximumFailures: settings.maximumFailures, sendsHeaders: !settings.headers.isEmpty, isOver: isOver)
    var valid = 0
    var reached = 0
    var (answered, whole) = (0, 0)
    var coverage = LiveCoverage(contracts, settings)
    for (position, contract) in contracts.enumerated() {
      var settings = settings
      var subjects = LiveOperations(contract, settings)
      let probe = CredentialsProbe(subjects: subjects, settings: settings, client: client, progress: progress)
      if let remark = await probe.remarkIfUseless() {
        report.remarks.append(remark)
        settings.inventsCredentials = false
        subjects = LiveOperations(contract, settings)
      }
      let run = ContractRun(subjects: subjects, settings: settings, client: client, progress: progress)
      let results = await run.verify(into: &report)
      if results.isEmpty { continue }
      coverage.add(results, ofContract: position)
      answered += results.reduce(0) { $0 + $1.exchanges }
      whole += results.reduce(0) { $0 + $1.wholeExchanges }
      valid += results.reduce(0) { $0 + $1.validCount }
      reached += results.count { $0.count { 200...399 ~= $0 } > 0 }
    }
    SharedFindings.merge(in: &report)
    report.remarks += [recorder.ledger.remark, progress.accessRemark].compactMap(\.self)
    report.hide(settings.redactor.secrets)
    report.coverage = coverage.finished()
    let lost = report.cases.compactMap { lost -> (Report.Subject, String)? in
      if case .failedToRun(let reason) = lost.outcome { (lost.subject, reason) } else { nil }
    }
    report.run.abortedBecause =
      progress.reasonToStop
      ?? lost.first.map { subject, reason in
        "the server gave no answer in \(lost.count.counted("operation")), the first \(subject.title): \(reason)"
      }
    if report.run.abortedBecause == nil, answered > 0, whole == 0 {
      report.run.abortedBecause = "none of \(answered.counted("answer")) could be read to its end"
    }
    // Documented refusals are not findings, but a run with nothing else validates next to nothing.
    guard report.run.abortedBecause == nil, valid > 0, reached == 0,
      !report.findings.contains(where: { $0.severity == .error })
    else { return }
    report.run.abortedBecause =
      "none of \(valid.counted("valid request")) got a 2xx or 3xx: is \(settings.target.url) the base URL, are credentials and data there?"
  }
}

private struct ContractRun {
  let subjects: LiveOperations
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress

  func verify(into report: inout Report) async -> [OperationResult] {
    func skip(_ subject: LiveOperation, _ outcome: String, _ reason: String) {
      report.cases.append(Report.Case(subject.subject(), "live", outcome: .skipped(outcome)))
      report.skip(reason)
    }
    var chosen: [LiveOperation] = []
    for subject in subjects.all where subjects.isChosen(subject, settings) {
      if subject.onlyUpgrades {
        skip(
          subject, "101 is its only success, which switches protocols",
          "an operation that only switches protocols (101)")
      } else if settings.allowsUnsafe, subject.danger == .ofAuthentication, !settings.allowsDestructive {
        skip(
          subject, "it may switch authentication on or off; --allow-destructive sends it",
          "an operation that may switch authentication on or off (--allow-destructive)")
      } else if (subject.isSafe || settings.allowsUnsafe) && subject.danger == .ofServer && !settings.allowsDestructive
      {
        skip(
          subject, "it may end or reset the server; --allow-destructive sends it",
          "an operation that may end or reset the server (--allow-destructive)")
      } else if subject.isSafe || settings.allowsUnsafe {
        chosen.append(subject)
      } else {
        skip(
          subject, "\(subject.operation.method) may change data; --allow-unsafe sends it",
          "an operation whose method may change data (--allow-unsafe)")
      }
    }
    var harvest = Harvest(chosen, settings: settings, client: client, progress: progress)
    await harvest.run()
    let basePath = BasePathCheck(settings: settings, client: client)
    /// Before everything else, which may follow from it.
    func put(first finding: Diagnostic, checked: Int) {
      report.cases.insert(
        Report.Case(
          Report.Subject(contract: subjects.contract.api.name), finding.rule.id, checked: checked,
          reporting: [finding]), at: 0)
    }
    if let finding = await basePath.finding(after: harvest.harvested, of: chosen) {
      put(first: finding, checked: harvest.harvested.values.reduce(0) { $0 + $1.exchanges.count })
      for subject in chosen { skip(subject, "the base path is wrong", "an operation below a wrong base path") }
      return []
    }
    // What may take away the run's own rights comes after everything else.
    let early = chosen.filter { $0.danger == .none }
    var results = await results(of: early, after: harvest, isFirst: true)
    let steps = SequenceSteps(
      subjects: subjects, settings: settings, client: client, progress: progress, known: harvest.known)
    if settings.mode != .negative, settings.phases.contains(.stateful) {
      await LinkedSequences(
        subjects: subjects, settings: settings, client: client, progress: progress, known: harvest.known
      ).run(into: &results)
      await StateChanges(steps: steps).run(into: &results)
    }
    let late = chosen.filter { $0.danger != .none }
    if !late.isEmpty {
      progress.beginLast()
      // What replaces the credentials of the run leaves nothing to ask afterwards.
      for danger in [OperationDanger.ofAccess, .ofCredentials, .ofAuthentication, .ofServer] {
        results += await self.results(of: late.filter { $0.danger == danger }, after: harvest)
      }
      results.sort { $0.subject.index < $1.subject.index }
    }
    if settings.mode != .negative, settings.phases.contains(.stateful) {
      await RemovedReferences(steps: steps).run(into: &results)
    }
    await LastRequests(settings: settings, client: client, progress: progress, known: harvest.known).run(into: &results)
    if progress.canReproduce, let finding = await basePath.finding(after: results) {
      put(first: finding, checked: results.reduce(0) { $0 + $1.validCount })
      for index in results.indices { results[index].findings.removeAll { $0.finding.subject.status == "404" } }
    } else {
      for index in results.indices { ImplementationCheck.apply(to: &results[index]) }
    }
    CredentialsCheck(contract: subjects.contract).apply(to: &results, &report)
    report.remarks += LiveRemarks(results).texts
    for result in results { result.addCases(to: &report) }
    addLost(harvest.known, to: &report)
    return results
  }

  /// Adds the request after which the server responds to nothing.
  private func addLost(_ known: KnownValues, to report: inout Report) {
    guard let lost = progress.takeLost(), let diagnostic = lost.finding else { return }
    var finding = Report.Finding(diagnostic, about: lost.subject.subject())
    var reproduction = Reproduction(known: known, redactor: settings.redactor)
    reproduction.add(lost.call, of: lost.subject, deletesFirst: false)
    finding.reproduction = reproduction.text + "\n" + known.withoutSecrets(lost.known.curl(settings.redactor))
    report.cases.append(
      Report.Case(finding.subject, Rule.providerServerLost.id, checked: 1, findings: [finding]))
  }

  /// The results in the order of the contract. The run itself creates before it reads, and deletes last. Where the time ends,
  /// every operation had its valid requests before any had the others. With `isFirst`, no operation was tested before.
  private func results(
    of chosen: [LiveOperation], after harvest: Harvest, isFirst: Bool = false
  ) async -> [OperationResult] {
    let order = chosen.indices.sorted { a, b in
      (Self.rank(chosen[a].operation), a) < (Self.rank(chosen[b].operation), b)
    }
    var paths: Set<String> = []
    let firstOfPath = chosen.indices.filter { paths.insert(chosen[$0].operation.path).inserted }
    // A path that needs no data shows best what a server makes of a method.
    let plainest = firstOfPath.min { a, b in
      (chosen[a].operation.template.names.count, a) < (chosen[b].operation.template.names.count, b)
    }
    let runs = chosen.indices.map { position in
      OperationRun(
        chosen[position], settings: settings, client: client, progress: progress,
        triesMethods: firstOfPath.contains(position),
        triesUnknownMethods: isFirst && position == plainest, known: harvest.known)
    }
    await Parallel.forEach(order, width: settings.workers) { position in
      await runs[position].begin(after: harvest.harvested[chosen[position].index] ?? HarvestedOperation())
    } inOrder: { _, _ in
    }
    var results: [Int: OperationResult] = [:]
    await Parallel.forEach(order, width: settings.workers) { position in
      await runs[position].finish()
    } inOrder: { position, result in
      results[position] = result
    }
    return chosen.indices.compactMap { results[$0] }
  }

  /// By the method; what is deepest in a path is deleted first, since it goes with what is around it.
  private static func rank(_ operation: Operation) -> Int {
    let methods = ["POST", "GET", "HEAD", "OPTIONS", "QUERY", "PUT", "PATCH"]
    guard operation.method == "DELETE" else { return methods.firstIndex(of: operation.method) ?? methods.count }
    return 1_000 - operation.template.segments.count
  }
}
