/// Answers one validated request: forced, preferred, scenario, `when`, refusal, default, in this order.
///
/// A class, because its parts cost more to copy than to hold.
final class RequestHandler {
  let mock: Mock
  let operation: MockOperation
  let request: RequestView
  let result: ValidationResult
  let time: LaneTime
  /// `nil` where the answer depends on no state.
  let lane: LaneReference?
  /// The machines of the scenario at this request.
  let turn: ScenarioTurn?

  init(
    mock: Mock, operation: MockOperation, request: RequestView, result: ValidationResult, time: LaneTime,
    lane: LaneReference?, turn: ScenarioTurn?
  ) {
    self.mock = mock
    self.operation = operation
    self.request = request
    self.result = result
    self.time = time
    self.lane = lane
    self.turn = turn
  }

  /// The answer with the findings.
  ///
  /// - Parameter hasFaults: Whether the rules for delays and faults apply.
  func reply(hasFaults: Bool = true) -> Reply {
    let preferences = Preferences(request.request.headerFields, query: request.query)
    var reply = checked(preferences)
    complete(&reply, hasFaults: hasFaults)
    if let delay = preferences.delay { reply.delay = delay }
    if let fault = preferences.fault { reply.apply(fault) }
    return reply
  }

  /// Adds what does not depend on the choice of the answer.
  private func complete(_ reply: inout Reply, hasFaults: Bool = true) {
    if hasFaults {
      if let faults = operation.faults { faults.apply(to: &reply, faultDecision) }
      lane?.state.faults(of: operation)?.apply(to: &reply, faultDecision)
    }
    reply.notValidated = result.notValidated
  }

  /// The answer, or the refusal of one that breaks the contract.
  private func checked(_ preferences: Preferences) -> Reply {
    let selection = selection(preferences)
    let reply = decided(preferences, selection)
    guard mock.options.onInvalid == .problem, !reply.diagnostics.isEmpty else { return reply }
    return refusals(selection).reply(toBroken: reply) ?? reply
  }

  /// The same for an operation that has one answer only.
  func forced(to forcing: Forcing) -> RequestHandler {
    RequestHandler(
      mock: mock, operation: operation.forced(to: forcing), request: request, result: result, time: time, lane: lane,
      turn: turn)
  }

  /// The refusal of a request that breaks the contract, if the policy is to refuse it.
  func refusal() -> Reply? {
    guard mock.options.onInvalid != .warn, let worst else { return nil }
    var reply = refusals(selection(Preferences(request.request.headerFields))).reply(to: worst)
    complete(&reply)
    return reply
  }

  /// The violation that decides the answer.
  private var worst: Violation? {
    result.findings.isEmpty
      ? nil
      : result.findings.compactMap(\.violation).filter { operation.compiled.violations[$0] != .ignore }.min()
  }

  private func selection(_ preferences: Preferences) -> ResponseSelection {
    ResponseSelection(
      handler: self, accept: request.accept,
      isDynamic: preferences.isDynamic ?? mock.options.isDynamic,
      seed: preferences.seed ?? lane?.state.seed ?? mock.options.seed, isRepeatable: preferences.seed != nil)
  }

  var faultDecision: FaultDecision { FaultDecision(lane: lane, time: time, seed: mock.options.seed) }

  private func refusals(_ selection: ResponseSelection) -> RefusalWriter {
    RefusalWriter(options: mock.options, operation: operation, selection: selection, diagnostics: result.findings)
  }

