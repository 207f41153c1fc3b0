package import UnderstudyMock

/// A request of a `ConnectionState` to its handler. Large cases are indirect: actions are small and moved often.
package enum ConnectionAction {
  /// Call the responder, pass its reply to `ConnectionState.answer(_:with:)`, and write it if that returns terms.
  case answer(ReceivedRequest)
  /// Open a stream for the body of the request, then do as for `answer`.
  case answerLong(ReceivedRequest)
  indirect case forward(Forward, ReceivedRequest)
  case cancelForward

  /// Give bytes to the reader of a long body.
  case pass([UInt8])
  /// End the stream of a long body. An incomplete body throws in its reader.
  case endBody(isComplete: Bool)

  /// Write a delayed answer.
  indirect case write(Reply, ResponseTerms)
  /// Write the next chunk of a `TransmissionPlan`, and call `ConnectionState.chunkWritten(next:end:)`.
  indirect case writeChunk(Reply, ResponseTerms)
  indirect case writeHead(HTTPResponse, length: Int?, Framing, ResponseTerms)
  case writeEnd(Framing)
  /// Write and flush `100 Continue`.
  case writeContinue
  case flush
  case read

  case report(ServedRequest)
  case start(ConnectionTimer, Duration)
  case stop(ConnectionTimer)

  /// Flush, and call `ConnectionState.drained(_:)` when everything is sent.
  case drain
  case closeOutput
  case close
  /// Close with a TCP RST.
  case reset
}

/// The timers of a connection. An ordinary request uses none of them.
package enum ConnectionTimer: Hashable, CaseIterable {
  case input
  /// A delayed answer, or the next chunk of one with pauses, is due.
  case delay
  case limit
  /// A shutdown waits no longer for another request.
  case lastCall
  case end
}

/// How the body of an answer is delimited (RFC 9112, 6.3).
package enum Framing: Sendable {
  case none, length, chunks, close

  /// - Parameter length: The length of the body, if known.
  init(of response: HTTPResponse, length: Int?, omitsBody: Bool, isLegacy: Bool) {
    if omitsBody || !ResponseHead.carriesBody(status: response.status.code) {
      self = .none
    } else if length != nil {
      self = .length
    } else {
      // HTTP/1.0 has no chunks.
      self = isLegacy ? .close : .chunks
    }
  }
}
