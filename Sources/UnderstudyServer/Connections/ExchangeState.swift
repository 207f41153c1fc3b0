import UnderstudyMock

/// The connection's current request and the progress of its response; indirect, as ordinary responses need no value.
indirect enum ExchangeState {
  case free
  case requested
  case delayed(ReceivedRequest, Reply)
  case forwarded(ReceivedRequest, Reply)
  case streamed(ReceivedRequest, Reply, BodyStream)
  /// The response is sent in chunks with pauses; it has no terms before the first chunk.
  case chunks(ReceivedRequest, Reply, ResponseTerms?)
  case hanging(ReceivedRequest, Reply)

  var isFree: Bool { if case .free = self { true } else { false } }

  var isForwarded: Bool {
    switch self {
    case .forwarded, .streamed: true
    default: false
    }
  }

  var streamed: (request: ReceivedRequest, reply: Reply)? {
    if case .streamed(let request, let reply, _) = self { (request, reply) } else { nil }
  }

  /// The request and its reply, with the status that the client got, if the connection ends now.
  var ended: (request: ReceivedRequest, reply: Reply, status: Int?)? {
    switch self {
    case .free, .requested: return nil
    case .streamed(let request, var reply, _):
      // The status has been sent.
      reply.source.breakOff = "the client left"
      return (request, reply, reply.status)
    case .forwarded(let request, let reply), .delayed(let request, let reply), .chunks(let request, let reply, _):
      return (request, reply, nil)
    case .hanging(let request, let reply): return (request, reply, reply.sentStatus)
    }
  }

  /// Whether the response has no end of its own: its length is unknown, and it has events or has fallen silent.
  func isEndless(isSilent: Bool) -> Bool {
    guard case .streamed(_, let reply, let body) = self, body.framing == .chunks || body.framing == .close else {
      return false
    }
    return isSilent || reply.response.isEndless
  }

  /// Whether a client that has finished sending gets no more of its answer.
  var endsWithInput: Bool {
    switch self {
    case .hanging: true
    case .forwarded(_, let reply): reply.forward?.waitsForEvents == true
    case .streamed(_, _, let body): body.waitsForEvents
    case .delayed(_, let reply), .chunks(_, let reply, _): reply.isWatched
    default: false
    }
  }
}

/// The body of a response that is sent while it arrives.
struct BodyStream {
  let framing: Framing
  let closes: Bool
  /// Whether a client that closes its output counts as gone.
  let waitsForEvents: Bool

  /// - Parameter reply: The reply that the response of the upstream, or of the mock itself, replaces.
  init(_ framing: Framing, _ terms: ResponseTerms, of reply: Reply) {
    (self.framing, closes) = (framing, terms.closes)
    waitsForEvents = reply.forward?.waitsForEvents == true
  }
}
