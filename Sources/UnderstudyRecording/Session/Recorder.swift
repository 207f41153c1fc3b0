import UnderstudySockets

/// Turns exchanges with a server into fixtures. An exchange becomes its shape at once; only new responses are held.
package struct Recorder: Sendable {
  let contracts: [Contract]
  private let routes: RecordedRoutes
  let rules: RuleSettings
  private let validator: TrafficValidator
  let settings: RecordingSettings
  var redactor: RecordingRedactor
  let formats: PersonalFormats
  var personal: PersonalReplacer
  /// By the position among the operations of all contracts.
  var operations: [Int: OperationRecording] = [:]
  var drift: [Int: OperationDrift] = [:]
  /// By contract, as they are on disk.
  let indexes: [RecordingIndex]
  /// What changes from run to run, by the position of the operation.
  var volatile: [Int: VolatileOperation] = [:]
  /// By contract; empty unless an overlay is wanted.
  var overlays: [ContractOverlay]
  var report = RecordingReport()
  var tallies = RecordingTallies()
  private var heldBytes = 0
  /// The requests that changed something on the server, and the operation of the last one.
  private var changes: (count: Int, last: String) = (0, "")
  private var created = CreatedIDs()
  var sockets: RecordedSockets
  /// How the server differs from the fixtures of people, by path.
  var differing: [String: String] = [:]
  /// The recorded exchanges, where they are played against the files that they lead to, with their operations.
  private(set) var held = HeldSession()
  private(set) var heldOperations: [Int] = []
  /// The operations that a replay has shown to need more than conditions.
  var sharpening = Sharpening()
  /// The sockets that the files replay, after `finish()`.
  var playedSockets: [PlayedSocket] = []

  /// All bodies of new fixtures together: 256 MiB.
  package static let heldLimit = 256 << 20

  /// - Parameters:
  ///   - scope: Selects the exchanges of the contracts.
  ///   - volatile: What a second pass found, besides what earlier recordings found.
  /// - Throws: If the index of an earlier recording cannot be read.
  package init(
    _ contracts: [Contract], rules: RuleSettings, scope: TrafficScope, settings: RecordingSettings,
    volatile: VolatilePlaces = VolatilePlaces()
  ) throws(FileProblem) {
    self.contracts = contracts
    sockets = RecordedSockets(contracts)
    self.rules = rules
    self.settings = settings
    let compiled = contracts.map(\.compiled)
    routes = RecordedRoutes(compiled, scope: scope)
    formats = PersonalFormats(compiled)
    personal = PersonalReplacer(formats)
    // A fixture fails on purpose.
    var own = rules
    own.levels[.responseServerError] = .off
    validator = TrafficValidator(compiled, rules: own, scope: scope)
    redactor = RecordingRedactor(compiled.map(\.secrets), settings.redaction)
    var indexes: [RecordingIndex] = []
    for contract in contracts { indexes.append(try RecordingIndex(of: contract.fixtures.folder)) }
    self.indexes = indexes
    overlays = settings.wantsOverlay ? contracts.map { ContractOverlay(of: $0.api) } : []
    learn(volatile)
  }

  var set: ContractSet { routes.contracts }

  package var exchanges: Int { report.exchanges }
  /// The number of answers that become fixtures.
  package private(set) var kept = 0

  // MARK: - Recording

  /// - Parameter isOwn: Whether it is one with our own upstream, so that every host is in scope.
  package mutating func record(_ exchange: Exchange, isOwn: Bool = false) {
    report.exchanges += 1
    let entry = settings.personal == .replace ? personal.replaced(exchange) : exchange
    if takeSocket(entry) { return }
    guard let (position, view) = routes.place(entry, isOwn: isOwn) else {
      return missed(validator.validate(entry, isOwn: isOwn), entry)
    }
    let operation = set.operations[position]
    // The mock gets what the client sent, without fakes.
    let sent = settings.personal == .replace ? routes.place(exchange, isOwn: isOwn)?.view ?? view : view
    if let reason = reasonToSkip(entry, operation) {
      skip(reason, entry, of: operation.operation)
      if settings.mode != .diff { addStep(of: view, sent, position) }
      return hold(exchange, sent, entry.response, position)
    }
    guard let response = entry.response else { return }
    // Taken out, so that it is changed in place.
    var recording = operations.removeValue(forKey: position) ?? newRecording(position)
    defer { operations[position] = recording }
    let status = response.status
    let body = recording.stable(response.body.bytes, status: status, type: response.mediaType)
    let headers = RecordedHeaders(of: operation, status: status, requestURL: entry.url).kept(of: response.fields)
    let content = response.hash(with: body, headers)
    let breach = violation(of: view, operation)
    let violation = sent === view ? breach?.violation : self.violation(of: sent, operation)?.violation
    // The mock refuses such a request by itself, with the default of the cell.
    let isRefused = status >= 400 && violation.map { operation.ownStatus(for: $0) == status } ?? false
    if let (_, finding) = breach, !isRefused, settings.mode != .diff {
      tallies.refused.count("\(operation.id) \(status): \(finding.placedMessage) [\(finding.rule.id)]")
    }
    let request = summary(of: view, in: recording)
    if !entry.isSafe, 200..<400 ~= status { created.learn(response) }
    defer { if !entry.isSafe, 200..<400 ~= status { changes = (changes.count + 1, operation.id) } }
    let (index, digest): (Int, AnswerDigest)
    if settings.mode != .diff, let known = recording.cells[status]?.index(ofContent: content) {
      (index, digest) = known
      report.seen += 1
      redactor.learn(requestOf: entry, operation.operation)
    } else {
      // Also behind a proxy, which validates no long body, and whose reply has the findings of both sides in one list.
      guard case .validated(let validated) = validator.validate(entry, isOwn: isOwn) else { return }
      if operation.operation.response(for: status) == nil { tallies.undocumented.count("\(operation.id) \(status)") }
      let clean = redactor.redact(entry, of: operation.operation)
      if !overlays.isEmpty, let response = clean.value.response {
        overlays[set.contractIndex(ofOperation: position)].add(response, of: operation)
      }
      if settings.mode == .diff { return compare(response, position, validated.answer.findings) }
      if settings.rejectsInvalid, !validated.answer.isValid {
        skip("the response breaks the contract", entry)
        recording.see(unrecorded: request, isInvalid: violation != nil)
        return hold(exchange, sent, response, position)
      }
      digest = AnswerDigest(response, content: content, body, headers, masksValues: entry.isSafe)
      let isChanged = recording.isChanged(request, digest, changes: changes.count)
      guard
        let kept = keep(
          clean, view, validated.answer.findings, after: isChanged ? changes.last : nil,
          mayDiffer: recording.isNew(request) || recording.hasGrown(request, digest), in: &recording)
      else { return }
      index = kept
      recording.cells[status]?.remember(content: content, digest, as: index)
    }
    recording.cells[status]?.count(index)
    report.recorded += 1
    recording.note(request, digest, changes: changes.count)
    let answer = OperationRecording.AnswerID(status: status, index: index)
    if isRefused {
      recording.see(request, refusal: answer)
    } else {
      recording.see(request, sent, answer, isInvalid: violation != nil, created: created)
    }
    hold(exchange, sent, response, position)
  }

  /// Adds a request whose response becomes no fixture to the sequence of its operation; `sent` is without fakes.
  private mutating func addStep(of view: RequestView, _ sent: RequestView, _ position: Int) {
    var recording = operations.removeValue(forKey: position) ?? newRecording(position)
    recording.see(
      unrecorded: summary(of: view, in: recording), isInvalid: violation(of: sent, recording.operation) != nil)
    operations[position] = recording
  }

  /// Holds a request as the client sent it, with the response without personal data, for a replay.
  private mutating func hold(
    _ exchange: Exchange, _ sent: RequestView, _ response: Exchange.Response?, _ position: Int
  ) {
    guard settings.mode != .diff else { return }
    var entry = exchange
    entry.request = sent.request
    entry.response = response
    let count = held.exchanges.count
    held.add(entry, isOwn: true)
    if held.exchanges.count > count { heldOperations.append(position) }
    if let response { countLost(response, of: set.operations[position]) }
  }

  private mutating func takeSocket(_ entry: Exchange) -> Bool {
    do throws(RecordedSockets.Loss) {
      guard settings.mode != .diff else {
        guard sockets.has(entry) else { return false }
        skip("a socket of the contract, whose messages have no fixtures to be compared with", entry)
        return true
      }
      guard try sockets.take(entry) else {
        guard entry.socket != nil else { return false }
        skip("a socket that the contract does not declare in `\(SocketReader.key)`", entry)
        return true
      }
    } catch {
      skip(error.reason, entry)
      return true
    }
    redactor.learn(requestOf: entry, nil)
    report.recorded += 1
    if let reason = entry.socket?.unreadReason { tallies.lost.count(reason) }
    if let lost = entry.socket?.lostMessages, lost > 0 {
      tallies.lost.count("a message beyond the limits of a recording", by: lost)
    }
    return true
  }

  private func summary(of view: RequestView, in recording: OperationRecording) -> RequestSummary {
    var summary = RequestSummary(view, recording.operation.operation) { pointer in
      recording.volatile.request[pointer] != nil || RecordingRedactor.isSecret(pointer)
    }
    if settings.personal == .replace { summary.mark { personal.isFake($0) } }
    return summary
  }

  /// Counts a request without an answer, and learns its secrets.
  package mutating func skip(_ reason: String, _ request: HTTPRequest?, of operation: Operation?) {
    report.exchanges += 1
    if let request { redactor.learn(Exchange(request), of: operation) }
    let path = Fingerprint.general(URIReference(request?.path ?? "/").path)
    tallies.skipped.count(reason, example: "\(request?.method.rawValue ?? "GET") \(path), exchange \(report.exchanges)")
    guard let entry = request.map({ Exchange($0) }), let (position, view) = routes.place(entry, isOwn: true) else {
      return
    }
    if settings.mode != .diff { addStep(of: view, view, position) }
    hold(entry, view, nil, position)
  }

  package func hidingKnown(in text: String) -> Redacted<String> { redactor.hidingKnown(in: text) }

  private mutating func skip(_ reason: String, _ entry: Exchange, of operation: Operation? = nil) {
    redactor.learn(requestOf: entry, operation)
    let path = Fingerprint.general(URIReference(entry.url).path)
    tallies.skipped.count(reason, example: "\(entry.method) \(path), exchange \(entry.position.index + 1)")
  }

  private mutating func missed(_ outcome: TrafficValidator.Outcome, _ entry: Exchange) {
    let reference = URIReference(entry.url)
    switch outcome {
    case .ignored:
      // Without user and password (RFC 3986, 3.2.1).
      let host = reference.authority?.split(separator: "@").last.map(String.init) ?? ""
      tallies.ignored.count((reference.scheme.map { $0 + "://" } ?? "") + host)
    case .skipped(let reason): skip(reason, entry)
    case .missed(_, _, let contract, _):
      tallies.undocumented.count("\(entry.method) \(Fingerprint.general(reference.path))")
      tallies.unrouted.count("\(entry.method) \(Fingerprint.general(reference.path))")
      // An answer of the contract may hold the token of a login that it does not document.
      let clean = redactor.redact(entry, of: nil)
      guard overlays.indices.contains(contract) else { return }
      let bases = contracts[contract].compiled.operations.first?.basePaths ?? []
      overlays[contract].add(missed: clean.value, basePaths: bases)
    case .validated: skip("it has no response", entry)
    }
  }

  /// The reason why a response becomes no fixture; `nil` if it may become one.
  private func reasonToSkip(_ entry: Exchange, _ operation: CompiledOperation) -> String? {
    guard let response = entry.response else { return "it has no response" }
    if response.status < 200 { return "a change of protocol, such as a WebSocket" }
    if response.status > 599 { return "its status \(response.status) is none of HTTP (RFC 9110, 15)" }
    if response.status == 304 { return "304 says that the client has the response already" }
    if let reason = response.body.reason { return reason }
    if entry.method == "HEAD", operation.operation.method != "HEAD" {
      return "a HEAD has no body, and the fixtures of its GET answer it"
    }
    return heldBytes > Self.heldLimit ? "the new fixtures have more than \(Self.heldLimit.asBytes)" : nil
  }

  /// Keeps the response of an exchange without secrets if it is new; returns its position in the cell. `change` is the
  /// operation that changed what the same request got before, `mayDiffer` allows another without that.
  private mutating func keep(
    _ clean: Redacted<Exchange>, _ view: RequestView, _ findings: [Diagnostic], after change: String?,
    mayDiffer: Bool, in recording: inout OperationRecording
  ) -> Int? {
    let operation = recording.operation
    guard let response = clean.value.response, var answer = RecordedAnswer(clean, of: operation) else { return nil }
    let (status, type) = (response.status, response.mediaType)
    let content = operation.operation.method == "HEAD" ? [] : response.body.bytes
    let shape = operation.shape(of: content, status: status, type: type, volatile: recording.volatile[status])
    var cell = recording.cells.removeValue(forKey: status) ?? RecordedCell()
    defer { recording.cells[status] = cell }
    // Later requests name the id of a created item, and an error may name the requested id.
    let masks =
      settings.keep == .all
      ? OperationRecording.Masking.none
      : !clean.value.isSafe || view.isRepeated(in: answer.body) ? .existing : .all
    let sameBody = { [recording, answer] cell in recording.index(ofBody: answer, type: type, masks, in: cell) }
    if let index = cell.index(
      of: shape, settings.keep, mayDiffer: change != nil || mayDiffer, after: change, sameBody: sameBody)
    {
      report.seen += 1
      guard let existing = cell.kept[index].existing else {
        if let same = sameBody(cell) { return same }
        guard settings.keep == .shapes else { return index }
        finish(&answer, clean.value, type, view, findings, of: operation)
        return cell.keep(answer, shape, asAlternativeTo: index) ?? index
      }
      if settings.mode == .all || cell.kept[index].again == nil {
        showDifference(of: existing, from: answer, operation)
      }
      if cell.kept[index].again == nil {
        finish(&answer, clean.value, type, view, findings, of: operation)
        cell.note(answer, again: index)
      }
      return index
    }
    finish(&answer, clean.value, type, view, findings, of: operation)
    kept += 1
    return cell.keep(answer, shape, after: change)
  }

  /// Notes how the server differs from the fixture of a person, which a recording leaves. Ids and times differ anyway.
  private mutating func showDifference(
    of fixture: Fixture, from answer: RecordedAnswer, _ operation: CompiledOperation
  ) {
    guard case .bytes(let bytes, _) = fixture.body, bytes != answer.body, differing[fixture.source.path] == nil else {
      return
    }
    if settings.mode != .all {
      let contract = contracts.indices.first {
        fixture.source.path.utf8.starts(with: (contracts[$0].fixtures.folder + "/").utf8)
      }
      let path = "\(operation.id)/\(Path.name(of: fixture.source.path))"
      guard let contract, !indexes[contract].isUnchanged(path, in: contracts[contract].fixtures.folder),
        VolatileText.maskedValues(bytes) != VolatileText.maskedValues(answer.body)
      else { return }
    }
    differing[fixture.source.path] = TextDifference.line(bytes, answer.body)
  }

  /// Adds to an answer that is held what it breaks, and what it repeats from its request and the clock.
  private mutating func finish(
    _ answer: inout RecordedAnswer, _ clean: Exchange, _ type: MediaRange?, _ view: RequestView,
    _ findings: [Diagnostic], of operation: CompiledOperation
  ) {
    answer.findViolations(findings, of: operation, rules.validationOptions(for: operation.id))
    if settings.writesTemplates, type?.syntax == .json, let time = clean.startedAt {
      answer.template = TemplateInference(
        view: view, clock: ClockTags(time: time), requestSchema: operation.schema(ofRequest: view)
      ).template(answer.body, operation.schema(ofAnswer: answer.status, type: type))
    }
    heldBytes += answer.body.count
  }

  /// The violation that decides the mock's refusal; `nil` for a valid request.
  private func violation(
    of view: RequestView, _ operation: CompiledOperation
  ) -> (violation: Violation, finding: Diagnostic)? {
    let options = rules.validationOptions(for: operation.id)
    return operation.requestValidator.validation(of: view, options).findings.compactMap { finding in
      finding.violation.map { ($0, finding) }
    }
    .filter { operation.violations[$0.0] != .ignore }.min { $0.0 < $1.0 }
  }

  /// Adds what a second pass found to what earlier recordings know.
  private mutating func learn(_ places: VolatilePlaces) {
    for (position, operation) in set.operations.enumerated() {
      let known = indexes[set.contractIndex(ofOperation: position)].volatile[operation.id]
      guard known != nil || places.operations[position] != nil else { continue }
      volatile[position] = known ?? VolatileOperation()
      volatile[position]?.merge(places.operations[position] ?? VolatileOperation())
    }
    report.comparison = places
  }

  /// The fixtures that an answer is compared with, and those that are written again.
  private func existing(_ position: Int) -> (kept: [Fixture], rewritten: [Fixture]) {
    let contract = set.contractIndex(ofOperation: position)
    let (contracts, index) = (contracts[contract], indexes[contract])
    let fixtures = contracts.fixtures.fixtures[set.operations[position].id] ?? []
    guard settings.mode == .all else { return (fixtures, []) }
    let folder = contracts.fixtures.folder
    func isUnchanged(_ fixture: Fixture) -> Bool {
      index.isUnchanged("\(fixture.operationId)/\(Path.name(of: fixture.source.path))", in: folder)
    }
    let rewritten = fixtures.filter(isUnchanged)
    return (fixtures.filter { fixture in !rewritten.contains { $0.source.path == fixture.source.path } }, rewritten)
  }

  private func newRecording(_ position: Int) -> OperationRecording {
    let (kept, rewritten) = existing(position)
    return OperationRecording(
      set.operations[position], existing: kept, rewritten: rewritten,
      volatile: volatile[position] ?? VolatileOperation())
  }

  private mutating func compare(_ response: Exchange.Response, _ position: Int, _ findings: [Diagnostic]) {
    var drift =
      drift[position]
      ?? OperationDrift(set.operations[position], existing(position).kept, volatile[position] ?? VolatileOperation())
    report.recorded += 1
    drift.see(response, findings)
    self.drift[position] = drift
  }
}
