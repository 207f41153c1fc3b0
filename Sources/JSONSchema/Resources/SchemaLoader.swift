/// Where the documents come from that references lead to.
package struct SchemaLoader: Sendable {
  /// Gives the document of an absolute URI or a file path, without its fragment.
  package let document: @Sendable (_ uri: String) -> JSONDocument?
  /// Says why there is no such document.
  package let failure: @Sendable (_ uri: String) -> Failure?

  package init(
    _ document: @escaping @Sendable (_ uri: String) -> JSONDocument?,
    failure: @escaping @Sendable (_ uri: String) -> Failure? = { _ in nil }
  ) {
    self.document = document
    self.failure = failure
  }

  /// Why a document cannot be had.
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
