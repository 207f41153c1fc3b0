/// Why no answer can be chosen or made, with what there is instead.
package struct SelectionProblem: Error, Sendable {
  package enum Kind: Sendable { case noStatus, noName, notAcceptable, noBody }

  package var kind: Kind
  package var message: String
  package var help: String
  /// Where in the request the preference stands: `/query/__code`.
  package var place: String?
}
