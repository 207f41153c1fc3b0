import UnderstudySockets

extension Recorder {
  package mutating func finish() -> (plan: RecordingPlan, report: RecordingReport) {
    operations = operations.filter { !$0.value.isEmpty }
    report.operations = Set(operations.keys).union(drift.keys).count
    tallies.write(to: &report) { redactor.hidingKnown(in: $0).value }
    report.redactions = redactor.report
    report.overlays = zip(contracts, overlays).compactMap { contract, overlay in
      overlay.yaml.map { (contract: contract.name, text: redactor.hidingKnown(in: $0).value) }
    }
    report.volatile = contracts.indices.flatMap { contract in
      volatilePlaces(ofContract: contract).sorted { $0.key < $1.key }.flatMap { id, operation in
        operation.parts.map { part in
          let places = part.pointers.sorted.map { $0.pointer.isEmpty ? "the body" : $0.pointer }
          return "\(id) \(part.name): \(places.joined(separator: ", "))"
        }
      }
    }
    report.drifts = drift.sorted { $0.key < $1.key }.flatMap { $0.value.drifts }.map { drift in
      RecordingReport.Drift(cell: drift.cell, message: redactor.text(drift.message))
    }
    var plan = RecordingPlan()
    guard settings.mode != .diff else { return (plan, report) }
    for index in contracts.indices { add(contract: index, to: &plan) }
    report.redactions = redactor.report
    if settings.personal == .list { report.personal = plan.personal(by: formats) }
    report.replacedPersonal = personal.counts.map { (kind: $0.key.rawValue, count: $0.value) }.sorted {
      $0.kind < $1.kind
    }
    plan.kept += differing.sorted { $0.key < $1.key }.map { (path: $0.key, difference: $0.value) }
    return (plan, report)
  }

  /// - Parameter names: Names that are not secrets.
  private func scanner(besides names: Set<String>) -> SecretScanner {
    SecretScanner(
      set.contracts.map(\.secrets), settings: settings.redaction,
      placeholders: redactor.placeholders.union(names.map { Array($0.utf8) }))
  }

  private mutating func add(contract position: Int, to plan: inout RecordingPlan) {
    let contract = contracts[position]
    let volatile = volatilePlaces(ofContract: position)
    let answers = FinalAnswers(
      operations.sorted { $0.key < $1.key }.filter { set.contractIndex(ofOperation: $0.key) == position }.map(\.value),
      settings, &redactor, volatile: volatile, distinguishing: sharpening.distinguished)
    let recorded = answers.recordings.map(\.operation)
    var writer = ContractFixtureWriter(
      contract: contract, before: indexes[position], volatile: volatile, source: settings.source)
    var scenario = RecordedScenario(name: settings.session ?? "recorded")
    for recording in answers.recordings {
      let matchers = answers.matchers(of: recording, &redactor)
      var recording = recording
      recording.nameAnswers(by: matchers)
      report.merged += recording.merged
      for fixture in recording.fixtures(matchers) {
        writer.add(fixture)
        report.breaches +=
          fixture.when == nil || !fixture.sharesBody
          ? fixture.answer.violations.map { (fixture.label, $0) } : []
      }
      let isSharpened = sharpening.ordered.contains(recording.operation.id)
      if isSharpened || settings.session != nil || recording.needsScenario(matchers) {
        // A fixture of an earlier recording may answer a request that this server rejects.
        scenario.add(recording, addsRefusals: isSharpened)
      } else {
        scenario.addSpare(recording)
      }
    }
    scenario.sockets = socketRules(ofContract: position)
    let name = writer.add(scenario, of: recorded, in: settings)
    if settings.mode == .all { writer.removeOthers(of: recorded) }
    plan.leaks += writer.removeSecrets { redactor.hidingKnown(in: $1, ofFile: $0) }
    let (labels, secrets) = writer.finish(&plan, allowing: settings.allowedSecrets) { scanner(besides: $0) }
    let isApart = plan.doubtful.contains { $0.path.utf8Equals("\(contract.name)/_scenarios/\(name).yaml") }
    if !scenario.isEmpty, !isApart { report.scenarios.append(name) }
    report.written += labels
    report.secrets += secrets
  }

  private mutating func socketRules(ofContract position: Int) -> RecordedSocketRules? {
    let own = sockets.sockets(ofContract: position)
    guard !own.isEmpty else { return nil }
    // What the contract would send after a response was recorded.
    let operations = contracts[position].sockets.descriptions.flatMap(\.rules).compactMap(\.operationName?.0)
    // A secret that a later message names may stand in an earlier one.
    for message in own.flatMap(\.messages) { for bytes in message.texts { _ = redactor.redact(message: bytes) } }
    let unread = own.reduce(0) { $0 + $1.unread }
    if unread > 0 { tallies.lost.count("a message that cannot be decoded", by: unread) }
    let rules = RecordedSocketRules(own, silenced: operations.unique()) { bytes in
      let bytes = settings.personal == .replace ? personal.replaced(message: bytes) : bytes
      return redactor.redact(message: bytes)
    }
    playedSockets += rules.played
    report.sockets.count += own.count
    report.sockets.messages += own.reduce(0) { $0 + $1.messages.count }
    tallies.lost.add(rules.losses)
    report.lostMessages = tallies.lost.sorted.map { (what: $0, count: $1) }
    return rules
  }

  /// What is volatile in the exchanges of a contract, by the id of the operation. A name that is a secret is not shown.
  private mutating func volatilePlaces(ofContract contract: Int) -> [String: VolatileOperation] {
    var places: [String: VolatileOperation] = [:]
    for (position, operation) in volatile where set.contractIndex(ofOperation: position) == contract {
      places[set.operations[position].id] = operation.filtered { redactor.text($0).utf8Equals($0) }
    }
    return places
  }
}
