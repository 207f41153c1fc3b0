import HTTPTypes
import SourceText

/// Judges recorded exchanges one by one: finds the operation as the mock does, and holds both sides against the contract.
package struct TrafficJudge: Sendable {
  package let engine: MockEngine
  private let scope: TrafficScope
  private let shard: Shard
  /// In the order of the engine's plans.
  private let judges: [ExchangeJudge]

  /// What became of an entry.
  package enum Outcome: Sendable {
    /// None of our business, and why.
    case ignored(String)
    /// The business of another part of a divided run.
    case elsewhere
    /// Ours, but nothing can be said of it, and why.
    case skipped(String)
    /// The request reaches no operation; `contract` is that of the nearest template, `path` the template that it fits, if any.
    case missed(Finding, contract: Int, path: String?)
    case judged(Exchange)
  }

  /// An exchange of an operation, judged.
  package struct Exchange: Sendable {
    /// Of the engine's plans.
    package var operation: Int
    package var request: Judgement
    package var answer: Judgement
    package var requestType: MediaRange?
    package var responseType: MediaRange?

    /// Whether both sides were judged, bodies too, and none broke the contract. A bad request that was refused as
    /// documented is such an exchange.
    package var holds: Bool { request.isValid && answer.isValid && request.isWhole && answer.isWhole }
  }

  /// - Parameter engine: without an upstream.
  package init(_ engine: MockEngine, scope: TrafficScope, shard: Shard = .whole) {
    self.engine = engine
    self.scope = scope
    self.shard = shard
    judges = engine.plans.map { plan in
      let contract = engine.contracts[plan.contractIndex]
      let options = engine.options.rules.judgeOptions(for: plan.operation.id)
      let compiler = JudgeCompiler(contract.api, schemas: contract.schemas, options: options)
      return ExchangeJudge(request: plan.judge, response: compiler.responseJudge(for: plan.operation))
    }
  }

  /// - Parameter isOwn: the recording is a mock's own, so that every host is ours.
  package func judge(_ entry: HAREntry, isOwn: Bool = false) -> Outcome {
    let target: String
    let isSure: Bool
    var corrected: String?
    switch scope.verdict(entry.url, isOwn: isOwn) {
    case .outside(let reason): return .ignored(reason)
    case .inside(let inside): (target, isSure) = (inside, true)
    case .perhaps(let perhaps, let withBase): (target, isSure, corrected) = (perhaps, false, withBase)
    }
    guard let method = HTTPRequest.Method(entry.method) else { return .skipped("the method is no token") }
    let reference = URIReference(entry.url)
    let request = HTTPRequest(
      method: method, scheme: reference.scheme, authority: reference.authority, path: target,
      headerFields: Self.standIns(for: entry.requestFields))
    let routing = engine.router.route(entry.method, target)
    if case .notFound = routing, !isSure {
      guard let corrected else { return .ignored("a host that no server of the contract names, and no path") }
      // Pages often live on the same host. Only what lacks nothing but the base path is surely the contract's business.
      guard case .match = engine.router.route(entry.method, corrected) else {
        return .ignored("a path outside the base path of the contract's server")
      }
    }
    guard isOfShard(routing) else { return .elsewhere }
    guard entry.answer.status > 0 else { return .skipped("no answer came (status \(entry.answer.status))") }
    guard case .match(let match) = routing else { return miss(request, routing) }
    return .judged(
      exchange(
        entry,
        RequestView(
          request: request, target: target, captures: match.captures, body: entry.requestBody.bytes),
        operation: match.operation))
  }

  /// Whoever has the first part tells of what belongs to nobody.
  private func isOfShard(_ routing: Routing) -> Bool {
    guard case .match(let match) = routing else { return shard.index == 1 }
    let plan = engine.plans[match.operation]
    return shard.contains(contract: engine.contracts[plan.contractIndex].api.name, operation: plan.operation.id)
  }

  private func miss(_ request: HTTPRequest, _ routing: Routing) -> Outcome {
    if request.method == .options {
      let isPreflight = request.headerFields[.accessControlRequestMethod] != nil
      return .skipped(isPreflight ? "a CORS preflight" : "an OPTIONS that no contract documents")
    }
    // A 404 does not make a note of it: a wrong address is a slip far more often than a test.
    guard let found = engine.miss(request, along: routing) else { return .skipped("the request reaches no operation") }
    guard let finding = engine.weighed(found) else { return .ignored("a rule that is off") }
    var template: String?
    if case .wrongMethod(_, let operation, _) = routing { template = engine.plans[operation].operation.path }
    return .missed(finding, contract: engine.contractIndex(along: routing), path: template)
  }

  // MARK: - An exchange

  private func exchange(_ entry: HAREntry, _ view: RequestView, operation: Int) -> Exchange {
    let judge = judges[operation]
    var asked = judge.request.judgement(of: view)
    if let reason = entry.requestBody.reason { asked.withdrawBody(reason) }
    withdrawSecrets(entry, view, &asked)
    let answer = entry.answer
    var shown = ResponseView(
      status: answer.status, fields: answer.fields, body: answer.body.bytes, method: entry.method,
      hadBody: entry.requestBody.isPresent, askedForPart: entry.requestFields.first(named: "range") != nil,
      duration: answer.duration)
    shown.isDecoded = true
    var answered = judge.answer(shown, to: asked)
    if let reason = answer.body.reason { answered.withdrawBody(reason) }
    withdrawSecrets(in: answer.body.bytes, answer.fields, &answered)
    return Exchange(
      operation: operation,
      request: judge.settled(asked, by: answer.status, refusals: engine.plans[operation].violations), answer: answered,
      requestType: entry.requestBody.isPresent
        ? view.request.headerFields.first(named: "content-type").flatMap { MediaRange($0) } : nil,
      responseType: answer.fields.first(named: "content-type").flatMap { MediaRange($0) })
  }
}
