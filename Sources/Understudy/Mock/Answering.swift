import HTTPTypes
import SourceText

/// One request on its way to its answer: forced, preferred, scenario, `when`, violation, default - in this order.
struct Answering {
  let engine: MockEngine
  let plan: OperationPlan
  let request: RequestView
  let judgement: Judgement

  init(engine: MockEngine, plan: OperationPlan, request: RequestView, judgement: Judgement? = nil) {
    self.engine = engine
    self.plan = plan
    self.request = request
    self.judgement = judgement ?? plan.judge.judgement(of: request)
  }

  func reply() -> Reply {
    let reply = decided()
    return judgement.notJudged.isEmpty && reply.diagnostics.isEmpty ? reply : telling(reply)
  }

  /// A reply that says as well what could not be judged, and to the client what is wrong, where that refuses nothing.
  private func telling(_ reply: Reply) -> Reply {
    var reply = reply
    reply.notJudged = judgement.notJudged
    let isWarned = engine.options.onInvalid == .warn && !reply.diagnostics.isEmpty
    return isWarned ? reply.listingViolations() : reply
  }

  /// The refusal of a request that breaks the contract; `nil` where it is to be answered.
  func refusal() -> Reply? {
    guard engine.options.onInvalid != .warn, let worst else { return nil }
    var reply = refusal(worst, diagnostics, selection(Preferences(request.request.headerFields)))
    reply.notJudged = judgement.notJudged
    return reply
  }

  private var diagnostics: [Diagnostic] { judgement.findings.map(\.diagnostic) }

  /// The class of what is wrong that the contract wants answered.
  private var worst: Violation? {
    judgement.findings.isEmpty ? nil : judgement.findings.compactMap(\.violation).filter(isAnswered).min()
  }

  private func selection(_ preferences: Preferences) -> ResponseSelection {
    ResponseSelection(
      plan: plan, accept: request.request.headerFields.lines(named: "Accept"),
      isDynamic: preferences.isDynamic ?? engine.options.isDynamic, seed: preferences.seed ?? engine.options.seed,
      values: request)
  }

  private func decided() -> Reply {
    let preferences = Preferences(request.request.headerFields, query: request.query)
    let diagnostics = diagnostics
    let selection = selection(preferences)
    do throws(SelectionProblem) {
      if let forced = plan.forced {
        return reply(try selection.answer(code: forced.code, name: forced.name), diagnostics, why: "forced")
      }
      if let preferred = try preferred(preferences, selection) {
        return reply(preferred, diagnostics, why: "preferred")
      }
      // Nobody who stubs an answer to some field means to switch authentication off, so that comes first.
      let worst = worst
      let isLetIn = worst != .unauthorized || engine.options.onInvalid == .warn
      if isLetIn, let step = engine.play?.next(plan) {
        return played(try selection.answer(code: step.forcing.code, name: step.forcing.name), step.label, diagnostics)
      }
      if isLetIn,
        let variant = plan.conditional.first(where: { $0.fixture.when?.matches(request) == true })
      {
        return reply(selection.answer(variant), diagnostics, why: "when")
      }
      if let worst, engine.options.onInvalid != .warn { return refusal(worst, diagnostics, selection) }
      if plan.successCode < 200 { return interimOnly(diagnostics) }
      return reply(try selection.answer(code: plan.successCode, name: nil), diagnostics)
    } catch {
      var problem = error
      let place = error.kind == .noName ? preferences.examplePlace : preferences.statusPlace
      problem.place = problem.place ?? place
      return unanswerable(problem, diagnostics, selection)
    }
  }

  /// What `Prefer` and its twins ask for; `nil` when they ask for no particular answer.
  private func preferred(
    _ preferences: Preferences, _ selection: ResponseSelection
  ) throws(SelectionProblem) -> Selection? {
    if let problem = preferences.problems.first {
      throw SelectionProblem(kind: .noStatus, message: problem.message, help: problem.help, place: problem.place)
    }
    switch preferences.status {
    case .code(let code): return try selection.answer(code: code, name: preferences.example)
    case .named(let wish):
      guard let code = plan.code(named: wish) else {
        let meanings = plan.cells.compactMap(\.meaning)
        throw SelectionProblem(
          kind: .noStatus, message: "\(plan.operation.id) has no status and no meaning `\(wish)`",
          help: Suggestion.phrase(for: wish, among: meanings) ?? "meanings: \(meanings.joined(separator: ", "))")
      }
      return try selection.answer(code: code, name: preferences.example)
    case nil:
      guard let name = preferences.example else { return nil }
      return try selection.answer(name: name)
    }
  }

  // MARK: - Refusals

  private func isAnswered(_ violation: Violation) -> Bool { plan.violations[violation] != .ignore }

