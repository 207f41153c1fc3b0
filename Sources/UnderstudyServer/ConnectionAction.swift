package import Understudy

/// What a `ConnectionState` asks its channel handler to do.
package enum ConnectionAction {
  /// Ask the responder; `ConnectionState.answer(_:with:)` takes its reply.
  case answer(ReceivedRequest)
  /// Open a stream for the body of the request, then as `answer`.
  case answerLong(ReceivedRequest)
  /// Send the request to the upstream.
  case forward(Forward, ReceivedRequest)
  /// Nobody waits for the upstream any more.
  case cancelForward

  /// Give bytes to the reader of a long body.
  case pass([UInt8])
  /// End the stream of a long body; an incomplete one fails its reader.
  case endBody(isComplete: Bool)

  case write(Reply, AnswerTerms)
  /// Write the head of an answer whose body comes in pieces.
  case writeHead(HTTPResponse, length: Int?, Framing, AnswerTerms)
  /// Write the end of an answer in pieces.
  case writeEnd(Framing)
  /// Write and flush `100 Continue`.
  case writeContinue
  case flush
  case read

  /// Tell the observer; without a status the client saw none.
  case report(ReceivedRequest, Reply, status: Int?)
  /// Start a timer, again if it runs.
  case start(ConnectionTimer, Duration)
  case stop(ConnectionTimer)

  /// Flush, and call `ConnectionState.drained(_:)` once everything is sent.
  case drain
  case closeOutput
  case close
  /// Close with a TCP RST.
  case reset
}

/// The timers of a connection. An ordinary request touches none of them.
package enum ConnectionTimer: Hashable, CaseIterable {
  /// A part of a request is late.
  case input
  /// A delayed answer is due.
  case delay
  /// The connection ends, whatever the client does.
  case end
}

/// How the body of an answer is delimited (RFC 9112, 6.3).
package enum Framing: Sendable {
  case none, length, chunks, close

  /// - Parameter length: of the body, if it is known.
  init(of response: HTTPResponse, length: Int?, omitsBody: Bool, isLegacy: Bool) {
    if omitsBody || !ResponseHead.carriesBody(status: response.status.code) {
      self = .none
    } else if length != nil {
      self = .length
    } else {
      // HTTP/1.0 knows no chunks.
      self = isLegacy ? .close : .chunks
    }
  }
}
