import UnderstudyMock

/// The current request of a connection and the progress of its answer. Indirect, since an ordinary answer needs no large
/// value.
indirect enum ConnectionTurn {
  case free
  /// Waiting for the responder.
  case requested
  case delayed(ReceivedRequest, Reply)
  /// Waiting for the upstream.
  case forwarded(ReceivedRequest, Reply)
  case streamed(ReceivedRequest, Reply, Framing, closes: Bool)
  /// The answer is sent in pieces with pauses; without terms before the first one.
  case pieces(ReceivedRequest, Reply, AnswerTerms?)
  /// The client never gets an answer.
  case hanging(ReceivedRequest, Reply)

  /// Whether a client that has finished sending gets no more of its answer.
  var endsWithInput: Bool {
    switch self {
    case .hanging: true
    case .delayed(_, let reply), .pieces(_, let reply, _): reply.isWatched
    default: false
    }
  }
}
