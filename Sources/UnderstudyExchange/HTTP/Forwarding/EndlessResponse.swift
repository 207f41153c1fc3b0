extension HTTPResponse {
  /// Whether the response has events, which are sent on as they arrive.
  package var isEndless: Bool {
    // Without content (RFC 9110, 15.3.5 and 15.4.5).
    status != .noContent && status != .notModified
      && headerFields[.contentType].flatMap { MediaRange($0) }?.syntax == .eventStream
  }
}
