/// The body of a request or a response, or the reason why it is unknown.
package enum ExchangeBody: Sendable, Equatable {
  /// Bytes without content codings, even if the header fields still name one.
  case bytes([UInt8])
  /// Bytes in the content codings that the header fields name.
  case coded([UInt8])
  /// Bytes that were assembled from a list of form fields, so that order and spelling may differ.
  case rebuilt([UInt8])
  /// The reason, in a clause, why the body is not known.
  case unknown(String)

  package static let empty = ExchangeBody.bytes([])

  /// The bytes as they are held; empty if they are unknown.
  package var bytes: [UInt8] {
    switch self {
    case .bytes(let bytes), .coded(let bytes), .rebuilt(let bytes): bytes
    case .unknown: []
    }
  }

  /// Whether there was or may have been a body.
  package var isPresent: Bool {
    switch self {
    case .bytes(let bytes), .coded(let bytes), .rebuilt(let bytes): !bytes.isEmpty
    case .unknown: true
    }
  }

  /// The reason why the body cannot be validated; `nil` if it can.
  package var reason: String? { if case .unknown(let reason) = self { reason } else { nil } }

  /// Replaces the bytes of a body that is known.
  package func replacing(with bytes: [UInt8]) -> ExchangeBody {
    switch self {
    case .bytes: .bytes(bytes)
    case .coded: .coded(bytes)
    case .rebuilt: .rebuilt(bytes)
    case .unknown: self
    }
  }
}
