/// Forwards one request to the upstream and validates the answer.
struct ProxyHandler: Sendable {
  let mock: Mock
  let upstream: Upstream
  /// As the client sent it.
  let request: HTTPRequest
  /// `nil` where it is too long to buffer.
  let body: [UInt8]?
  /// `nil` where the contract has no operation for the request.
  var operation: MockOperation?
  /// An operation of the path where the path lacks the method.
  var foreign: CompiledOperation?
  /// The path expressions of the operation, as ranges of the request's target.
  var captures: [(name: String, range: Range<Int>)] = []
  /// The result for the request.
  let result: ValidationResult
  let lane: any LaneAccess
  let time: LaneTime

  private var addresses: URLRewriter {
    URLRewriter(upstream, request, bases: mock.contractSet.router.bases.map(\.path))
  }

  func reply() -> Reply {
    guard !request.asksForWebSocket else {
      // Not 426, which asks the client to change the protocol (RFC 9110, 15.5.22). Other upgrades may be ignored (7.8).
      return problem(
        501, "No WebSockets", "websocket",
        "the proxy forwards requests and their answers, and cannot forward a WebSocket: connect it to \(upstream.url)")
    }
    guard !URLRewriter.isLoop(request) else {
      return problem(
        508, "Loop", "loop",
        "the request passed \(URLRewriter.hopLimit) proxies of this kind: does --upstream name the proxy itself?")
    }
    var reply = problem(502, "No connection to the upstream", "upstream-unreachable", "this server cannot forward")
    reply.forward = Forward(request: addresses.outbound(request), settle: settled)
    return reply
  }

  private func settled(_ answer: Forward.Answer) -> Reply {
    var reply: Reply
    switch answer {
    case .failed(let failure): reply = failed(failure)
    case .whole(let response, let body, let isChunked, let duration):
      reply = whole(response, body, isChunked: isChunked, duration)
    case .streamed(let response, let body, let reason):
      let copied = mock.options.copiesAnswers ? body.copied(upTo: BodyCopy.recordingLimit) : body
      reply = streamed(response, copied, reason)
    case .passing(let response, let body):
      let limit = mock.options.copiesAnswers ? BodyCopy.recordingLimit : Body.bufferLimit
      reply = passing(response, body.copied(upTo: limit))
    }
    if request.method == .head { reply.omitsBody = true }
    let faults = operation.map(\.faults) ?? mock.faults
    reply = reply.failing(by: faults, of: operation, in: lane, at: time, mock.options)
    if let operation, operation.needsState(of: lane) { note(&reply, operation) }
    reply.listViolations()
    return reply
  }

  /// Moves the state of the lane as the answer asks for.
  private func note(_ reply: inout Reply, _ operation: MockOperation) {
    let view = RequestView(request: request, target: request.path ?? "/", captures: captures, body: body ?? [])
    lane.update { state in
      withUnsafeMutablePointer(to: &state) { pointer in
        let reference = LaneReference(pointer)
        let moment = time.moment(in: &reference.state)
        let turn = mock.turn(of: view, operation, in: reference, at: moment)
        mock.finish(&reply, to: view, operation, turn, in: reference, at: moment)
      }
    }
  }

  private func whole(_ response: HTTPResponse, _ body: [UInt8], isChunked: Bool, _ duration: Duration) -> Reply {
    if response.status.code == 501, let reply = fallback("the upstream answered 501") { return reply }
    var view = view(of: response, body)
    view.duration = duration
    let result = validated(view)
    if let refusal = refusal(result) { return refusal }
    let inbound = addresses.inbound(response)
    guard request.method == .head else {
      var reply = forwarded(.made(inbound, body: body), result)
      reply.isChunked = isChunked
      return reply
    }
    let length = response.headerFields[.contentLength].flatMap { Int($0) }
    return forwarded(.streamed(inbound, Body(announcing: length)), result)
  }

  private func streamed(_ response: HTTPResponse, _ body: Body, _ reason: String) -> Reply {
    if response.status.code == 501, let reply = fallback("the upstream answered 501") { return reply }
    var result = validated(view(of: response, []))
    result.withdrawBody(reason)
    if let refusal = refusal(result) { return refusal }
    return forwarded(.streamed(addresses.inbound(response), body), result)
  }

