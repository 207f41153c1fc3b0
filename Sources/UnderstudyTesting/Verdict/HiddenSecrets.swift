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

  /// A text without secrets. Most tests ask for none.
  mutating func hide(_ text: String) -> String {
    learn()
    return redactor.redact(text: text)
  }

  /// The path of a request without secrets.
  mutating func path(of call: Call) -> String {
    learn()
    let target = redactor.redacted(target: call.target, of: call.request, call.reply.operation?.compiled)
    return String(target.prefix { $0 != "?" })
  }

  private mutating func learn() {
    guard !hasLearnt else { return }
    hasLearnt = true
    for call in calls {
      _ = redactor.redact(
        ExchangeContent(
          call.request, body: call.body, response: call.reply.response, responseBody: call.reply.body,
          operation: call.reply.operation?.compiled.operation))
    }
  }
}
