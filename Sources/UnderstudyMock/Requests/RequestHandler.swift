/// Decides the answer to one request in one state of its lane; it reads, and changes nothing.
struct RequestHandler {
  private let mock: Mock
  private let prepared: PreparedRequest
  private let operation: MockOperation
  /// `nil` for a request whose answer depends on no state.
  private let state: LaneSnapshot?
  private let step: ScenarioStep?
  /// By the clock of the lane, in microseconds since 1970.
  private let now: Int
  /// What the answer takes from the state.
  private var use: LaneUse?
  /// Whether a reply of the lane or of a test has chosen a cell, so that nothing forced applies.
  private var isReplied = false
  /// The labels of the counts that the request moves on, whichever response it gets.
  private(set) var turns: [String] = []

  private var request: RequestView { prepared.view }
  private var result: ValidationResult { prepared.result }
  private var preferences: Preferences { prepared.preferences }

  init(mock: Mock, _ prepared: PreparedRequest, state: LaneSnapshot?, step: ScenarioStep?, now: Int) {
    self.mock = mock
    self.prepared = prepared
    operation = prepared.operation
    self.state = state
    self.step = step
    self.now = now
  }

  /// Decides by the mock's rules, or takes the response that a test has chosen. The result has no `turns` yet.
  mutating func decision() -> Decision {
    if prepared.isFallback { return fallback() }
    if let chosen = prepared.chosen { return self.chosen(chosen) }
    let budget = prepared.rendering.budget
    // A method of the state is called only where it may find something: the state is copied for it.
    guard let state, !state.value.replies.isEmpty,
      let (answer, index) = state.value.nextReply(to: operation, request, within: budget)
    else { return usualOrForwarded() }
    var decision: Decision
    switch answer.answer {
    case .usual: decision = usualOrForwarded()
    default: decision = self.chosen(answer)
    }
    (decision.delay, decision.fault, decision.scripted) = (answer.delay, answer.fault, index)
    return decision
  }

  private mutating func usualOrForwarded() -> Decision {
    if let upstream = prepared.upstream, operation.forced == nil, nextForced() == nil {
      return forwarded(to: upstream)
    }
    return usual(operation)
  }

  private mutating func nextForced() -> (forcing: Forcing, index: Int)? {
    guard let state, !state.value.forced.isEmpty else { return nil }
    return state.value.nextForced(of: operation, at: now, seed: mock.options.seed, turns: &turns)
  }

  /// That of the mock in place of the upstream, whose faults come later.
  private mutating func fallback() -> Decision {
    var decision = usual(operation)
    decision.hasFaults = false
    return decision
  }

  private mutating func usual(_ operation: MockOperation) -> Decision {
    let reply = checked(operation)
    return Decision(reply: reply, prepared: prepared, step: step, use: use, hasPreferences: true)
  }

  private mutating func chosen(_ override: ReplyOverride) -> Decision {
    var decision: Decision
    switch override.answer {
    case .usual: decision = usual(operation)
    case .cell(let forcing):
      isReplied = true
      decision = usual(operation.forced(to: forcing))
    case .response(let response, let body, let description):
      var reply = Reply(
        .made(response, body: body), operation: prepared.operation,
        source: ReplySource(.written(description), by: .replied),
        diagnostics: prepared.result.findings)
      if let template = override.template {
        reply.rest = FixtureRest(
          template, label: description, seed: preferences.seed ?? state?.value.seed ?? mock.options.seed,
          isRepeatable: preferences.seed != nil)
      }
      decision = Decision(reply: reply, prepared: prepared, step: step, use: nil)
      decision.hasFaults = false
    case .stream(let script, let status, let description):
      let source = ReplySource(.written(description), by: .replied)
      let head = HTTPResponse(
        code: status, [(name: "Content-Type", value: prepared.operation.streamType)], source: source)
      var reply = Reply(
        .made(head, body: []), operation: prepared.operation, source: source, diagnostics: prepared.result.findings)
      reply.sockets = .script(script)
      decision = Decision(reply: reply, prepared: prepared, step: step, use: nil)
      decision.hasFaults = false
    }
    (decision.delay, decision.fault) = (override.delay, override.fault)
    return decision
  }

  /// The refusal of a request that breaks the contract, if the policy is to refuse it; else the upstream answers.
  private func forwarded(to upstream: Upstream) -> Decision {
    if mock.options.onInvalid != .warn, let worst {
      let reply = refusals(selection(operation, Preferences(request.request.headerFields)), operation).reply(to: worst)
      return Decision(reply: reply, prepared: prepared, step: step, use: nil)
    }
    let handler = ProxyHandler(mock: mock, prepared, to: upstream)
    var decision = Decision(reply: handler.reply(), prepared: prepared, step: step, use: nil)
    decision.hasFaults = false
    return decision
  }

