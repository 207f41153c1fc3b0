/// The requests of one operation, each once: the same for the same contract, seed and count.
struct LivePlan: Sendable {
  private let subject: LiveOperation
  private(set) var calls: [LiveCall] = []
  /// The requests that could not be made, by reason.
  private(set) var notMade: [Report.NotValidated] = []
  private var seen: Set<WireRequest> = []

  init(_ subject: LiveOperation, mode: LiveSettings.Mode, count: Int, allowsUnsafe: Bool, triesMethods: Bool) {
    self.subject = subject
    let valid = ValidRequests(subject: subject, count: count)
    let drafts = valid.drafts()
    let base = drafts.lazy.compactMap { subject.validCall($0, .valid, "") }.first
    if mode != .negative {
      valid.examples(into: &self)
      for (variant, draft) in drafts.enumerated() {
        add(subject.validCall(draft, .valid, "generated request \(variant + 1)"))
      }
      if let base { valid.boundaries(around: base.draft, into: &self) }
    }
    if let base { FixtureRequests(subject: subject, base: base.draft).add(to: &self, mode) }
    if mode != .positive, let base {
      let invalid = InvalidRequests(subject: subject, base: base.draft)
      for call in invalid.calls(limit: 4 * count) { add(call) }
      for call in triesMethods ? invalid.methods(allowsUnsafe: allowsUnsafe) : [] { add(call) }
    }
    if base == nil { skip("no valid request could be generated") }
  }

  mutating func add(_ call: LiveCall?) {
    guard let call, seen.insert(call.wire).inserted else { return }
    if let violation = call.violation, subject.refusals.isIgnored(violation) { return }
    calls.append(call)
  }

  mutating func skip(_ reason: String) { notMade.add(reason) }
}
