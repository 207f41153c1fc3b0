/// Why no answer can be chosen or made.
package struct SelectionProblem: Error, Sendable {
  package enum Kind: Sendable {
    case noStatus, noName, notAcceptable, noBody
    /// The media type cannot hold the value, but it may be sent as JSON.
    case noForm
  }

  package var kind: Kind
  package var message: String
  package var help: String
  /// The pointer of the preference in the request: `/query/__code`.
  package var place: String?
}
