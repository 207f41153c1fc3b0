extension Rule {
  /// Every rule of every area, in the order of the rules page; each area adds its list here.
  package static let all: [Rule] =
    spec + routes + overlay + schema + diff + instance + example + fixture + scenario + check + request + response
    + event
    + socket + asyncAPI + provider + state + callback + coverage + sweep + config + redaction

  package static func named(_ id: String) -> Rule? { byID[id] }

  private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}

extension RuleSettings {
  /// The rules whose level can be set.
  package static let rules =
    Rule.request + Rule.response + Rule.event + Rule.socket + Rule.provider + Rule.state + Rule.check + Rule.callback
    + [.fixtureUnused]
}
