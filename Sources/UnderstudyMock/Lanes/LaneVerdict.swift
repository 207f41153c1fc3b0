package struct LaneVerdict: Sendable {
  package let requests: Int
  /// What the client broke, each problem once, in the order of the requests.
  package let findings: [LaneFinding]
  /// The replies of the lane with a step that has answered no request.
  package let unused: [LaneReply]
  /// The reasons that requests may be missing.
  package var reasons: [String] = []

  package var isPassed: Bool { outcome == "passed" }

  /// A problem is certain, even where requests may be missing.
  private var outcome: String {
    if findings.contains(where: { $0.diagnostic.severity == .error }) { return "failed" }
    return reasons.isEmpty ? "passed" : "unknown"
  }

  package func json(_ redactor: inout Redactor) -> Redacted<JSON> {
    let unused = unused.map { reply in
      JSON.object(
        ("number", .integer(reply.number)), ("operation", .string(reply.operation)),
        ("message", .string(redactor.redact(message: reply.unused ?? "").value)))
    }
    return Redacted.list(findings.map { $0.json(&redactor) }).map { findings in
      .object(
        ("verdict", .string(outcome)), ("requests", .integer(requests)), ("findings", .array(findings)),
        ("unused", .array(unused)), ("reasons", reasons.isEmpty ? nil : .array(reasons.map(JSON.string))))
    }
  }

  /// The verdict with the requests that the state of the unnamed lane did not have to see, numbered by the journal.
  package func adding(_ requests: UnnamedRequests, _ entries: [JournalEntry]) -> LaneVerdict {
    // The state has what checks and scenarios find, each once for an operation.
    let added = requests.problems.filter { problem in
      !problem.diagnostic.rule.isAboutSequences && !findings.contains { problem.isSame(as: $0.diagnostic) }
    }
    .map { problem in
      let entry = entries.first {
        $0.served.reply.lane == nil && $0.served.reply.diagnostics.contains(where: problem.isSame)
      }
      return LaneFinding(problem, number: entry?.number)
    }
    return LaneVerdict(
      requests: max(self.requests, requests.count), findings: added + findings, unused: unused, reasons: reasons)
  }
}

extension Mock {
  /// The verdict on the client of a lane; `now` is the machine's clock, in microseconds since 1970.
  package func verdict(of state: LaneState, at now: Int? = nil, isClosing: Bool = false) -> LaneVerdict {
    let time = state.time(at: now ?? options.now())
    let missing = missingRequests(of: state, at: time).map { LaneFinding($0.finding, by: nil) }
    var state = state
    for exchange in state.history.exchanges where exchange.isUnderWay {
      let rules = operations.first { $0.id == exchange.operation }?.options ?? options.rules.validationOptions()
      _ = state.end(exchange.number, rules: rules, at: min(exchange.due ?? time, time))
    }
    state.checkSockets(options.rules.validationOptions(), at: time, isClosing: isClosing)
    return LaneVerdict(
      requests: state.requests, findings: state.findings + missing,
      unused: state.replies.filter { $0.unused != nil })
  }

  /// The findings about a client that closes its lane and that no single exchange shows; `now` is the machine's clock,
  /// in microseconds since 1970, and `includesEnds` adds the findings that the ends of exchanges show.
  package func closingFindings(
    of state: LaneState, at now: Int? = nil, includesEnds: Bool = false
  ) -> [ClosingFinding] {
    let now = now ?? options.now()
    let found = verdict(of: state, at: now, isClosing: true).findings.filter {
      $0.isAboutSockets || includesEnds && $0.isAboutEnds
    }
    return missingRequests(of: state, at: state.time(at: now))
      + found.map { ClosingFinding(contract: "", operation: "", finding: $0.diagnostic) }
  }

  /// The findings about events of sockets that the client of a lane sent.
  package func eventFindings(of state: LaneState) -> [ClosingFinding] {
    state.findings.map(\.diagnostic).filter(\.rule.isAboutEvents).map {
      ClosingFinding(contract: "", operation: "", finding: $0)
    }
  }

  /// The requests that the scenario asks for, and that have not come by `time` of the lane, in microseconds since 1970.
  package func missingRequests(of state: LaneState, at time: Int) -> [ClosingFinding] {
    guard let scenario = state.scenario.flatMap({ scenarios[$0] }) else { return [] }
    return scenario.expectations(in: state, at: time).compactMap { expected in
      let (place, owner) = (expected.state, expected.owner)
      let operations = place.expects.map { "`\($0)`" }.joined(separator: " or ")
      let note = expected.cause.flatMap { number in state.history.exchanges.first { $0.number == number } }.map {
        exchange in
        Diagnostic.Note("request \(exchange.number): \(exchange.text)")
      }
      let finding = Diagnostic(
        .checkMissingRequest,
        "the client did not call \(operations) in the state \(place.name)" + (owner.isEmpty ? "" : " of `\(owner)`")
          + (place.summary.map { ": \($0)" } ?? ""),
        notes: note.map { [$0] } ?? [], help: "the answer that led to the state asks for it")
      let operation = place.expects.first ?? ""
      return options.rules.validationOptions(for: operation).weighed(finding).map {
        ClosingFinding(contract: expected.contract, operation: operation, finding: $0)
      }
    }
  }
}