  // MARK: - Rules

  /// The answer, or the refusal of one that breaks the contract.
  private mutating func checked(_ operation: MockOperation) -> Reply {
    var selection = selection(operation, preferences)
    if selection.isDynamic, !selection.isRepeatable, let state {
      let label = "sample \(operation.key)"
      turns.append(label)
      selection.turn = state.value.turns[label] ?? 0
    }
    let reply = decided(operation, selection)
    guard mock.options.onInvalid == .problem, !reply.diagnostics.isEmpty else { return reply }
    return refusals(selection, operation).reply(toBroken: reply) ?? reply
  }

  private mutating func decided(_ operation: MockOperation, _ selection: ResponseSelection) -> Reply {
    let diagnostics = result.findings
    do throws(SelectionProblem) {
      if !isReplied, let (forced, index) = nextForced() {
        use = .forced(index)
        let answer =
          forced.isPlain
          ? PlainResponse.selection(code: forced.code)
          : try selection.answer(code: forced.code, name: forced.name)
        return answer.reply(of: operation, diagnostics, by: .forcedInLane)
      }
      if let forced = operation.forced {
        let answer =
          forced.isPlain
          ? PlainResponse.selection(code: forced.code)
          : try selection.answer(code: forced.code, name: forced.name)
        return answer.reply(of: operation, diagnostics, by: isReplied ? .replied : .forced)
      }
      if let preferred = try preferred(selection) {
        return preferred.reply(of: operation, diagnostics, by: .preferred)
      }
      // A fixture with a `when` for the body must not switch authentication off.
      let worst = worst
      let isLetIn = worst != .unauthorized || mock.options.onInvalid == .warn
      if let step = isLetIn ? self.step?.answer ?? nextStep() : nextStep(forInvalidAlone: true) {
        let answer = try selection.answer(code: step.forcing.code, name: step.forcing.name)
        var reply = answer.reply(of: operation, diagnostics, by: .scenario(step.scenario, step.place))
        reply.add(.understudyReply, reply.source.fieldValue)
        return reply
      }
      if isLetIn, let variant = conditional {
        return selection.answer(variant).reply(of: operation, diagnostics, by: .when)
      }
      // A fixture may have the media type that no response of the contract has.
      if let worst, worst != .notAcceptable, mock.options.onInvalid != .warn {
        return refusals(selection, operation).reply(to: worst)
      }
      if let resources, var items = state?.value.resources {
        defer { use = .resources(items) }
        let outcome = resources.outcome(
          of: operation.compiled, request, seed: selection.seed, at: now, in: &items)
        if let outcome {
          return try ResourceResponse(outcome: outcome, operation: operation, selection: selection, request: request)
            .reply(diagnostics, like: &items.answers)
        }
      }
      if operation.cells.isEmpty { return refusals(selection, operation).undocumented() }
      if operation.successCode < 200 { return refusals(selection, operation).interimOnly() }
      return try selection.answer(code: operation.successCode, name: nil).reply(of: operation, diagnostics)
    } catch {
      var problem = error
      problem.place =
        error.place ?? (error.kind == .noName ? preferences.examplePlace : preferences.statusPlace)
      return refusals(selection, operation).reply(to: problem)
    }
  }

  private var worst: Violation? {
    result.findings.isEmpty
      ? nil
      : result.findings.compactMap(\.violation).filter { operation.compiled.violations[$0] != .ignore }.min()
  }

  private func selection(_ operation: MockOperation, _ preferences: Preferences) -> ResponseSelection {
    ResponseSelection(
      operation: operation, rendering: prepared.rendering, accept: request.accept,
      isDynamic: preferences.isDynamic ?? state?.value.isDynamic ?? mock.options.isDynamic,
      seed: preferences.seed ?? state?.value.seed ?? mock.options.seed, isRepeatable: preferences.seed != nil)
  }

  private func refusals(_ selection: ResponseSelection, _ operation: MockOperation) -> RefusalWriter {
    RefusalWriter(options: mock.options, operation: operation, selection: selection, diagnostics: result.findings)
  }

  /// The next step of the scenario; `forInvalidAlone` considers only a sequence for requests that break the contract.
  private mutating func nextStep(forInvalidAlone: Bool = false) -> PlayedScenario.Step? {
    guard let state, let scenario = state.value.scenario.flatMap({ mock.scenarios[$0] }),
      !forInvalidAlone || scenario.hasInvalidSequence(of: operation),
      let (step, key, position) = scenario.next(of: operation, isInvalid: worst != nil, in: state.value, at: now)
    else { return nil }
    use = .step(key, position)
    return step
  }

