/// Why no answer can be chosen or made.
package struct SelectionProblem: Error, Sendable {
  package enum Kind: Sendable {
    case noStatus, noName, notAcceptable, noBody
    /// The value is data, and the media type is none of data: its JSON may go out all the same.
    case noForm
  }

  package var kind: Kind
  package var message: String
  package var help: String
  /// The pointer of the preference in the request: `/query/__code`.
  package var place: String?
}