  /// The answer to a request that breaks the contract: the contract's own where it has one.
  private func refusal(_ violation: Violation, _ diagnostics: [Diagnostic], _ selection: ResponseSelection) -> Reply {
    var status = violation.statuses[0]
    if engine.options.onInvalid == .contract {
      if case .status(let mapped)? = plan.violations[violation] {
        status = mapped
      } else if let documented = violation.statuses.first(where: { plan.cell(for: $0)?.response != nil }) {
        status = documented
      }
      // The client's Accept spoke of the success; an error of another type is better than none.
      let lenient = ResponseSelection(
        plan: plan, accept: [], isDynamic: selection.isDynamic, seed: selection.seed, values: selection.values)
      if plan.cell(for: status) != nil, let answer = try? lenient.answer(code: status, name: nil) {
        return reply(challenging(answer, status), diagnostics, why: violation.title.lowercased())
      }
    }
    return Problem.reply(
      status: status, title: violation.title, code: violation.rawValue, detail: Problem.detail(diagnostics),
      diagnostics: diagnostics,
      plan: plan, headers: challenge(status))
  }

  /// A wish or an `Accept` that cannot be met: said, never silently replaced by something else.
  private func unanswerable(
    _ problem: SelectionProblem, _ diagnostics: [Diagnostic], _ selection: ResponseSelection
  ) -> Reply {
    if problem.kind == .notAcceptable {
      let finding = plan.judge.options.weighed(
        Finding(
          .notAcceptable, .requestNotAcceptable, problem.message, at: "/header/Accept", help: problem.help))
      let diagnostics = diagnostics + (finding.map { [$0.diagnostic] } ?? [])
      if engine.options.onInvalid == .warn || finding?.violation == nil || !isAnswered(.notAcceptable) {
        let lenient = ResponseSelection(
          plan: plan, accept: [], isDynamic: selection.isDynamic, seed: selection.seed, values: selection.values)
        if let answer = try? lenient.answer(code: plan.successCode, name: nil) { return reply(answer, diagnostics) }
      }
      return refusal(.notAcceptable, diagnostics, selection)
    }
    if problem.kind == .noBody {
      return Problem.reply(
        status: 500, title: "No body to send", code: "no-body", detail: "\(problem.message) (\(problem.help))",
        diagnostics: diagnostics, plan: plan)
    }
    let finding = Diagnostic(
      .requestPreference, problem.message, at: Location(exchange: problem.place ?? "/header/Prefer"),
      help: problem.help)
    return Problem.reply(
      status: 422, title: "Preference not met", code: "preference", detail: Problem.detail([finding]),
      diagnostics: diagnostics + [finding], plan: plan)
  }

  /// A client that did not offer to switch protocols waits for a final answer (RFC 9110, 15.2.2), and there is none.
  private func interimOnly(_ diagnostics: [Diagnostic]) -> Reply {
    Problem.reply(
      status: 501, title: "No final answer", code: "no-final-answer",
      detail: "\(plan.operation.id) documents no success but \(plan.successCode), and the mock switches no protocols; "
        + "ask for another status by `Prefer: code=`", diagnostics: diagnostics, plan: plan)
  }

  // MARK: - Replies

  private func reply(_ selection: Selection, _ diagnostics: [Diagnostic], why: String? = nil) -> Reply {
    Reply(
      selection.content, delay: selection.delay, fault: selection.fault, plan: plan,
      reason: why.map { "\(selection.reason) (\($0))" } ?? selection.reason, diagnostics: diagnostics)
  }

  /// An answer that was made from the contract, with the challenge that few contracts write down. A fixture stays as it is.
  private func challenging(_ selection: Selection, _ status: Int) -> Selection {
    guard case .made(var response, let body) = selection.content, response.headerFields[.wwwAuthenticate] == nil else {
      return selection
    }
    for (name, value) in challenge(status) { response.headerFields[name] = value }
    var selection = selection
    selection.content = .made(response, body: body)
    return selection
  }

  /// The header of a scenario's answer tells the step as well.
  private func played(_ selection: Selection, _ label: String, _ diagnostics: [Diagnostic]) -> Reply {
    var reply = reply(selection, diagnostics)
    reply.reason = "\(label), \(selection.reason)"
    reply.add(.understudyReply, PercentEncoding.encode(reply.reason, keeping: " /:*{}=,"))
    return reply
  }

  /// A 401 says how to authenticate (RFC 9110, 15.5.2); only `http` schemes have a name to say.
  private func challenge(_ status: Int) -> [(HTTPField.Name, String)] {
    guard status == 401 else { return [] }
    let schemes = engine.contracts[plan.contractIndex].api.securitySchemes
    for requirement in plan.operation.security {
      for (name, _) in requirement.schemes {
        switch schemes.first(where: { $0.name == name })?.kind {
        case .http(let scheme): return [(.wwwAuthenticate, scheme.prefix(1).uppercased() + scheme.dropFirst())]
        case .oauth2, .openIdConnect: return [(.wwwAuthenticate, "Bearer")]
        default: continue
        }
      }
    }
    return []
  }
}