  private func decided(_ preferences: Preferences, _ selection: ResponseSelection) -> Reply {
    let diagnostics = result.findings
    do throws(SelectionProblem) {
      if let forced = lane?.state.nextForced(of: operation) {
        return try selection.answer(code: forced.code, name: forced.name).reply(
          of: operation, diagnostics, by: .forcedInLane)
      }
      if let forced = operation.forced {
        let answer =
          forced.isPlain
          ? PlainResponse.selection(code: forced.code)
          : try selection.answer(code: forced.code, name: forced.name)
        return answer.reply(of: operation, diagnostics, by: .forced)
      }
      if let preferred = try preferred(preferences, selection) {
        return preferred.reply(of: operation, diagnostics, by: .preferred)
      }
      // A fixture with a `when` for the body must not switch authentication off.
      let worst = worst
      let isLetIn = worst != .unauthorized || mock.options.onInvalid == .warn
      if isLetIn, let step = turn?.answer ?? nextStep() {
        let answer = try selection.answer(code: step.forcing.code, name: step.forcing.name)
        var reply = answer.reply(of: operation, diagnostics, by: .scenario(step.scenario, step.place))
        reply.add(.understudyReply, reply.source.fieldValue)
        return reply
      }
      let variant = isLetIn ? conditional : nil
      guard !WorkLimit.isExceeded else { return .unfinished }
      if let variant { return selection.answer(variant).reply(of: operation, diagnostics, by: .when) }
      // A fixture may have the media type that no response of the contract has.
      if let worst, worst != .notAcceptable, mock.options.onInvalid != .warn {
        return refusals(selection).reply(to: worst)
      }
      if let resources, let lane,
        let resource = resources.outcome(
          of: operation.compiled, request, seed: selection.seed, at: time(), in: &lane.state.resources)
      {
        return try ResourceAnswer(
          outcome: resource, operation: operation, selection: selection, request: request, answers: resources.answers
        ).reply(diagnostics)
      }
      if operation.cells.isEmpty { return refusals(selection).undocumented() }
      if operation.successCode < 200 { return refusals(selection).interimOnly() }
      return try selection.answer(code: operation.successCode, name: nil).reply(of: operation, diagnostics)
    } catch {
      var problem = error
      problem.place =
        error.place ?? (error.kind == .noName ? preferences.examplePlace : preferences.statusPlace)
      return refusals(selection).reply(to: problem)
    }
  }

  /// The next step of the scenario.
  private func nextStep() -> PlayedScenario.Step? {
    guard let lane, let scenario = lane.state.scenario.flatMap({ mock.scenarios[$0] }) else { return nil }
    return scenario.next(of: operation, in: &lane.state, at: time)
  }

  /// The first fixture whose `when` matches. The items of a collection take the place of fixtures that are data.
  private var conditional: MockCell.Variant? {
    if operation.conditional.isEmpty { return nil }
    let isStored = resources?.hasAction(operation.compiled) == true
    return operation.conditional.first { variant in
      !(isStored && variant.fixture.status.code / 100 == 2) && variant.fixture.when?.matches(request) == true
    }
  }

  /// The collections of the lane.
  private var resources: ResourceModel? { mock.resources(in: lane?.state.scenario) }

  /// The answer that `Prefer` or an equivalent asks for; `nil` without a preference.
  private func preferred(
    _ preferences: Preferences, _ selection: ResponseSelection
  ) throws(SelectionProblem) -> Selection? {
    if let problem = preferences.problems.first {
      throw SelectionProblem(kind: .noStatus, message: problem.message, help: problem.help, place: problem.place)
    }
    switch preferences.status {
    case .code(let code): return try selection.answer(code: code, name: preferences.example)
    case .named(let preference):
      guard let code = operation.code(named: preference) else {
        let meanings = operation.cells.compactMap(\.cell.explicitMeaning)
        throw SelectionProblem(
          kind: .noStatus, message: "\(operation.id) has no status and no meaning `\(preference)`",
          help: Suggestion.phrase(for: preference, among: meanings)
            ?? (meanings.isEmpty
              ? "it has \(operation.statuses.joined(separator: ", "))"
              : "meanings: \(meanings.joined(separator: ", "))"))
      }
      return try selection.answer(code: code, name: preferences.example)
    case nil:
      guard let name = preferences.example else { return nil }
      return try selection.answer(name: name)
    }
  }
}
