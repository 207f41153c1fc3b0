extension Report {
  /// Whether a running server was validated.
  private var isLive: Bool { run.command == "verify live" || (run.command == "verify" && run.target != nil) }

  /// The causes of a live run by the loss that they stand for, the worst first; other causes in their order.
  func sorted(_ causes: [Cause]) -> [Cause] {
    guard isLive else { return causes }
    return causes.enumerated().sorted { a, b in
      (a.element.first.loss, a.offset) < (b.element.first.loss, b.offset)
    }.map(\.element)
  }
}

extension Report.Finding {
  /// The rank of a finding by what a maintainer loses, from 0 for the worst.
  fileprivate var loss: Int {
    guard diagnostic.severity != .info else { return Self.ranks.count + 2 }
    let beginsWith = { (beginning: String) in rule.hasPrefix(beginning) }
    let rank = Self.ranks.firstIndex { $0.contains(where: beginsWith) }
    guard let rank else { return Self.ranks.count + (diagnostic.severity == .error ? 0 : 1) }
    // A failure of an invalid request harms fewer clients.
    return rank == Self.failures && variant.isOfInvalid ? rank + 1 : rank
  }

  private static let failures = 4

  /// The beginnings of rules, the worst first. The first rank explains all other findings of a run; the rank of failures is
  /// followed by an empty one for failures of invalid requests.
  private static let ranks: [[String]] = [
    ["prov.base-path", "prov.credentials.missing"],
    ["prov.server-lost"],
    ["state."],
    ["prov.auth.ignored"],
    ["resp.server-error", "prov.no-response"],
    [],
    [
      "prov.answer.malformed", "resp.body.", "resp.content-type.missing", "resp.content-type.malformed",
      "resp.encoding",
      "resp.discriminator", "resp.format",
    ],
    ["prov.", "cov."],
    ["resp.status.", "resp.content-type."],
    ["resp."],
  ]
}
