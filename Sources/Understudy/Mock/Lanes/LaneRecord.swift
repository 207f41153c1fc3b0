extension LaneState {
  /// The most exchanges that the checks look back.
  private static let historyLimit = 200
  /// The most problems that are kept.
  private static let findingLimit = 100

  /// Begins a scenario; the clients' checks of the last one end.
  package mutating func play(_ name: String?, in mock: Mock) { play(name, among: mock.scenarios) }

  mutating func play(_ name: String?, among scenarios: [String: PlayedScenario]) {
    let old = scenario.flatMap { scenarios[$0]?.checks } ?? []
    checks.removeAll { old.contains($0) }
    // A collection of a scenario begins with its fixtures.
    if [scenario, name].compactMap(\.self).contains(where: { scenarios[$0]?.resources != nil }) {
      resources = ResourceState()
    }
    (scenario, positions, machines) = (name, [:], [:])
    checks += name.flatMap { scenarios[$0]?.checks } ?? []
  }

  /// Notes an exchange, and adds what the client breaks by it to the reply.
  mutating func note(
    _ reply: inout Reply, to request: HTTPRequest, _ body: [UInt8], _ view: RequestView?, rules: ValidationOptions,
    at now: Int
  ) {
    guard isObserved || scenario != nil || !checks.isEmpty else { return }
    let exchange = CheckedExchange(request, body, view, reply, number: requests, at: now, checks)
    reply.diagnostics += breaches(of: exchange).compactMap(rules.weighed)
    for finding in reply.diagnostics where finding.owner == .client { add(finding, exchange) }
    history.append(exchange)
    if history.count > 2 * Self.historyLimit { history.removeFirst(Self.historyLimit) }
  }

  private func breaches(of exchange: CheckedExchange) -> [Diagnostic] {
    checks.compactMap { settings in
      guard let check = ClientChecks.named(settings.rule),
        let breach = check.breach(of: exchange, after: history[...], settings)
      else { return nil }
      let notes = breach.proof.map { proof in
        let wait = ClientCheckTime.text(exchange.time - proof.time)
        return [
          Diagnostic.Note("request \(proof.number): \(proof.text)"),
          Diagnostic.Note("request \(exchange.number), \(wait) later: \(exchange.text)"),
        ]
      }
      return Diagnostic(check.rule, breach.message, notes: notes ?? [], help: breach.help)
    }
  }

  private mutating func add(_ diagnostic: Diagnostic, _ exchange: CheckedExchange) {
    let known = findings.firstIndex { known in
      // The message of a check has times and counts, which differ each time.
      known.rule == diagnostic.rule.id
        && (diagnostic.rule.isAboutSequences
          ? known.operation == exchange.operation : known.message == diagnostic.message)
    }
    if let known {
      findings[known].count += 1
    } else if findings.count < Self.findingLimit {
      findings.append(LaneFinding(diagnostic, exchange))
    }
  }
}
