import HTTPTypes

extension MockEngine {
  /// The reply where an upstream is to answer; `nil` for what the mock answers all the same: preflights, forced
  /// operations, and requests that are refused for reaching no operation.
  func proxied(_ request: HTTPRequest, body: [UInt8]?, along routing: Routing, to upstream: Upstream) -> Reply? {
    // `OPTIONS *` asks about the server that it was sent to.
    guard let target = request.path, target.utf8.first == UInt8(ascii: "/"), !isPreflight(request, routing) else {
      return nil
    }
    var proxying = Proxying(
      engine: self, upstream: upstream,
      addresses: AddressMap(upstream, request, bases: upstream.path.isEmpty ? [] : router.bases.map(\.path)),
      request: request, body: body)
    guard case .match(let match) = routing else {
      if request.method != .options, let finding = miss(request, along: routing).flatMap(weighed) {
        if options.onInvalid != .warn, finding.violation != nil { return nil }
        proxying.judgement.findings.append(finding)
      }
      return proxying.reply()
    }
    let plan = plans[match.operation]
    guard plan.forced == nil else { return nil }
    let view = RequestView(request: request, target: target, captures: match.captures, body: body ?? [])
    proxying.plan = plan
    proxying.judgement = plan.judge.judgement(of: view)
    if body == nil { proxying.judgement.withdrawBody(Forward.tooLong("request")) }
    if let refusal = Answering(engine: self, plan: plan, request: view, judgement: proxying.judgement).refusal() {
      return refusal
    }
    return proxying.reply()
  }

  private func isPreflight(_ request: HTTPRequest, _ routing: Routing) -> Bool {
    guard request.method == .options, case .wrongMethod = routing else { return false }
    return options.allowsCrossOrigin && request.headerFields[.accessControlRequestMethod] != nil
  }
}
