/// Networks by name: faults of everything that the mock answers.
package enum NetworkProfile: String, CaseIterable, Sendable {
  case mobile3g = "3g"
  case lossy, offline, flaky

  /// The faults, each with its own conditions.
  package var texts: [String] {
    switch self {
    case .mobile3g: ["delay:lognormal:300ms:0.4+bandwidth:200k"]
    case .lossy: ["delay:20ms..200ms", "delay:1s..3s@5%", "reset:body@2%"]
    case .offline: ["reset"]
    case .flaky: ["delay:50ms..500ms", "close@flap:8:2", "truncate@5%"]
    }
  }

  /// What it is like, for people.
  package var summary: String {
    switch self {
    case .mobile3g: "a slow mobile network: about 300 ms before each answer, then 200 kB a second"
    case .lossy: "a network that loses packets: 5 % of the answers wait 1 to 3 s, 2 % break within the body"
    case .offline: "no network: each connection is reset before the first byte"
    case .flaky: "a bad gateway: after 8 answers 2 empty replies, and 5 % of the bodies are cut"
    }
  }

  package func rules(at location: Location? = nil) -> [FaultRule] {
    texts.compactMap { text in
      (try? FaultReader.read(text)).map {
        FaultRule(target: FaultRule.everything, plan: $0, option: "network", location: location)
      }
    }
  }

  package static func named(_ text: String) throws(UsageProblem) -> NetworkProfile {
    guard let profile = NetworkProfile(rawValue: text) else {
      let known = allCases.map(\.rawValue)
      throw UsageProblem(
        message: "`\(text)` is not a network",
        help: Suggestion.help(for: text, among: known))
    }
    return profile
  }
}
