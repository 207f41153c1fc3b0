package import HTTPTypes

/// Decides what answers a request; the only door to a mock, for sockets, tests and tools alike.
///
/// Built once from contracts and never changed: a reload builds another. `reply` is synchronous, total and never throws.
package final class MockEngine: Sendable {
  package struct Options: Sendable {
    /// What a request that breaks its contract is answered with.
    package var onInvalid: InvalidPolicy = .contract
    /// By operation: what every request is answered with.
    package var forced: [ForcingRule] = []
    /// Prefer samples to fixtures and examples.
    package var isDynamic = false
    package var seed = "0"
    /// Whether operations live under the paths of the contract's servers.
    package var usesBasePaths = true
    /// Answer preflight requests.
    package var allowsCrossOrigin = true

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
  let prepared: [PreparedResponse]
  let router: Router

  package init(contracts: [Contract], options: Options = Options()) {
    self.contracts = contracts
    self.options = options
    var compiler = PlanCompiler(options: options)
    for (index, contract) in contracts.enumerated() { compiler.compile(contract, index: index) }
    plans = compiler.plans
    prepared = compiler.prepared
    diagnostics = compiler.finish()
    router = Router(
      compiler.plans.enumerated().map { index, plan in
        RouterEntry(
          operationIndex: index, method: plan.operation.method, template: plan.operation.path,
          basePaths: options.usesBasePaths ? BasePaths.from(plan.operation.servers) : [])
      })
  }

  /// The door, in the form that a server takes.
  package var responder: Responder {
    Responder(prepared: prepared) { request, body in self.reply(to: request, body: body) }
  }

  /// The answer to a request.
  package func reply(to request: HTTPRequest, body: [UInt8]) -> Reply {
    let target = request.path ?? "/"
    switch router.route(request.method.rawValue, target) {
    case .match(let match):
      let exchange = RequestView(request: request, target: target, captures: match.captures, body: body)
      var reply = Answering(engine: self, plan: plans[match.operation], request: exchange).reply()
      if match.isHeadForGet || request.method == .head { reply.omitsBody = true }
      return reply
    case .wrongMethod(let allowed, let template, let hint):
      if request.method == .options { return options(request, allowed: allowed) }
      return wrongMethod(request, target: target, allowed: allowed, template: template, hint: hint)
    case .notFound(let nearMiss):
      if request.method == .options, target == "*" { return options(request, allowed: []) }
      return unknownPath(request, target: target, nearMiss: nearMiss)
    }
  }
}

// MARK: - Requests that reach no operation

extension MockEngine {
  private func unknownPath(_ request: HTTPRequest, target: String, nearMiss: RouteNearMiss) -> Reply {
    let path = String(decoding: target.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    let diagnostic = Diagnostic(
      .requestPathUnknown, "no path of the contract matches `\(path)`", at: Location(exchange: "/path"),
      help: nearMiss.sentence)
    var reply = problem(.unknownPath, contractIndex(for: nearMiss.template), [diagnostic])
    if request.method == .head { reply.omitsBody = true }
    return reply
  }

  private func wrongMethod(
    _ request: HTTPRequest, target: String, allowed: [String], template: String, hint: String?
  ) -> Reply {
    let diagnostic = Diagnostic(
      .requestMethodUnknown, "`\(template)` has no \(request.method.rawValue)", at: Location(exchange: "/method"),
      help: hint ?? "it has \(allowed.joined(separator: ", "))")
    var reply = problem(
      .unknownMethod, contractIndex(for: template), [diagnostic], headers: [(.allow, allowed.joined(separator: ", "))])
    if request.method == .head { reply.omitsBody = true }
    return reply
  }

  private func problem(
    _ violation: Violation, _ contractIndex: Int, _ diagnostics: [Diagnostic], headers: [(HTTPField.Name, String)] = []
  ) -> Reply {
    var status = violation.statuses[0]
    if options.onInvalid == .contract, contracts.indices.contains(contractIndex),
      case .status(let mapped)? = contracts[contractIndex].violations[violation]
    {
      status = mapped
    }
    return Problem.reply(
      status: status, title: violation.title, code: violation.rawValue,
      detail: diagnostics.map { $0.message + ($0.help.map { "; \($0)" } ?? "") }.joined(separator: "; "),
      diagnostics: diagnostics, headers: headers)
  }

  /// Whose rules hold for a path that belongs to nobody: those of the contract with the nearest template, else the first's.
  private func contractIndex(for template: String?) -> Int {
    plans.first { $0.operation.path == template }?.contractIndex ?? 0
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
