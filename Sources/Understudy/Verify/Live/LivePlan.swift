/// Makes the requests of one operation, phase by phase, each once: the same for the same contract, seed and count.
///
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
  private var pending: [LiveCall] = []
  private var seen: Set<WireRequest> = []

  init(_ subject: LiveOperation, settings: LiveSettings, known: KnownValues) {
    self.subject = subject
    self.settings = settings
    self.known = known
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
    guard var call, seen.insert(call.wire).inserted || call.fixture != nil else { return }
    if let violation = call.violation, subject.refusals.isIgnored(violation) { return }
    call.phase = phase
    count += 1
    pending.append(call)
  }

  mutating func skip(_ reason: String) { notMade.add(reason) }

  // MARK: - Phases

  /// The contract's examples.
  mutating func addExamples() {
    phase = .examples
    valid.examples(into: &self)
  }

  /// A request with every optional part, one without, and one of each media type.
  mutating func addBasics() {
    phase = .coverage
    for variant in valid.basics { add(valid.call(variant)) }
  }

  mutating func addRandom() {
    phase = .random
    for variant in 0..<settings.count { add(valid.call(variant)) }
  }

  /// Requests at the boundaries of schemas.
  mutating func addBoundaries(around base: RequestDraft) {
    phase = .coverage
    valid.boundaries(around: base, into: &self)
  }

  mutating func addFixtures(around base: RequestDraft) {
    phase = .examples
    FixtureRequests(subject: subject, base: base).add(to: &self, settings.mode)
  }

  /// Requests that break the contract, and unusual ones.
  ///
  /// - Parameters:
  ///   - richest: The request with the most that can be unusual.
  ///   - triesMethods: Whether methods are tried that the path does not have.
  mutating func addInvalid(
    _ base: RequestDraft, withBody: RequestDraft, richest: RequestDraft, triesMethods: Bool
  ) {
    phase = .coverage
    let invalid = InvalidRequests(subject: subject, base: base, baseWithBody: withBody)
    for call in invalid.calls(limit: 4 * settings.count) { add(call) }
    for call in triesMethods ? invalid.methods(allowsUnsafe: settings.allowsUnsafe) : [] { add(call) }
    for call in UnusualRequests(subject: subject, base: base, baseWithBody: richest).calls()
    where settings.mode == .all || call.violation != nil {
      add(call)
    }
  }

  /// The valid requests to start from where the server accepted none.
  var fallback: AcceptedRequests {
    AcceptedRequests(valid.basics.compactMap { valid.call($0) })
  }
}
