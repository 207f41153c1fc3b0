/// What was chosen to answer with, and why.
package struct Selection: Sendable {
  package var content: Reply.Content
  package var delay: Duration = .zero
  package var fault: Fault?
  /// `fixture readChat/200.empty`, `example readChat/200`, `sample readChat/200`.
  package var reason: String
}

/// Why nothing could be chosen: in words, with what there is instead.
package struct SelectionProblem: Error, Sendable {
  package enum Kind: Sendable { case noStatus, noName, notAcceptable, noBody }

  package var kind: Kind
  package var message: String
  package var help: String
  /// Where in the request the wish stands: `/query/__code`.
  package var place: String?
}
