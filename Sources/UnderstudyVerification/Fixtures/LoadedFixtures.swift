package struct FixtureFindings: Sendable {
  package let contract: String
  /// `nil` for the event of a socket.
  package let key: ResponseName?
  package let findings: [Diagnostic]
}

extension Contract {
  /// Validates the loaded fixtures as answers, as `verify` does, without reading them again.
  ///
  /// The findings of reading are in `diagnostics`, and are not repeated, except as errors after a warning. The task yields
  /// after every fixture and ends early if it is cancelled.
  package func validateFixtures(_ rules: RuleSettings) async -> [FixtureFindings] {
    let readings = Dictionary(grouping: diagnostics) { $0.location?.path ?? "" }
    var findings: [FixtureFindings] = []
    for operation in compiled.operations {
      guard let all = fixtures.fixtures[operation.id], !all.isEmpty else { continue }
      let validator = FixtureValidator(operation, rules.validationOptions(for: operation.id))
      for fixture in all {
        if Task.isCancelled { return findings }
        let reading = readings[fixture.source.path] ?? []
        let result = validator.validate(fixture, reading: [])
        let new = result.findings.filter { !Self.repeats($0, reading) }
        let key = ResponseName(operation: operation.id, status: fixture.status, name: fixture.name)
        if !new.isEmpty { findings.append(FixtureFindings(contract: name, key: key, findings: new)) }
        await Task.yield()
      }
    }
    for fixture in sockets.fixtures {
      if Task.isCancelled { return findings }
      let found = sockets.verify(fixture, rules.validationOptions()).findings
      if !found.isEmpty { findings.append(FixtureFindings(contract: name, key: nil, findings: found)) }
      await Task.yield()
    }
    return findings
  }

  /// Whether reading has reported the same mistake, under this rule or under one of its own.
  private static func repeats(_ finding: Diagnostic, _ reading: [Diagnostic]) -> Bool {
    reading.contains { earlier in
      guard earlier.severity >= finding.severity else { return false }
      return switch (earlier.rule, finding.rule) {
      case (.fixtureBodySyntax, .responseBodyUnparsable), (.fixtureBodyForbidden, .responseBodyUnexpected),
        (.fixtureStatusUndocumented, .responseStatusUndocumented):
        true
      default: earlier.rule == finding.rule && earlier.message.utf8Equals(finding.message)
      }
    }
  }
}
