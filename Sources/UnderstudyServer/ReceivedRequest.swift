package import NIOCore

/// A request on its way to its answer, or the part of one that arrived before it was refused.
package struct ReceivedRequest {
  /// Missing if the request was refused before its head was complete.
  package var head: RequestHead?
  /// Empty if the body is passed on in pieces.
  package var body: [UInt8] = []
  /// The body is too long to be held: the head alone decides the answer.
  package var isLong = false
  /// Set if the request is answered without the responder.
  package var refusal: Refusal?
  /// When the head arrived, if an observer measures the time.
  package var start: NIODeadline?

  /// The connection ends with the answer to this request.
  var closes: Bool { refusal != nil || head?.terms.closes == true }
}
