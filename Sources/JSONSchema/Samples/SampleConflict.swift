package import SourceText

/// Why no value was made for a schema.
package struct SampleConflict: Sendable, CustomStringConvertible {
  /// One sentence that names the keywords in backticks, without a final stop.
  package var reason: String
  /// The schema object that stands in the way.
  package var schema: JSON?
  /// The keys of the keywords that exclude each other.
  package var keywords: [JSON] = []
  /// Whether there is no such value; else the search was given up, and this is what it ran into.
  package var isProof = false

  /// Whether a problem of the schema is one of the keywords that exclude each other: `enum: []`.
  func names(_ problem: Diagnostic) -> Bool {
    keywords.contains { Location($0).pointer == problem.location?.pointer }
  }

  package var description: String {
    (isProof ? "" : Self.givenUp + ": ") + reason + (schema.map { " (at #\($0.pointer))" } ?? "")
  }

  /// What is said where the search ended without a proof.
  package static let givenUp = "none was found within the effort that is made"
}
