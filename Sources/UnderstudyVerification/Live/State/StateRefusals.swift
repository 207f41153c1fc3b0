/// Tells a refusal that is about the state of a server (`no daemon runs`) from one of a request: every valid request gets it
/// in the same words, also the one that has no part that the server could mind.
struct StateRefusals: Sendable {
  /// What the server said to valid requests, with the status.
  private var answers: Set<[String]> = []
  private var isAskedWithNothing = false

  mutating func note(_ evidence: LiveEvidence) {
    answers.insert([String(evidence.status), evidence.ownWords])
    let draft = evidence.call.draft
    if draft.arguments.isEmpty, draft.body == nil { isAskedWithNothing = true }
  }

  var areAll: Bool { isAskedWithNothing && answers.count == 1 && answers.first?[1].isEmpty == false }
}
