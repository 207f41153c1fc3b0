extension MediaRange {
  /// How bytes of a media type are read.
  package enum Syntax: Sendable {
    /// One JSON text.
    case json
    /// One JSON text a line, or each after a record separator (RFC 7464).
    case jsonSequence
    /// `text/event-stream`
    case eventStream
    /// `application/x-www-form-urlencoded`
    case form
    case multipart
    /// Mapped to its schema by the `xml` objects in it.
    case xml
    case text
    case binary
  }

  /// How bytes of this type are read; here, and only here, a suffix such as `+json` counts (RFC 6838, section 4.2.8).
  package var syntax: Syntax {
    switch (type, subtype) {
    case (_, "json"), (_, "*+json"): .json
    case (_, "jsonl"), (_, "x-ndjson"), (_, "ndjson"), (_, "json-seq"): .jsonSequence
    case ("text", "event-stream"): .eventStream
    case ("application", "x-www-form-urlencoded"): .form
    case ("multipart", _): .multipart
    case (_, "xml"): .xml
    case _ where hasSuffix("+json"): .json
    case _ where hasSuffix("+json-seq"): .jsonSequence
    case _ where hasSuffix("+xml"): .xml
    case ("text", _): .text
    default: .binary
    }
  }

  func hasSuffix(_ suffix: String) -> Bool { subtype.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }
}
