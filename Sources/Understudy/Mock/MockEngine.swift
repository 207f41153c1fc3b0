package import HTTPTypes
package import SourceText

/// Decides what answers a request; the only door to a mock, for sockets, tests and tools alike.
///
/// Built once from contracts and never changed: a reload builds another. `reply` is synchronous, total and never throws;
/// where an upstream is to answer, the reply says so and holds what becomes of its answer.
package final class MockEngine: Sendable {
  package struct Options: Sendable {
    /// What a request that breaks its contract is answered with.
    package var onInvalid: InvalidPolicy = .contract
    /// By operation: what every request is answered with.
    package var forced: [ForcingRule] = []
    /// Prefer samples to fixtures and examples.
    package var isDynamic = false
    package var seed = "0"
    /// The name of the scenario that is played.
    package var scenario: String?
    /// Whether operations live under the paths of the contract's servers.
    package var usesBasePaths = true
    /// Answer preflight requests.
    package var allowsCrossOrigin = true
    /// What the rules about requests and answers weigh.
    package var rules = RuleSettings()
    /// Looks into bearer and ID tokens; without it their presence and shape are judged.
    package var tokens: TokenCheck?
    /// The server that answers instead of fixtures, examples and samples; its answers are judged too.
    package var upstream: Upstream?
    /// Whether the mock answers what the upstream cannot: no answer at all, or 501.
    package var fallsBack = false

    package init() {}
  }

  /// What a request that breaks its contract is answered with.
  package enum InvalidPolicy: String, CaseIterable, Sendable {
    /// The contract's own answer for it.
    case contract
    /// A problem document.
    case problem
    /// What a good request would get; the findings are recorded.
    case warn
  }

  package let contracts: [Contract]
  package let plans: [OperationPlan]
  package let options: Options
  /// Problems of the options, such as a forced cell that does not exist.
  package let diagnostics: [Diagnostic]
  /// Routes that two of the contracts have; the contract that was named first answers.
  package let collisions: [Diagnostic]
  let prepared: [PreparedResponse]
  let router: Router
  /// How far the scenario has come; a reload starts it again.
  let play: ScenarioPlay?

  package init(contracts: [Contract], options: Options = Options()) {
    self.contracts = contracts
    self.options = options
    var compiler = PlanCompiler(options: options)
    for (index, contract) in contracts.enumerated() { compiler.compile(contract, index: index) }
    plans = compiler.plans
    prepared = compiler.prepared
    let apis = contracts.map(\.api)
    play = ScenarioPlay(contracts)
    diagnostics =
      ContractClash.names(apis) + compiler.finish()
      + (play == nil ? options.scenario.map { [MockScenario.unknown($0, contracts)] } ?? [] : [])
    collisions = ContractClash.routes(apis, usesBasePaths: options.usesBasePaths)
    router = Router(
      compiler.plans.enumerated().map { index, plan in
        RouterEntry(
          operationIndex: index, method: plan.operation.method, template: plan.operation.path,
          basePaths: options.usesBasePaths ? BasePaths.from(plan.operation.servers) : [])
      })
  }

  /// The door, in the form that a server takes.
  package var responder: Responder {
    let long = Responder.Long(beyond: Forward.bufferLimit) { request in self.reply(to: request, body: nil) }
    return Responder(prepared: prepared, long: options.upstream == nil ? nil : long) { request, body in
      self.reply(to: request, body: body)
    }
  }

  /// The answer to a request.
  package func reply(to request: HTTPRequest, body: [UInt8]) -> Reply { reply(to: request, body: .some(body)) }

  /// A body of `nil` is longer than what is held.
  private func reply(to request: HTTPRequest, body: [UInt8]?) -> Reply {
    let target = request.path ?? "/"
    let routing = router.route(request.method.rawValue, target)
    var reply =
      options.upstream.flatMap { proxied(request, body: body, along: routing, to: $0) }
      ?? mocked(request, body: body ?? [], along: routing)
    if request.method == .head { reply.omitsBody = true }
    return reply
  }

  /// The mock's own answer.
  func mocked(_ request: HTTPRequest, body: [UInt8], along routing: Routing) -> Reply {
    let target = request.path ?? "/"
    if case .match(let match) = routing {
      let exchange = RequestView(request: request, target: target, captures: match.captures, body: body)
      var reply = Answering(engine: self, plan: plans[match.operation], request: exchange).reply()
      if match.isHeadForGet { reply.omitsBody = true }
      return reply
    }
    if request.method == .options {
      if case .wrongMethod(let allowed, _, _) = routing { return options(request, allowed: allowed) }
      if target == "*" { return options(request, allowed: []) }
    }
    return missed(request, along: routing)
  }
}

