import SourceText

/// Which fixtures a mock's own recordings show, to name those that nobody asked for.
struct FixtureUse {
  /// `contract\nfixture readChat/200.empty`
  private var served: Set<String> = []
  private var isRecorded = false

  /// Takes note of what answered an exchange that a mock recorded.
  mutating func see(_ entry: HAREntry) {
    guard let contract = entry.note?["contract"]?.string, let reply = entry.note?["reply"]?.string else { return }
    isRecorded = true
    // `scenario evening step 2/3, fixture readChat/200.empty (preferred)`
    guard let start = reply.utf8.firstRange(of: "fixture ".utf8)?.lowerBound else { return }
    let named = reply.utf8[start...]
    let end = named.firstRange(of: " (".utf8)?.lowerBound ?? named.endIndex
    served.insert("\(contract)\n\(reply[start..<end])")
  }

  /// A case for every contract whose rules ask for `fixture.unused`; none where no mock recorded anything.
  func cases(_ engine: MockEngine) -> [Report.Case] {
    guard isRecorded else { return [] }
    return engine.contracts.indices.compactMap { index in
      var counted = 0
      var findings: [Report.Finding] = []
      for plan in engine.plans where plan.contractIndex == index {
        let options = engine.options.rules.judgeOptions(for: plan.operation.id)
        guard options.wants(.fixtureUnused) else { continue }
        let name = engine.contracts[index].api.name
        for cell in plan.cells {
          for variant in cell.fixtures {
            counted += 1
            guard !served.contains("\(name)\n\(variant.reason)") else { continue }
            let told = options.weighed(
              Finding(
                nil,
                Diagnostic(
                  .fixtureUnused, "\(variant.fixture.label) answered nothing", at: Location(variant.fixture.source))))
            let subject = Report.Subject(contract: name, plan.operation, status: cell.status.description)
            if let told { findings.append(Report.Finding(told.diagnostic, about: subject)) }
          }
        }
      }
      guard counted > 0 else { return nil }
      return Report.Case(
        Report.Subject(contract: engine.contracts[index].api.name), "fixtures used", checked: counted,
        findings: findings)
    }
  }
}
