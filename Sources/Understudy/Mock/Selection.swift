/// What was chosen to answer with, and why.
package struct Selection: Sendable {
  package var content: Reply.Content
  package var delay: Duration = .zero
  package var fault: Fault?
  /// `fixture readChat/200.empty`, `example readChat/200`, `sample readChat/200`.
  package var reason: String
}

extension Selection {
  /// An answer that was made from the contract.
  init(_ made: ContractResponses.Made) {
    self.init(content: .made(made.response, body: made.body), reason: made.reason)
  }
}
