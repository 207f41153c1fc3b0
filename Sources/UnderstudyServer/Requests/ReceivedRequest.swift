package import NIOCore

/// A request, or the part of it that arrived before it was refused.
package struct ReceivedRequest: Sendable {
  /// `nil` if the request was refused before its head was complete.
  package var head: RequestHead?
  /// Empty for a body that is forwarded in chunks.
  package var body: [UInt8] = []
  /// Whether the body is too long to be held, so that the head alone determines the answer.
  package var isLong = false
  /// Set if the request is answered without the responder.
  package var refusal: Refusal?
  /// When the head arrived, if exchanges are observed.
  package var start: NIODeadline?

  /// Whether the client uses HTTP/1.0.
  var isLegacy: Bool { head?.terms.isLegacy == true }

  /// The connection ends with the answer to this request.
  var closes: Bool { refusal != nil || head?.terms.closes == true }
}
