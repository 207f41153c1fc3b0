/// Makes the requests of one operation, phase by phase, each once: the same for the same contract, seed and count.
/// Later phases start from a request that the server accepted, so the plan grows while it is carried out.
struct LivePlan: Sendable {
  let subject: LiveOperation
  let settings: LiveSettings
  let known: KnownValues
  /// The calls that were made, sent or not.
  private(set) var count = 0
  /// The requests that could not be made, by reason.
  private(set) var notMade: [Report.NotValidated] = []
  private var phase = LiveSettings.Phase.examples
  /// The accepted request that the next calls vary; `nil` for calls of their own.
  var base: WireRequest?
  private var pending: [LiveCall] = []
  /// The calls that come after those of all operations.
  private(set) var deferred: [LiveCall] = []
  private var seen: Set<WireRequest> = []

  init(_ subject: LiveOperation, settings: LiveSettings, known: KnownValues) {
    (self.subject, self.settings, self.known) = (subject, settings, known)
  }

  private var valid: ValidRequests { ValidRequests(subject: subject, count: settings.count, known: known) }

  /// The calls that are still to be sent.
  mutating func take() -> [LiveCall] {
    defer { pending = [] }
    return pending
  }

  /// Makes no call of a request that was sent already.
  mutating func omit(_ call: LiveCall) { seen.insert(call.wire) }

  mutating func add(_ call: LiveCall?) {
    // A fixture's answer is compared even where its request is one of the others.
    guard var call, seen.insert(call.wire).inserted || call.fixture != nil || call.isOfCredentials else { return }
    if let violation = call.violation, subject.refusals.isIgnored(violation) { return }
    call.phase = phase
    call.base = base
    guard !call.mayEndServer else { return deferred.append(call) }
    count += 1
    pending.append(call)
  }

  mutating func skip(_ reason: String) { notMade.add(reason) }

  mutating func addExamples() {
    phase = .examples
    valid.examples(into: &self)
  }

  /// A request with every optional part, one without, and one of each media type.
  mutating func addBasics() {
    phase = .coverage
    for variant in valid.basics { add(valid.call(variant)) }
  }

  mutating func addLone(_ call: LiveCall) {
    phase = .coverage
    add(call)
  }

  /// Requests with one optional parameter beside the required ones.
  var lone: [LiveCall] { valid.lone() }

  mutating func addRandom(_ variant: Int) -> Bool {
    phase = .random
    let before = count
    add(valid.call(variant))
    return count > before
  }

  func boundaries(around base: RequestDraft) -> [CombinedEdges] { valid.boundaries(around: base) }

  func unusualParameters() -> [CombinedEdges] { UnusualParameters(subject: subject).edges() }

  mutating func addTogether(_ edges: CombinedEdges, around base: RequestDraft) -> Bool {
    phase = .coverage
    guard let call = edges.together(around: base, of: subject), isWanted(call) else { return false }
    add(call)
    return true
  }

  mutating func addAlone(_ edge: CombinedEdges.Edge, of edges: CombinedEdges, around base: RequestDraft) {
    phase = .coverage
    if let call = edges.alone(edge, around: base, of: subject), isWanted(call) { add(call) }
  }

  private func isWanted(_ call: LiveCall) -> Bool {
    call.purpose != .answerOnly || settings.mode == .all || call.violation != nil
  }

  mutating func addFixtures(around base: RequestDraft) {
    phase = .examples
    FixtureRequests(subject: subject, base: base).add(to: &self, settings.mode)
  }

  /// The requests that break the contract, by the place that they break.
  func invalid(_ base: RequestDraft, withBody: RequestDraft) -> [InvalidRequests.Group] {
    InvalidRequests(subject: subject, base: base, baseWithBody: withBody).calls(limit: 4 * settings.count)
  }

  mutating func addInvalid(_ call: LiveCall) {
    phase = .coverage
    add(call)
  }

  mutating func addMethods(_ base: RequestDraft) {
    phase = .coverage
    let invalid = InvalidRequests(subject: subject, base: base, baseWithBody: base)
    for call in invalid.methods(allowsUnsafe: settings.allowsUnsafe) { add(call) }
  }

  /// Methods that servers rarely know, which one path shows for all.
  mutating func addUnknownMethods(_ base: RequestDraft) {
    phase = .coverage
    for call in InvalidRequests(subject: subject, base: base, baseWithBody: base).callsOfUnknownMethods() { add(call) }
  }

  /// - Parameter richest: The request with the most that can be unusual.
  mutating func addUnusual(_ base: RequestDraft, richest: RequestDraft) {
    phase = .coverage
    for call in UnusualRequests(subject: subject, base: base, baseWithBody: richest).calls() where isWanted(call) {
      add(call)
    }
  }

  /// Unusual bodies for a resource that the server does not know. A body that is not text is sent there in any case, as a
  /// handler may look for the resource first; before the others, of which one may create it.
  ///
  /// - Parameter all: Whether to send all of them: the server accepted no request to the resources that it knows. If it knows
  ///   none and the contract has no example, the path is already invented.
  mutating func addUnusualBodies(around richest: RequestDraft, all: Bool) {
    phase = .coverage
    let hasExamples = richest.pathValues(of: subject.operation).contains { !$0.argument.parameter.examples.isEmpty }
    guard hasExamples || !known.known(inPathOf: richest, subject.operation).isEmpty else { return }
    let invented = valid.inventingPath(of: richest)
    let unusual = UnusualRequests(subject: subject, base: invented, baseWithBody: invented)
    let calls = [unusual.notUTF8()].compactMap(\.self) + (all ? unusual.bodyCalls() : [])
    for call in calls where isWanted(call) { add(call) }
  }

  /// The valid requests to start from where the server accepted none.
  var fallback: AcceptedRequests { AcceptedRequests(valid.basics.compactMap { valid.call($0) }) }
}
