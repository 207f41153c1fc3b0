/// Finds values that a scenario takes from requests although no valid request has them.
struct ScenarioCaptureCheck {
  let api: API
  let schemas: SchemaLibrary

  func findings(_ machine: ScenarioMachine) -> [Diagnostic] {
    machine.allRules.flatMap { entry -> [Diagnostic] in
      // Bad requests may have other values.
      guard let operation = api.operations.first(where: { $0.id.utf8Equals(entry.operation) }),
        !entry.rule.isAboutErrors
      else { return [] }
      let check = UnreachableMatcherCheck(operation: operation, specification: api.specification, schemas: schemas)
      return entry.rule.templates.compactMap { template in
        template.template.requestNames.lazy.compactMap { part, name in
          check.obstacle(
            in: RequestMatcher(conditions: [RequestMatcher.Condition(part: part, name: name, test: .present(true))]))
        }.first.map { diagnostic($0.obstacle, at: template.location) }
      }
    }
  }

  private func diagnostic(_ obstacle: UnreachableMatcherCheck.Obstacle, at location: Location) -> Diagnostic {
    Diagnostic(
      .scenarioVariableUnset, "no valid request has the value: \(obstacle.reason)", at: location,
      notes: .contract(obstacle.contract), help: obstacle.help)
  }
}

extension ScenarioMachine.Rule {
  fileprivate var isAboutErrors: Bool {
    if let answer { return answer.code >= 400 }
    return if case .code(let code)? = status { code >= 400 } else { false }
  }
}