  /// The reply of an answer that is sent on while it arrives. Its body is validated at its end, as far as it came.
  private func passing(_ response: HTTPResponse, _ body: Body) -> Reply {
    var reply = streamed(response, body, "the answer's body was passed on as it arrived")
    guard case .streamed(_, let sent) = reply.content, let copy = sent.copy else { return reply }
    reply.completion = { reply in
      let content = copy.content(response.headerFields, upTo: Body.bufferLimit)
      var result = validated(view(of: response, content.bytes))
      switch content {
      case .whole(let bytes): reply.content = .made(reply.response, body: bytes)
      case .records: break
      case .cutOff(let reason): result.withdrawBody(reason)
      case .tooLong: result.withdrawBody(Body.tooLong("answer"))
      }
      (reply.diagnostics, reply.notValidated) = (result.findings, result.notValidated)
    }
    return reply
  }

  private func failed(_ failure: UpstreamFailure) -> Reply {
    if let reply = fallback(failure.message) { return reply }
    var reply = problem(
      failure.status, "No answer from the upstream", "upstream-\(failure.kind.rawValue)",
      "\(upstream.url): \(failure.message)")
    reply.source.content = .noUpstream(status: failure.status, failure.message)
    return reply
  }

  private func view(of response: HTTPResponse, _ content: [UInt8]) -> ResponseView {
    ResponseView(
      status: response.status.code, fields: response.headerFields, body: content, method: request.method.rawValue,
      hadBody: body.map { !$0.isEmpty } ?? true, askedForPart: request.headerFields[.range] != nil)
  }

  private func validated(_ answer: ResponseView) -> ValidationResult {
    if let operation {
      return operation.compiled.exchangeValidator(operation.options.ofServer).validate(
        result, answer, isMeant: expects(answer.status, of: operation))
    }
    var result = result
    if let foreign {
      let options = mock.options.rules.validationOptions(for: foreign.id).ofServer
      result.findings += foreign.exchangeValidator(options).foreign(answer).findings
    }
    result.notValidated.append(
      ValidationResult.NotValidated(pointer: "", reason: "the contract has no operation for the request"))
    return result
  }

  /// Whether a fixture marks the refusal of the request, or the failure, as intended.
  private func expects(_ status: Int, of operation: MockOperation) -> Bool {
    guard result.violation != nil || status >= 500, !operation.conditional.isEmpty else { return false }
    let view = RequestView(request: request, target: request.path ?? "/", captures: captures, body: body ?? [])
    return operation.conditional.contains { $0.fixture.expects(status, for: view) }
  }

  /// The problem in place of an answer that breaks the contract, unless the policy is to warn.
  private func refusal(_ result: ValidationResult) -> Reply? {
    guard mock.options.onInvalid != .warn else { return nil }
    let errors = result.findings.filter { $0.owner == .provider && $0.severity == .error }
    guard !errors.isEmpty else { return nil }
    return problem(
      502, "Invalid answer from the upstream", "invalid-response", Problem.detail(errors), about: result)
  }

  private func forwarded(_ content: Reply.Content, _ result: ValidationResult) -> Reply {
    var reply = Reply(
      content, operation: operation, source: ReplySource(.upstream), diagnostics: result.findings,
      notValidated: result.notValidated)
    reply.add(.understudyReply, reply.source.fieldValue)
    return reply
  }

  /// - Parameter exchange: The result for request and answer, where there is an answer.
  private func problem(
    _ status: Int, _ title: String, _ code: String, _ detail: String, about exchange: ValidationResult? = nil
  ) -> Reply {
    Problem.reply(
      status: status, title: title, code: code, detail: detail, diagnostics: (exchange ?? result).findings,
      notValidated: (exchange ?? result).notValidated, operation: operation)
  }

  /// The mock's answer in place of the upstream's, where that is enabled and the request's body was buffered.
  private func fallback(_ cause: String) -> Reply? {
    guard mock.options.fallsBack, let operation, let body else { return nil }
    let view = RequestView(request: request, target: request.path ?? "/", captures: captures, body: body)
    let needsState = operation.needsState(of: lane)
    if needsState { WorkLimit.completeGenerations() }
    // The faults of the operation are added to every answer.
    var reply = lane.perform(needsState) { state in
      let turn = state.flatMap { mock.turn(of: view, operation, in: $0, at: time) }
      return RequestHandler(
        mock: mock, operation: operation, request: view, result: result, time: time, lane: state, turn: turn
      ).reply(hasFaults: false)
    }
    reply.source.fallback = cause
    return reply
  }
}
