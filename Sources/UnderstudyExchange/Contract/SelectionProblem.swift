package struct SelectionProblem: Error, Sendable {
  package enum Kind: Sendable {
    case noStatus, noName, notAcceptable, noBody
    /// No value that fits the schema was found, but one that resembles it may be sent.
    case noSample
    /// The media type cannot hold the value, but it may be sent as JSON.
    case noForm
  }

  package var kind: Kind
  package var message: String
  package var help: String
  /// The pointer of the preference in the request: `/query/__code`.
  package var place: String?

  package init(kind: Kind, message: String, help: String, place: String? = nil) {
    (self.kind, self.message, self.help, self.place) = (kind, message, help, place)
  }
}
