extension ServedRequest {
  package var operation: Operation? { reply.operation?.compiled.operation }

  /// The exchange as far as it was held, with bodies in their content codings; `nil` without a request.
  package var exchange: Exchange? {
    guard let request else { return nil }
    var exchange = Exchange(
      request, body: body.map { .coded($0) } ?? .unknown("the body was too long to be held"), startedAt: startedAt,
      lane: reply.lane, source: source)
    exchange.requestSize = body?.count
    if let status {
      exchange.response = response(status)
    } else {
      exchange.outcome = .missing(reply.fault.map { "fault: \($0)" } ?? "the client got no response", after: duration)
    }
    exchange.findings = reply.diagnostics
    exchange.notValidated = reply.notValidated
    return exchange
  }

  private func response(_ status: Int) -> Exchange.Response {
    let (head, body) = reply.recorded
    var response = Exchange.Response(
      head, body: body.map { .coded($0) } ?? .unknown("the body was passed on in pieces"), duration: duration,
      pauses: reply.pauses)
    response.size = body?.count
    if head.status.code != status { response.head.status = .init(code: status) }
    return response
  }

  private var source: Exchange.Source {
    let compiled = reply.operation?.compiled
    return Exchange.Source(
      contract: compiled?.api.name, operation: compiled?.id, reply: "\(reply.source)",
      cell: status.flatMap { compiled?.operation.response(for: $0)?.status.description },
      fault: reply.fault.map { "\($0)" }, delay: reply.delay > .zero ? reply.delay.faultText : nil)
  }
}

extension Reply {
  /// The response as it was sent, without a body if that was passed on in pieces.
  package var recorded: (HTTPResponse, body: [UInt8]?) {
    switch content {
    case .prepared(let prepared): (prepared.response, body)
    case .made(let response, _): (response, body)
    case .streamed(let response, _): (response, omitsBody ? [] : nil)
    }
  }
}

extension Redactor {
  /// Learns the secrets of an exchange, to find them elsewhere.
  mutating func learn(_ served: ServedRequest) {
    if let exchange = served.exchange { learn(exchange, of: served.operation) }
  }

  /// The findings of an exchange without its secrets, which a server may have sent back.
  package mutating func findings(of served: ServedRequest) -> Redacted<[Diagnostic]> {
    let findings = served.reply.diagnostics
    if !findings.isEmpty { learn(served) }
    return redact(findings)
  }

  /// The parts of an exchange that could not be validated, without its secrets.
  package mutating func notValidated(of served: ServedRequest) -> Redacted<[ValidationResult.NotValidated]> {
    let items = served.reply.notValidated
    if !items.isEmpty { learn(served) }
    return redact(items)
  }
}
