import UnderstudySockets

extension LaneState {
  static let findingLimit = 100

  /// Begins a scenario; the clients' checks of the last one end.
  package mutating func play(_ name: String?, in mock: Mock) { play(name, among: mock.scenarios) }

  mutating func play(_ name: String?, among scenarios: [String: PlayedScenario]) {
    let old = scenario.flatMap { scenarios[$0]?.checks } ?? []
    checks.removeAll { old.contains($0) }
    // A collection of a scenario begins with its fixtures.
    if [scenario, name].compactMap(\.self).contains(where: { scenarios[$0]?.resources != nil }) {
      resources = ResourceState()
    }
    (scenario, positions, machines, starts) = (name, [:], [:], nil)
    sockets.restart(ofScenario: name.flatMap { scenarios[$0]?.socketFaults } ?? [])
    add(name.flatMap { scenarios[$0]?.checks } ?? [])
  }

  /// Puts the machines of the scenario into states by their names; all their instances begin anew there.
  mutating func begin(in states: [String: String], by mock: Mock) {
    guard let played = scenario.flatMap({ mock.scenarios[$0] }) else { return }
    let now = time(at: mock.options.now())
    for (key, machine) in played.keyedMachines {
      guard let name = states[machine.name] else { continue }
      starts = (starts ?? [:]).merging([key: name]) { _, new in new }
      // The timers of a machine that all requests share run from now.
      machines[key] = machine.owner == nil ? ["": MachineState(name, since: now)] : nil
    }
  }

  /// Switches checks on; one that is on already stays as it is.
  package mutating func add(_ new: [ClientCheckSettings]) { checks += new.filter { !checks.contains($0) } }

  /// Notes an exchange, and adds what the client breaks by it to the reply.
  mutating func note(
    _ reply: inout Reply, to request: HTTPRequest, _ body: [UInt8], _ view: RequestView?, rules: ValidationOptions,
    at now: Int
  ) {
    guard isObserved || scenario != nil || !checks.isEmpty || limit != nil else { return }
    let exchange = RequestDigest(request, body, view, reply, number: requests, at: now, checks)
    checks.raise(&reply.diagnostics, of: exchange.operation)
    for finding in reply.diagnostics where finding.owner == .client { add(finding, exchange) }
    for (breach, isProven) in breaches(of: exchange) {
      guard let finding = rules.weighed(breach) else { continue }
      reply.diagnostics.append(finding)
      if finding.owner == .client { add(finding, exchange, isProven: isProven) }
    }
    if let start = history.append(exchange) { historyStart = start }
    checkSockets(rules, at: now)
    // The server takes them with the outputs of the sockets.
    if sockets.hasFindings, reply.sockets == nil { reply.sockets = .outputs(held: nil) }
  }

  /// Ends an exchange, as the client has its response or has left, or by `limit`; returns what the client breaks.
  package mutating func end(
    _ number: Int, rules: ValidationOptions, at now: Int, after limit: Duration? = nil
  ) -> [Diagnostic] {
    guard let index = history.exchanges.lastIndex(where: { $0.number == number }),
      history.exchanges[index].isUnderWay || limit != nil
    else { return [] }
    history.end(at: index)
    let exchange = history.exchanges[index]
    var found: [Diagnostic] = []
    if let limit, let finding = rules.weighed(Self.waited(exchange, limit)) {
      add(finding, exchange)
      found.append(finding)
    }
    for settings in checks {
      guard let check = ClientChecks.named(settings.rule),
        let breach = check.breach(atEndOf: exchange, before: history.exchanges[(index + 1)...], at: now, settings),
        let finding = rules.weighed(Self.finding(check.rule, breach, exchange))
      else { continue }
      add(finding, breach.proof ?? exchange, isProven: breach.proof != nil)
      found.append(finding)
    }
    return found
  }

  /// What an exchange breaks, and whether the notes name it as the proof.
  private func breaches(of exchange: RequestDigest) -> [(Diagnostic, isProven: Bool)] {
    checks.compactMap { settings in
      guard let check = ClientChecks.named(settings.rule),
        let breach = check.breach(of: exchange, after: history.exchanges[...], settings)
      else { return nil }
      return (Self.finding(check.rule, breach, exchange), breach.proof != nil)
    }
  }

  /// The finding about a breach, with the two requests that prove it in their order.
  private static func finding(_ rule: Rule, _ breach: ClientCheckBreach, _ exchange: RequestDigest) -> Diagnostic {
    let notes = breach.proof.map { proof in
      let (first, last) = proof.number < exchange.number ? (proof, exchange) : (exchange, proof)
      let wait = ClientCheckTime.text(last.time - first.time)
      return [
        Diagnostic.Note("request \(first.number): \(first.text)"),
        Diagnostic.Note("request \(last.number), \(wait) later: \(last.text)"),
      ]
    }
    return Diagnostic(rule, breach.message, notes: notes ?? [], help: breach.help)
  }

  private static func waited(_ exchange: RequestDigest, _ limit: Duration) -> Diagnostic {
    Diagnostic(
      .checkNoAnswer,
      "\(exchange.method) \(exchange.target) waited for its response until the limit of the lane, "
        + "\(ScenarioDuration.text(limit)), and was ended",
      help: "give the client a time limit of its own, or the lane a higher `limit`")
  }

  /// Adds what a client breaks by an event of a socket, with the event as proof: `socket 3: chat`.
  mutating func note(_ found: [Diagnostic], proof: String) {
    for finding in found where finding.owner == .client {
      var proven = finding
      proven.notes.append(Diagnostic.Note(proof))
      add(proven, nil, isProven: true)
    }
  }

  /// Adds what a client breaks by several events of sockets, which the notes of the finding name.
  mutating func note(_ finding: Diagnostic) { add(finding, nil, isProven: true) }

  private mutating func add(_ diagnostic: Diagnostic, _ exchange: RequestDigest?, isProven: Bool = false) {
    let known = findings.firstIndex { known in
      // The message of a check has times and counts, which differ each time.
      known.diagnostic.rule == diagnostic.rule
        && (diagnostic.rule.isAboutSequences
          ? known.operation == exchange?.operation : known.diagnostic.message == diagnostic.message)
    }
    if let known {
      findings[known].count += 1
    } else if findings.count < Self.findingLimit {
      findings.append(LaneFinding(diagnostic, by: exchange, isProven: isProven))
    }
  }
}
