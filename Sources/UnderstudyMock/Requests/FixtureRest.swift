/// The parts of a response that depend on the state of the lane: texts of templates, delays and faults.
final class FixtureRest: Sendable {
  private let template: ResponseTemplate?
  /// The name of its count of responses, on which the random values depend.
  private let label: String
  private let faults: [FaultPlan]
  /// The prefix of the counts of its faults.
  private let key: String
  private let seed: String
  /// Whether the request asks for the same bytes each time.
  private let isRepeatable: Bool

  init(_ variant: MockCell.Variant, seed: String, isRepeatable: Bool) {
    if case .template(let template, _) = variant.content { self.template = template } else { template = nil }
    (label, faults, key) = (variant.fixture.label, variant.fixture.faults, "fixture \(variant.key)")
    (self.seed, self.isRepeatable) = (seed, isRepeatable)
  }

  /// The rest of a response that a lane has been given.
  init(_ template: ResponseTemplate, label: String, seed: String, isRepeatable: Bool) {
    (self.template, self.label, faults, key) = (template, label, [], "")
    (self.seed, self.isRepeatable) = (seed, isRepeatable)
  }

  /// Completes the reply, which counts as another answer of the template and of the faults with conditions.
  func complete(_ reply: inout Reply, to request: RequestView, _ step: ScenarioStep?, in lane: inout LaneTransaction) {
    if let template, case .made(let response, _) = reply.content {
      // Without a seed of its own, each reply has other random values than the one before.
      let number = isRepeatable ? 0 : lane.state.nextTurn(of: label)
      var environment = TemplateEnvironment(
        now: lane.now, seed: [seed, label, String(number)], variables: step?.variables ?? [:])
      if let step { environment.lists = step.others(request, in: lane.state) }
      fill(&reply, response, by: template, request, environment)
    }
    for (index, plan) in faults.enumerated() {
      if let outcome = lane.outcome(of: plan, key: "\(index) \(key)") { reply.apply(outcome) }
    }
  }

  private func fill(
    _ reply: inout Reply, _ response: HTTPResponse, by template: ResponseTemplate, _ request: RequestView,
    _ environment: TemplateEnvironment
  ) {
    var response = response
    do throws(ResponseTemplate.Failure) {
      let filled = try template.filled(response.headerFields, request, environment)
      response.headerFields = filled.fields
      reply.content = .made(response, body: filled.body)
    } catch {
      let title = "Template not filled"
      let problem = Problem.reply(
        status: 500, title: title, code: "template", detail: "\(label): \(error.message)",
        diagnostics: reply.diagnostics)
      reply.content = problem.content
      reply.source.content = .problem(status: 500, title: title.lowercased(), detail: error.message)
    }
  }
}
