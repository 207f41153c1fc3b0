import JSONSchema

/// A body as far as a recording has it.
package enum RecordedBody: Sendable, Equatable {
  /// As it was on the wire, below its content codings.
  case bytes([UInt8])
  /// Put together from the list of its fields: the order and the spelling on the wire may have been others.
  case rebuilt([UInt8])
  /// There was or may have been one, and why nothing can be said of it, in a clause.
  case unknown(String)

  package static let empty = RecordedBody.bytes([])

  package var bytes: [UInt8] {
    switch self {
    case .bytes(let bytes), .rebuilt(let bytes): bytes
    case .unknown: []
    }
  }

  /// Whether there was a body, as far as one knows.
  package var isPresent: Bool {
    switch self {
    case .bytes(let bytes), .rebuilt(let bytes): !bytes.isEmpty
    case .unknown: true
    }
  }

  /// Why it cannot be validated; `nil` where it can.
  package var reason: String? { if case .unknown(let reason) = self { reason } else { nil } }
}

extension RecordedBody {
  /// HAR holds text as Unicode. Where the header names another charset, the validator will read by that, so the text is
  /// written in it again.
  init(text: String, _ contentType: MediaRange?) {
    switch contentType?.syntax {
    case .binary?, .multipart?:
      // A replacement character stands where bytes were no UTF-8.
      self = text.unicodeScalars.contains("\u{FFFD}") ? .unknown(Self.isBinary) : .bytes(Array(text.utf8))
    case .text?, .xml?: self = .bytes(Charset.encode(text, as: contentType?["charset"] ?? "utf-8"))
    default: self = .bytes(Array(text.utf8))
    }
  }

  /// Text in base64; some writers break its lines.
  init(base64 text: String) {
    let plain = text.utf8.filter { $0 > 0x20 }
    self = Base64.decode(plain).map { .bytes($0) } ?? .unknown("the body says it is base64, and is not")
  }

  static let isBinary = "the body is binary, and the recording holds it as text"
}
