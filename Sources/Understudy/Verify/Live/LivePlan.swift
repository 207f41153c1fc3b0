/// The requests of one operation: the same for the same contract, seed and count.
struct LivePlan: Sendable {
  let calls: [LiveCall]
  /// The requests that could not be made, by reason.
  let notMade: [Report.NotValidated]

  init(_ subject: LiveOperation, mode: LiveSettings.Mode, count: Int, allowsUnsafe: Bool, triesMethods: Bool) {
    var planning = Planning(subject)
    let valid = ValidRequests(subject: subject, count: count)
    let drafts = valid.drafts()
    let base = drafts.lazy.compactMap { subject.validCall($0, .valid, "") }.first
    if mode != .negative {
      valid.examples(into: &planning)
      for (variant, draft) in drafts.enumerated() {
        planning.add(subject.validCall(draft, .valid, "generated request \(variant + 1)"))
      }
      if let base { valid.boundaries(around: base.draft, into: &planning) }
    }
    if let base { FixtureRequests(subject: subject, base: base.draft).add(to: &planning, mode) }
    if mode != .positive, let base {
      let invalid = InvalidRequests(subject: subject, base: base.draft)
      for call in invalid.calls(limit: 4 * count) { planning.add(call) }
      if triesMethods {
        for call in invalid.methods(allowsUnsafe: allowsUnsafe) { planning.add(call) }
      }
    }
    if base == nil { planning.skip("no valid request could be generated") }
    calls = planning.calls
    notMade = planning.notMade
  }
}

/// Collects calls, each once.
struct Planning {
  private let subject: LiveOperation
  private(set) var calls: [LiveCall] = []
  private(set) var notMade: [Report.NotValidated] = []
  private var seen: Set<WireRequest> = []

  init(_ subject: LiveOperation) { self.subject = subject }

  mutating func add(_ call: LiveCall?) {
    guard let call, seen.insert(call.wire).inserted else { return }
    if let violation = call.violation, subject.refusals.isIgnored(violation) { return }
    calls.append(call)
  }

  mutating func skip(_ reason: String) { notMade.add(reason) }
}
