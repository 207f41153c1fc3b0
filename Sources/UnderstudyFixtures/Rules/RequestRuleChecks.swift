extension ClientCheckSettings {
  /// Settings that make findings of a rule about requests (`req.param.undeclared`) errors; `nil` for any other id.
  init?(requestRule id: String) {
    guard let rule = Rule.request.first(where: { $0.id.utf8Equals(id) }) else { return nil }
    self.init(rule)
  }
}

extension [ClientCheckSettings] {
  /// Makes an error of each finding whose rule is checked by name; without an operation, `operation` is `nil`.
  package func raise(_ findings: inout [Diagnostic], of operation: String?) {
    for check in self where check.isAboutRequest && check.covers(operation) {
      for index in findings.indices where findings[index].rule.id.utf8Equals(check.rule) {
        findings[index].severity = .error
      }
    }
  }

  /// Whether a finding is of a rule that is checked by name.
  package func includes(_ finding: Diagnostic, of operation: String?) -> Bool {
    contains { $0.rule.utf8Equals(finding.rule.id) && $0.covers(operation) }
  }
}

extension RuleSettings {
  /// The settings under which every rule that is checked by name has findings. A client check has the severity of its
  /// rule again; a rule about requests that is off by default is at most a warning, which refuses no request.
  package func enabling(_ checks: [ClientCheckSettings]) -> RuleSettings {
    var settings = self
    for check in checks {
      guard let rule = Rule.named(check.rule) else { continue }
      Self.enable(rule, in: &settings.levels, isGlobal: true)
      for index in scopes.indices { Self.enable(rule, in: &settings.scopes[index].levels, isGlobal: false) }
    }
    return settings
  }

  private static func enable(_ rule: Rule, in levels: inout [Rule: Level], isGlobal: Bool) {
    if rule.isAboutSequences {
      levels[rule] = nil
    } else if levels[rule] == .off || isGlobal && levels[rule] == nil && Rule.optional.contains(rule) {
      levels[rule] = rule.severity == .info ? .info : .warning
    }
  }
}
