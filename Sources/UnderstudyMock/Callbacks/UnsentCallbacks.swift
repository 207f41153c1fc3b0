extension Mock {
  /// The reason that the mock does not send a callback with a URL, or a webhook without one, by itself; `nil` if it does.
  package func unsentReason(_ expression: String?) -> String? {
    guard let expression else { return "a webhook has no URL: `understudy ctl webhook` or a scenario sends it" }
    if options.forwardsAll { return "the upstream sends its own callbacks" }
    return options.sendsCallbacks ? CallbackURL.problem(of: expression) : "`--callbacks` is not given"
  }

  /// The declared callbacks and webhooks that the mock does not send by itself, in groups by the reason.
  package var unsentCallbacks: [(reason: String, names: [String])] {
    var groups: [(reason: String, names: [String])] = []
    // Without compiling them, as a contract may have hundreds.
    for request in contracts.flatMap(\.api.sentRequests) {
      guard let reason = unsentReason(request.expression) else { continue }
      if let index = groups.firstIndex(where: { $0.reason == reason }) {
        groups[index].names.append(request.name)
      } else {
        groups.append((reason, [request.name]))
      }
    }
    let files = callbacks?.values.joined().compactMap { sent in sent.problem.map { (sent.name, $0) } } ?? []
    return groups
      + files.sorted { $0.0 < $1.0 }.map { ("its body is a sample, as its file is not used: \($0.1)", [$0.0]) }
  }

  /// The operations of callbacks and webhooks that coverage counts: those that are sent by contract, or were sent.
  package func coveredCallbacks(_ counts: [JournalTotals.Key: Int]) -> [MockOperation] {
    let byContract = callbacks?.values.joined().map(\.operation.key) ?? []
    let counted = counts.keys.map(\.operation)
    let keys = Set(byContract + counted)
    let known = Set(operations.map(\.key))
    // The counts may include entries that are not operations of the mock.
    guard callbacks != nil || counted.contains(where: { !$0.isEmpty && !known.contains($0) }) else { return [] }
    return sent.map(\.operation).filter { keys.contains($0.key) }
  }
}