// MARK: - Requests that reach no operation

extension MockEngine {
  /// What is wrong with a request that reaches no operation; `nil` where it reaches one.
  func miss(_ request: HTTPRequest, along routing: Routing) -> Finding? {
    switch routing {
    case .match: return nil
    case .wrongMethod(let allowed, let operation, let hint):
      return Finding(
        .unknownMethod,
        Diagnostic(
          .requestMethodUnknown, "`\(plans[operation].operation.path)` has no \(request.method.rawValue)",
          at: Location(exchange: "/method"),
          help: hint ?? "it has \(allowed.joined(separator: ", "))"))
    case .notFound(let nearMiss):
      let path = String(decoding: (request.path ?? "/").utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
      return Finding(
        .unknownPath,
        Diagnostic(
          .requestPathUnknown, "no path of the contract matches `\(path)`", at: Location(exchange: "/path"),
          help: nearMiss.sentence))
    }
  }

  /// The refusal of such a request. There is nothing else to serve, whatever its rule weighs.
  private func missed(_ request: HTTPRequest, along routing: Routing) -> Reply {
    guard let finding = miss(request, along: routing), let violation = finding.violation else {
      return Problem.reply(status: 404, title: "No such path", code: "unknown-path", detail: "", diagnostics: [])
    }
    var headers: [(HTTPField.Name, String)] = []
    if case .wrongMethod(let allowed, _, _) = routing { headers = [(.allow, allowed.joined(separator: ", "))] }
    var status = violation.statuses[0]
    let index = contractIndex(along: routing)
    if options.onInvalid == .contract, contracts.indices.contains(index),
      case .status(let mapped)? = contracts[index].violations[violation]
    {
      status = mapped
    }
    let diagnostic = finding.diagnostic
    return Problem.reply(
      status: status, title: violation.title, code: violation.rawValue,
      detail: Problem.detail([diagnostic]),
      diagnostics: weighed(finding).map { [$0.diagnostic] } ?? [], headers: headers)
  }

  /// A finding about a request that reaches no operation, as the rules have it.
  func weighed(_ finding: Finding) -> Finding? { options.rules.judgeOptions().weighed(finding) }

  /// Whose rules hold for a path that belongs to nobody: those of the contract with the nearest template, else the first's.
  func contractIndex(along routing: Routing) -> Int {
    let operation: Int? =
      switch routing {
      case .match(let match): match.operation
      case .wrongMethod(_, let operation, _): operation
      case .notFound(let nearMiss): nearMiss.operation
      }
    return operation.map { plans[$0].contractIndex } ?? 0
  }

  /// A preflight (Fetch, 3.2.2), or a plain OPTIONS (RFC 9110, 9.3.7), of a path that does not document one.
  private func options(_ request: HTTPRequest, allowed: [String]) -> Reply {
    var fields = HTTPFields()
    fields[.allow] = allowed.joined(separator: ", ")
    let isPreflight = options.allowsCrossOrigin && request.headerFields[.accessControlRequestMethod] != nil
    if isPreflight {
      fields[.accessControlAllowMethods] = allowed.joined(separator: ", ")
      fields[.accessControlAllowHeaders] = request.headerFields[.accessControlRequestHeaders] ?? "*"
      fields[.accessControlMaxAge] = "600"
    }
    return Reply(
      .made(HTTPResponse(status: .noContent, headerFields: fields), body: []),
      reason: isPreflight ? "preflight" : "options")
  }
}
