/// Collects the fixtures that answered in a mock's own recordings, to report unused ones.
package struct FixtureUse: Sendable {
  /// `contract\nfixture readChat/200.empty`
  private var served: Set<String> = []
  /// Whether a mock recorded any of the exchanges.
  package private(set) var isRecorded = false

  package init() {}

  package mutating func see(_ entry: Exchange) {
    guard let contract = entry.source?.contract, let reply = entry.source?.reply else { return }
    isRecorded = true
    // `scenario evening step 2/3, fixture readChat/200.empty (preferred)`
    guard let start = reply.utf8.firstRange(of: "fixture ".utf8)?.lowerBound else { return }
    let named = reply.utf8[start...]
    let end = named.firstRange(of: " (".utf8)?.lowerBound ?? named.endIndex
    served.insert("\(contract)\n\(reply[start..<end])")
  }

  package func hasServed(_ fixture: Fixture, of contract: Contract) -> Bool {
    served.contains("\(contract.api.name)\nfixture \(fixture.label)")
  }

  /// A case for every contract that enables `fixture.unused`; none without a mock's recordings.
  func cases(_ contracts: [Contract], _ rules: RuleSettings) -> [Report.Case] {
    guard isRecorded else { return [] }
    return contracts.compactMap { contract in
      let name = contract.api.name
      var counted = 0
      var findings: [Report.Finding] = []
      for operation in contract.compiled.operations {
        let options = rules.validationOptions(for: operation.id)
        guard options.wants(.fixtureUnused) else { continue }
        for cell in contract.cells(of: operation) {
          let subject = Report.Subject(contract: name, operation.operation, status: cell.cell.status.description)
          for fixture in cell.fixtures {
            counted += 1
            guard !hasServed(fixture, of: contract) else { continue }
            let message = "\(fixture.label) answered no request"
            if let finding = options.weighed(Diagnostic(.fixtureUnused, message, at: Location(fixture.source))) {
              findings.append(Report.Finding(finding, about: subject))
            }
          }
        }
      }
      guard counted > 0 else { return nil }
      return Report.Case(Report.Subject(contract: name), "fixtures used", checked: counted, findings: findings)
    }
  }
}
