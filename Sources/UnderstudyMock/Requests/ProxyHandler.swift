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
  let result: ValidationResult

  private var addresses: URLRewriter {
    URLRewriter(upstream, request, bases: mock.contractSet.router.bases.map(\.path))
  }

  /// The reply that asks for the answer of the upstream.
  func reply() -> Reply {
    guard !URLRewriter.isLoop(request) else {
      return problem(
        508, "Loop", "loop",
        "the request passed \(URLRewriter.hopLimit) proxies of this kind: does --upstream name the proxy itself?")
    }
    // Other upgrades may be ignored (RFC 9110, 7.8).
    if request.asksForWebSocket {
      // Not 426, which asks the client to change the protocol (RFC 9110, 15.5.22).
      var reply = problem(
        501, "No WebSockets", "websocket", "this server cannot forward a WebSocket: connect it to \(upstream.url)")
      let socket = mock.sockets?.description(at: URIReference(request.path ?? "/").path)
      reply.sockets = .relay(
        SocketRelay(self, addresses, socket?.1, socket.flatMap { mock.sockets?.validator(of: $0.0) }))
      return reply
    }
    var reply = problem(502, "No connection to the upstream", "upstream-unreachable", "this server cannot forward")
    reply.forward = Forward(request: addresses.outbound(request), by: self)
    return reply
  }

  /// The 101 for the client.
  func accepted(_ response: HTTPResponse) -> HTTPResponse {
    var inbound = addresses.inbound(response)
    inbound.headerFields[.connection] = "Upgrade"
    inbound.headerFields[.upgrade] = "websocket"
    // A 101 has no content (RFC 9110, 8.6), and the handshake to the upstream offered no extension.
    inbound.headerFields[.contentLength] = nil
    if let extensions = HTTPField.Name("Sec-WebSocket-Extensions") { inbound.headerFields[extensions] = nil }
    return inbound
  }

  func refused(_ response: HTTPResponse, _ body: [UInt8]) -> Reply {
    var inbound = addresses.inbound(response)
    inbound.headerFields[.contentLength] = nil
    return forwarded(.made(inbound, body: body), result)
  }

  func unreachable(_ failure: UpstreamFailure) -> Reply {
    var reply = problem(
      failure.status, "No answer from the upstream", "upstream-\(failure.kind.rawValue)",
      "\(upstream.url): \(failure.message)")
    reply.source.content = .noUpstream(status: failure.status, failure.message)
    return reply
  }

  /// The reply to an answer; `nil` where the budget did not suffice, and nothing has happened then.
  func settled(_ answer: Forward.Answer, in lane: any LaneAccess, at time: LaneTime, _ budget: WorkBudget) -> Reply? {
    let isNoted = operation?.needsState(of: lane.demand) == true
    let faults = operation.map(\.faults) ?? mock.faults
    let needsState = isNoted || faults?.needsState == true || lane.demand.isForAll
    if needsState, lane.isDurable, !budget.isWorker { return nil }
    let attempt = Attempt(lane: lane, time: time, budget: budget)
    let settled: Reply?
    switch answer {
    case .failed(let failure): settled = failed(failure, attempt)
    case .whole(let response, let body, let isChunked, let duration):
      settled = whole(response, body, isChunked: isChunked, duration, attempt)
    case .streamed(let response, let body, let reason):
      let copied = mock.options.copiesAnswers ? body.copied(upTo: BodyCopy.recordingLimit) : body
      settled = streamed(response, copied, reason, attempt)
    case .passing(let response, let body):
      let limit = mock.options.copiesAnswers ? BodyCopy.recordingLimit : Body.bufferLimit
      settled = passing(response, body.copied(upTo: limit), attempt)
    }
    guard var reply = settled, !budget.isExceeded else { return nil }
    if request.method == .head { reply.omitsBody = true }
    if needsState || faults != nil {
      let prepared = operation.map { self.prepared($0, within: .unlimited) }
      let event = LaneEvent.settled(prepared, reply, isNoted: isNoted)
      if needsState {
        do throws(LaneProblem) {
          reply = try lane.apply(event, of: mock, at: time) ?? reply
        } catch {
          return error.reply
        }
      } else {
        var none = LaneState()
        reply = mock.apply(event, to: &none, at: nil) ?? reply
      }
    }
    reply.listViolations()
    return reply
  }

  /// Where an answer is settled, and what it may cost.
  private struct Attempt {
    let lane: any LaneAccess
    let time: LaneTime
    let budget: WorkBudget
  }

  private func prepared(
    _ operation: MockOperation, isFallback: Bool = false, within budget: WorkBudget
  ) -> PreparedRequest {
    let view = RequestView(request: request, target: request.path ?? "/", captures: captures, body: body ?? [])
    return PreparedRequest(
      operation: operation, view: view, body: body, result: result, upstream: nil, isFallback: isFallback,
      within: budget)
  }

  private func whole(
    _ response: HTTPResponse, _ body: [UInt8], isChunked: Bool, _ duration: Duration, _ attempt: Attempt
  ) -> Reply? {
    if response.status.code == 501, fallsBack { return fallback("the upstream answered 501", attempt) }
    var view = view(of: response, body)
    view.duration = duration
    let result = validated(view, within: attempt.budget)
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

  private func streamed(
    _ response: HTTPResponse, _ body: Body, _ reason: String, _ attempt: Attempt
  ) -> Reply? {
    if response.status.code == 501, fallsBack { return fallback("the upstream answered 501", attempt) }
    var result = validated(view(of: response, []), within: attempt.budget)
    result.withdrawBody(reason)
    if let refusal = refusal(result) { return refusal }
    return forwarded(.streamed(addresses.inbound(response), body), result)
  }

  /// The reply of an answer that is sent on while it arrives. Its body is validated at its end, as far as it came.
  private func passing(_ response: HTTPResponse, _ body: Body, _ attempt: Attempt) -> Reply? {
    let settled = streamed(response, body, "the answer's body was passed on as it arrived", attempt)
    guard var reply = settled, case .streamed(_, let sent) = reply.content, let copy = sent.copy else { return settled }
    reply.completion = .passed(response, copy, self)
    return reply
  }

  /// Validates what arrived of a body; `false` if the budget did not suffice, and nothing has happened.
  func end(_ reply: inout Reply, _ response: HTTPResponse, _ copy: BodyCopy, within budget: WorkBudget) -> Bool {
    let content = copy.content(response.headerFields, upTo: Body.bufferLimit)
    var result = validated(view(of: response, content.bytes), within: budget)
    if budget.isExceeded { return false }
    switch content {
    case .whole(let bytes):
      reply.pauses = copy.pauses(in: bytes, response.headerFields)
      reply.content = .made(reply.response, body: bytes)
    case .records(let bytes): reply.pauses = copy.pauses(in: bytes, response.headerFields)
    case .cutOff(let reason): result.withdrawBody(reason)
    case .tooLong: result.withdrawBody(Body.tooLong("answer"))
    }
    (reply.diagnostics, reply.notValidated) = (result.findings, result.notValidated)
    return true
  }

  private func failed(_ failure: UpstreamFailure, _ attempt: Attempt) -> Reply? {
    if fallsBack { return fallback(failure.message, attempt) }
    return unreachable(failure)
  }

  private func view(of response: HTTPResponse, _ content: [UInt8]) -> ResponseView {
    ResponseView(
      status: response.status.code, fields: response.headerFields, body: content, method: request.method.rawValue,
      hadBody: body.map { !$0.isEmpty } ?? true, askedForPart: request.headerFields[.range] != nil)
  }

  private func validated(_ answer: ResponseView, within budget: WorkBudget?) -> ValidationResult {
    if let operation {
      return operation.compiled.exchangeValidator(operation.options.ofServer).validate(
        result, answer, isMeant: expects(answer.status, of: operation), within: budget)
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

  private var fallsBack: Bool { mock.options.fallback == .mock && operation != nil && body != nil }

  /// The mock's answer in place of the upstream's; the faults of the operation are added to every answer.
  private func fallback(_ cause: String, _ attempt: Attempt) -> Reply? {
    guard let operation else { return nil }
    let prepared = self.prepared(operation, isFallback: true, within: attempt.budget)
    var reply = mock.reply(to: prepared, in: attempt.lane, at: attempt.time)
    reply?.source.fallback = cause
    return reply
  }
}

extension ProxyHandler {
  init(mock: Mock, _ prepared: PreparedRequest, to upstream: Upstream) {
    self.init(
      mock: mock, upstream: upstream, request: prepared.view.request, body: prepared.body,
      operation: prepared.operation, captures: prepared.view.captures, result: prepared.result)
  }
}
