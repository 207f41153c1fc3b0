/// What was chosen to answer with, and why.
package struct Selection: Sendable {
  package var content: Reply.Content
  package var delay: Duration = .zero
  package var fault: Fault?
  package var source: ReplySource.Content
  /// What the answer itself breaks: an example of the contract that does not fit its schema.
  package var findings: [Diagnostic] = []
}

extension Selection {
  /// Adds the delay and the fault of a fixture.
  mutating func apply(_ outcome: FaultPlan.Outcome?) {
    if let delay = outcome?.delay { self.delay = delay }
    if let fault = outcome?.fault { self.fault = self.fault?.and(fault) ?? fault }
  }

  /// An answer that was made from the contract.
  init(_ made: ContractResponses.Made, of operation: MockOperation) {
    self.init(
      content: .prepared(made.prepared), source: made.source,
      findings: operation.compiled.findings(about: made).compactMap(operation.options.weighed))
  }

  /// The reply with this answer. Not an initializer of `Reply`, which would copy it.
  func reply(of operation: MockOperation, _ diagnostics: [Diagnostic], by rule: ReplySource.Rule = .usual) -> Reply {
    Reply(
      content, delay: delay, fault: fault, operation: operation, source: ReplySource(source, by: rule),
      diagnostics: findings.isEmpty ? diagnostics : diagnostics + findings)
  }
}
