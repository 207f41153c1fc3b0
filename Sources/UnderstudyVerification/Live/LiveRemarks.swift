/// Remarks on a run over the operations of a contract, beside the findings.
struct LiveRemarks {
  private let results: [OperationResult]
  private let tried: [OperationResult]
  private let total: Int

  /// The share of valid requests that is worth a remark.
  private static let share = 0.1

  init(_ results: [OperationResult]) {
    self.results = results
    tried = results.filter { $0.validCount > 0 }
    total = tried.reduce(0) { $0 + $1.validCount }
  }

  var texts: [String] { ((total > 0 ? [missing, refused, unreached] : []) + [fixtures, phases]).compactMap(\.self) }

  private func isRemarkable(_ count: Int) -> Bool { Double(count) >= Self.share * Double(total) }

  private var missing: String? {
    let missing = tried.reduce(0) { $0 + $1.count { $0 == 404 } }
    guard isRemarkable(missing) else { return nil }
    return
      "\(missing) of \(total.counted("valid request")) got 404: the server lacks the data that they ask for; examples in "
      + "the contract can name existing data"
  }

  private var refused: String? {
    let refused = tried.reduce(0) { $0 + $1.count(where: $1.subject.refusals.blamesForm) }
    guard isRemarkable(refused) else { return nil }
    return
      "\(refused) of \(total.counted("valid request")) were refused as invalid: contract and server disagree"
  }

  private var unreached: String? {
    let unreached = tried.filter { !$0.wasReached }
    guard !unreached.isEmpty else { return nil }
    return "\(unreached.count.counted("operation")) never answered with a 2xx: "
      + Self.list(unreached.map(\.subject.operation.id), limit: 10)
  }

  /// Fixtures whose requests the server answers with another status. Either may be right, depending on the data.
  private var fixtures: String? {
    let answers = results.flatMap(\.fixtureAnswers)
    let others = answers.filter { !$0.fixture.expects($0.status) }
    guard !others.isEmpty else { return nil }
    return
      "\(others.count) of \(answers.count.counted("request")) of fixtures got another status than the fixture has: "
      + Self.list(others.map { "\($0.fixture.name) got \($0.status)" }, limit: 5)
  }

  /// `15 of 19 documented answers were seen after coverage, 17 after random`
  private var phases: String? {
    let documented = results.reduce(0) { $0 + $1.subject.operation.responses.count }
    var seen: Set<String> = []
    let counts = LiveSettings.Phase.allCases.compactMap { phase -> (count: Int, phase: String)? in
      let ofPhase = results.flatMap { result in
        result.seen.filter { $0.phase == phase }.compactMap { exchange in
          result.subject.operation.response(for: exchange.status).map { "\(result.subject.index) \($0.status)" }
        }
      }
      guard !ofPhase.isEmpty else { return nil }
      seen.formUnion(ofPhase)
      return (seen.count, phase.rawValue)
    }
    guard let first = counts.first else { return nil }
    let answers = documented == 1 ? "1 documented answer was" : "\(documented) documented answers were"
    return
      (["\(first.count) of \(answers) seen after \(first.phase)"]
      + counts.dropFirst().map { "\($0.count) after \($0.phase)" }).joined(separator: ", ")
  }

  private static func list(_ texts: [String], limit: Int) -> String {
    texts.prefix(limit).joined(separator: ", ") + (texts.count > limit ? " and \(texts.count - limit) more" : "")
  }
}
