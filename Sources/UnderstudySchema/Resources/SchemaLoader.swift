/// Loads the documents of references.
package struct SchemaLoader: Sendable {
  /// Returns the document of an absolute URI or a file path without a fragment.
  package let document: @Sendable (_ uri: String) -> JSONDocument?
  /// Returns the reason why a document is missing.
  package let failure: @Sendable (_ uri: String) -> Failure?

  package init(
    _ document: @escaping @Sendable (_ uri: String) -> JSONDocument?,
    failure: @escaping @Sendable (_ uri: String) -> Failure? = { _ in nil }
  ) {
    self.document = document
    self.failure = failure
  }

  /// The reason why a document is missing.
  package struct Failure: Sendable {
    package var reason: String
    /// Advice for the user.
    package var help: String?

    package init(_ reason: String, help: String? = nil) {
      self.reason = reason
      self.help = help
    }
  }
}
