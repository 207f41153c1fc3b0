import Synchronization

/// Asks a running server what contracts say it answers, and validates what it does.
package struct LiveVerifier: Sendable {
  private let contracts: [Contract]
  private let settings: LiveSettings
  private let client: LiveClient
  private let isOver: @Sendable () -> String?

  /// - Parameters:
  ///   - isOver: Asked before every request: why the run must end, once it must.
  package init(
    _ contracts: [Contract], settings: LiveSettings, transport: @escaping Transport,
    isOver: @escaping @Sendable () -> String? = { nil }
  ) {
    self.contracts = contracts
    self.settings = settings
    self.isOver = isOver
    client = LiveClient(transport: transport)
  }

  /// Fills a report; what was found before the run had to end is kept.
  package func verify(into report: inout Report) async {
    let progress = LiveProgress(maximumFailures: settings.maximumFailures, isOver: isOver)
    var valid = 0
    var reached = 0
    var coverage = LiveCoverage(contracts, settings)
    for (position, contract) in contracts.enumerated() {
      let run = ContractRun(
        subjects: LiveOperations(contract, settings), settings: settings, client: client, progress: progress)
      let results = await run.verify(into: &report)
      coverage.add(results, ofContract: position)
      valid += results.reduce(0) { $0 + $1.validCount }
      reached += results.count { $0.count { 200...399 ~= $0 } > 0 }
    }
    settings.redaction.hideSecrets(in: &report)
    report.coverage = coverage.finished()
    let lost = report.cases.compactMap { lost -> (Report.Subject, String)? in
      if case .failedToRun(let reason) = lost.outcome { (lost.subject, reason) } else { nil }
    }
    report.run.abortedBecause =
      progress.reasonToStop
      ?? lost.first.map { subject, reason in
        "the server gave no answer in \(lost.count.counted("operation")), the first \(subject.title): \(reason)"
      }
    // Refusals that the contract documents are no findings, but where nothing else came, next to nothing was validated.
    guard report.run.abortedBecause == nil, valid > 0, reached == 0,
      !report.findings.contains(where: { $0.severity == .error })
    else { return }
    report.run.abortedBecause =
      "none of \(valid.counted("valid request")) got a 2xx or 3xx: is \(settings.target.url) the base URL, are credentials and data there?"
  }
}

/// Asks about the operations of one contract.
private struct ContractRun {
  let subjects: LiveOperations
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress

  /// Gives back what came of every operation that was asked.
  func verify(into report: inout Report) async -> [OperationResult] {
    var chosen: [LiveOperation] = []
    for subject in subjects.all where subjects.isChosen(subject, settings) {
      if subject.onlyUpgrades {
        report.cases.append(
          Report.Case(subject.subject(), "live", outcome: .skipped("101 is its only success, which switches protocols"))
        )
        report.skip("an operation that only switches protocols (101)")
      } else if subject.isSafe || settings.allowsUnsafe {
        chosen.append(subject)
      } else {
        report.cases.append(
          Report.Case(
            subject.subject(), "live",
            outcome: .skipped("\(subject.operation.method) may change data; --allow-unsafe sends it")))
        report.skip("an operation whose method may change data (--allow-unsafe)")
      }
    }
    var results = await ask(chosen)
    if settings.mode != .negative {
      await LinkedSequences(subjects: subjects, settings: settings, client: client, progress: progress).run(
        into: &results)
    }
    for index in results.indices { ImplementationCheck.apply(to: &results[index]) }
    CredentialsCheck(contract: subjects.contract).apply(to: &results, &report)
    report.remarks += LiveRemarks(results).texts
    for result in results { OperationCases(result).add(to: &report) }
    return results
  }

  /// The results, in the order of the contract. Asked for in an order that creates before it reads, and deletes last.
  private func ask(_ chosen: [LiveOperation]) async -> [OperationResult] {
    let order = chosen.indices.sorted { a, b in
      (Self.rank(chosen[a].operation.method), a) < (Self.rank(chosen[b].operation.method), b)
    }
    let queue = Queue(order)
    var firstOfPath: Set<String> = []
    let asksForMethods = Set(
      chosen.indices.filter { firstOfPath.insert(chosen[$0].operation.path).inserted })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<max(1, min(settings.workers, chosen.count)) {
        group.addTask {
          while let position = queue.next() {
            let run = OperationRun(
              subject: chosen[position], settings: settings, client: client, progress: progress,
              asksForMethods: asksForMethods.contains(position))
            queue.finish(position, await run.result())
          }
        }
      }
    }
    return queue.results
  }

  private static func rank(_ method: String) -> Int {
    ["POST", "GET", "HEAD", "OPTIONS", "QUERY", "PUT", "PATCH", "DELETE"].firstIndex(of: method) ?? 8
  }
}

/// Hands out operations in an order, and takes what came of them in any.
private final class Queue: Sendable {
  private struct State {
    var waiting: ArraySlice<Int>
    var results: [Int: OperationResult] = [:]
  }

  private let state: Mutex<State>

  init(_ order: [Int]) { state = Mutex(State(waiting: order[...])) }

  func next() -> Int? { state.withLock { $0.waiting.popFirst() } }

  func finish(_ position: Int, _ result: OperationResult) { state.withLock { $0.results[position] = result } }

  /// By position, whatever the order was.
  var results: [OperationResult] { state.withLock { state in state.results.sorted { $0.key < $1.key }.map(\.value) } }
}
