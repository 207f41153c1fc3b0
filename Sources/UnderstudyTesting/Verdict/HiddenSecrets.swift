import UnderstudyMock

/// Keeps the secrets of a test's requests out of its messages.
struct HiddenSecrets {
  private let calls: [Call]
  private var redactor: Redactor
  private var hasLearnt = false

  init(of calls: [Call], _ contracts: [Contract]) {
    self.calls = calls
    redactor = Redactor(contracts.map(\.compiled.secrets), style: .marker)
  }

  /// Removes the secrets from a finding. Most tests have none.
  mutating func hide(_ finding: Diagnostic) -> Redacted<Diagnostic> {
    learn()
    return redactor.redact(finding)
  }

  /// The path of a request without secrets.
  mutating func path(of call: Call) -> String {
    learn()
    let target = redactor.redacted(target: call.target, of: call.request, call.reply.operation?.compiled)
    return String(target.value.prefix { $0 != "?" })
  }

  private mutating func learn() {
    guard !hasLearnt else { return }
    hasLearnt = true
    for call in calls { redactor.learn(call.exchange, of: call.reply.operation?.compiled.operation) }
  }
}