  /// The first fixture whose `when` matches. The items of a collection take the place of fixtures that are data.
  private var conditional: MockCell.Variant? {
    if operation.conditional.isEmpty { return nil }
    let isStored = resources?.hasAction(operation.compiled) == true
    return operation.conditional.first { variant in
      !(isStored && variant.fixture.status.code / 100 == 2)
        && variant.fixture.when?.matches(request, within: prepared.rendering.budget) == true
    }
  }

  private var resources: ResourceModel? {
    guard let state, let model = mock.resources(in: state.value.scenario), model.concerns(operation.compiled) else {
      return nil
    }
    return model
  }

  /// The answer that `Prefer` or an equivalent asks for; `nil` without a preference.
  private func preferred(_ selection: ResponseSelection) throws(SelectionProblem) -> Selection? {
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
          help: Suggestion.phrase(for: preference, among: operation.cells.compactMap(\.meaning))
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

/// The part of the state of a lane that a decision reads. A class, since it has many parts.
final class LaneSnapshot: Sendable {
  let value: LaneState
  let revision: Int

  init(_ value: LaneState, _ revision: Int) { (self.value, self.revision) = (value, revision) }
}

extension LaneState {
  /// The part that chooses responses, without the record of what happened.
  var choices: LaneState {
    var choices = LaneState()
    (choices.clock, choices.latest) = (clock, latest)
    (choices.scenario, choices.seed) = (scenario, seed)
    (choices.forced, choices.replies) = (forced, replies)
    (choices.positions, choices.machines, choices.starts) = (positions, machines, starts)
    (choices.turns, choices.openedAt, choices.isDynamic) = (turns, openedAt, isDynamic)
    choices.resources = resources
    return choices
  }
}

/// What an answer takes from the state of a lane.
enum LaneUse {
  case forced(Int)
  /// A step of a sequence, with the position after it.
  case step(_ key: String, ScenarioSequence.Position)
  /// The items of collections, as the request leaves them.
  case resources(ResourceState)
}

/// A decided response before the lane's state changes; noncopyable, so that changes of the reply copy no parts.
struct Decision: ~Copyable {
  private var answer: Reply
  private let prepared: PreparedRequest
  private let step: ScenarioStep?
  private let use: LaneUse?
  /// Whether the delay and the fault count that the request prefers.
  private let hasPreferences: Bool
  var hasFaults = true
  /// The labels of the counts in the state that the request moves on.
  var turns: [String] = []
  /// The index of the reply of the lane that it is.
  var scripted: Int?
  /// The delay and the fault of a reply that was chosen in place of the mock's.
  var delay: Duration?
  var fault: Fault?

  init(
    reply: Reply, prepared: PreparedRequest, step: ScenarioStep?, use: LaneUse?, hasPreferences: Bool = false
  ) {
    answer = reply
    self.prepared = prepared
    self.step = step
    self.use = use
    self.hasPreferences = hasPreferences
  }

  /// The reply, for which the state moves on.
  consuming func reply(in lane: inout LaneTransaction) -> Reply {
    let operation = prepared.operation
    switch use {
    case .forced(let index)?: lane.state.countForced(at: index)
    case .step(let key, let position)?: lane.state.positions[key] = position
    case .resources(let items)?: lane.state.resources = items
    case nil: break
    }
    if let scripted { lane.state.countReply(at: scripted) }
    for label in turns { _ = lane.state.nextTurn(of: label) }
    if let rest = answer.rest {
      answer.rest = nil
      rest.complete(&answer, to: prepared.view, step, in: &lane)
    }
    if hasFaults { lane.fail(&answer, by: operation.faults, of: operation) }
    complete()
    return answer
  }

  /// The reply where no state is kept.
  consuming func reply(seed: String) -> Reply {
    if answer.rest != nil || hasFaults && prepared.operation.faults != nil {
      var none = LaneState()
      return none.change(by: self, at: 0, seed: seed) { $0.reply(in: &$1) }
    }
    complete()
    return answer
  }

  private mutating func complete() {
    if answer.forward == nil { answer.notValidated = prepared.result.notValidated }
    if hasPreferences {
      if let delay = prepared.preferences.delay { answer.delay = delay }
      if let fault = prepared.preferences.fault { answer.apply(fault) }
    }
    if let delay { answer.delay = delay }
    if let fault { answer.fault = fault }
  }
}
