/// What was chosen to answer with, and why.
package struct Selection: Sendable {
  package var content: Reply.Content
  package var source: ReplySource.Content
  /// What the answer itself breaks: an example of the contract that does not fit its schema.
  package var findings: [Diagnostic] = []
  /// What the state of the lane adds to it.
  var rest: FixtureRest?
  /// Its body with pauses; `nil` where it is sent at once.
  var stream: EventStreamScript?
}

extension Selection {
  init(_ made: ContractResponses.Made, of operation: MockOperation, by rendering: Rendering) {
    self.init(
      content: .prepared(made.prepared), source: made.source,
      findings: operation.compiled.findings(about: made, by: rendering).compactMap(operation.options.weighed))
  }

  /// The reply with this answer. Not an initializer of `Reply`, which would copy it.
  func reply(of operation: MockOperation, _ diagnostics: [Diagnostic], by rule: ReplySource.Rule = .usual) -> Reply {
    var reply = Reply(
      content, operation: operation, source: ReplySource(source, by: rule),
      diagnostics: findings.isEmpty ? diagnostics : diagnostics + findings)
    if let rest { reply.rest = rest }
    if let stream { reply.sockets = .script(stream) }
    return reply
  }
}
