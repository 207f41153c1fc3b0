/// The machines of a scenario at one request: the answer, and the moves that follow.
final class ScenarioStep {
  private(set) var answer: PlayedScenario.Step?
  /// The callbacks and webhooks that the response causes, each perhaps with a URL.
  private(set) var sends: [(name: String, to: String?)] = []
  /// The values of `{{var.name}}`.
  let variables: [String: String]
  private let steps: [StateMachineStep]
  private let now: Int

  /// Nothing changes until `arrive` and `finish`. The state is borrowed, since it costs more to copy than all the rest.
  init(
    _ scenario: PlayedScenario, _ operation: MockOperation, _ request: any RequestValues,
    in state: borrowing LaneState, at now: Int
  ) {
    self.now = now
    var steps: [StateMachineStep] = []
    for (key, machine) in scenario.machines(for: operation) {
      if let step = StateMachineStep(machine, key: key, request, in: state, at: now) { steps.append(step) }
    }
    variables = Self.variables(steps)
    let environment = TemplateEnvironment(now: now, seed: [], variables: variables)
    for index in steps.indices { steps[index].consider(operation.id, request, environment, in: state, at: now) }
    self.steps = steps
    guard let step = steps.first(where: { $0.decider != nil }), let forcing = step.decider?.answer else { return }
    answer = (forcing, scenario.name, .state(step.arrival.state, machine: step.machine.name))
  }

  /// Notes where the machines are, after their timers.
  func arrive(in state: inout LaneState) { for step in steps { step.arrive(in: &state, at: now) } }

  /// The other instances of the machine that chose the answer, for `{{#others.name}}`.
  func others(_ request: any RequestValues, in state: LaneState) -> [String: [[String: String]]] {
    guard let step = steps.first(where: { $0.decider != nil }), step.decider?.others.isEmpty == false else {
      return [:]
    }
    let environment = TemplateEnvironment(now: now, seed: [], variables: variables)
    return step.others(request, environment, in: state, at: now)
  }

  private static func variables(_ steps: [StateMachineStep]) -> [String: String] {
    var variables: [String: String] = [:]
    for step in steps {
      variables.merge(step.arrival.variables) { _, new in new }
      if !step.owner.isEmpty { variables["me"] = step.owner }
    }
    return variables
  }

  /// Moves the machines as the response asks for; returns forbidden requests, and missing values of rules.
  func finish(
    _ operation: MockOperation, _ request: any RequestValues, _ reply: Reply, in state: inout LaneState
  ) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var environment = TemplateEnvironment(now: now, seed: [String(state.requests)], variables: variables)
    for step in steps {
      if let found = unexpected(operation.id, step, state) { findings.append(found) }
      guard let rule = step.outcome(reply.status, success: operation.successCode) else { continue }
      if !rule.changes.isEmpty || !rule.moves.isEmpty {
        environment.response = environment.response ?? ReplyValues(reply)
      }
      for send in rule.sends { sends.append((send.name, send.to?.text(request, environment))) }
      findings += step.apply(rule, request, environment, in: &state, at: now)
      state.clock.advance(by: rule.advance)
    }
    return findings
  }

  private func unexpected(_ operation: String, _ step: StateMachineStep, _ state: LaneState) -> Diagnostic? {
    guard let place = step.machine.state(step.arrival.state), place.never.contains(where: { $0.utf8Equals(operation) })
    else { return nil }
    let cause = step.arrival.cause.flatMap { number in state.history.exchanges.first { $0.number == number } }
    return Diagnostic(
      .checkUnexpectedRequest,
      "the client must not call `\(operation)` in the \(step.machine.label(of: place.name))"
        + (place.summary.map { ": \($0)" } ?? ""),
      notes: cause.map { [Diagnostic.Note("request \($0.number) led to this state: \($0.text)")] } ?? [],
      help: "after the answer that led here, the client has to stop calling it")
  }
}
