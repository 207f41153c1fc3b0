/// The parts of a fixture's answer that depend on the state of the lane: the text of a template, delays and faults.
final class FixtureRest: Sendable {
  private let variant: MockCell.Variant
  private let seed: String
  /// Whether the request asks for the same bytes each time.
  private let isRepeatable: Bool

  init(_ variant: MockCell.Variant, seed: String, isRepeatable: Bool) {
    (self.variant, self.seed, self.isRepeatable) = (variant, seed, isRepeatable)
  }

  /// Completes the reply, which counts as another answer of the template and of the faults with conditions.
  func complete(_ reply: inout Reply, to request: RequestView, _ step: ScenarioStep?, in lane: inout LaneTransaction) {
    let fixture = variant.fixture
    if case .template(let template, _) = variant.content, case .made(let response, _) = reply.content {
      // Without a seed of its own, each reply has other random values than the one before.
      let number = isRepeatable ? 0 : lane.state.nextTurn(of: fixture.label)
      var environment = TemplateEnvironment(
        now: lane.now, seed: [seed, fixture.label, String(number)], variables: step?.variables ?? [:])
      if let step { environment.lists = step.others(request, in: lane.state) }
      reply.content = .made(response, body: template.render(request, environment))
    }
    for (index, plan) in fixture.faults.enumerated() {
      if let outcome = lane.outcome(of: plan, key: "\(index) fixture \(variant.key)") { reply.apply(outcome) }
    }
  }
}
