/// Compares a scenario's machines with the contract: what they take from requests and responses, and ask of requests.
struct ScenarioContractCheck {
  let contract: CompiledContract

  private typealias Obstacle = UnreachableMatcherCheck.Obstacle

  func findings(_ machine: ScenarioMachine) -> [Diagnostic] {
    ownerFinding(machine)
      + machine.allRules.flatMap { entry -> [Diagnostic] in
        guard let operation = contract.operations.first(where: { $0.id.utf8Equals(entry.operation) }) else { return [] }
        let requests = entry.rule.isAboutErrors ? [] : requestFindings(entry.rule, operation)
        return requests + answerFindings(entry.rule, operation)
      }
  }

  /// The part of the request that distinguishes the instances; without it no rule of the machine applies.
  private func ownerFinding(_ machine: ScenarioMachine) -> [Diagnostic] {
    guard let owner = machine.owner else { return [] }
    let played = contract.operations.filter { machine.names($0.id) }
    let obstacles = played.map { undeclared(owner.part, owner.name, $0) }
    guard !played.isEmpty, !obstacles.contains(where: { $0 == nil }), let first = obstacles.compactMap(\.self).first
    else { return [] }
    return [
      Diagnostic(
        .scenarioVariableUnset, "no request has what distinguishes the instances: \(first.reason)", at: owner.location,
        notes: .contract(first.contract), help: first.help)
    ]
  }

  /// Bad requests may have other values, so rules about errors are exempt.
  private func requestFindings(_ rule: ScenarioMachine.Rule, _ operation: CompiledOperation) -> [Diagnostic] {
    let check = matcherCheck(operation)
    let conditions = zip(rule.when?.conditions ?? [], rule.whenLocations).compactMap { condition, location in
      check.obstacle(in: RequestMatcher(conditions: [condition])).map { _, obstacle in
        Diagnostic(
          .fixtureRequestUnreachable, "no valid request meets this condition: \(obstacle.reason)", at: location,
          notes: .contract(obstacle.contract), help: obstacle.help)
      }
    }
    return conditions
      + rule.templates.compactMap { template in
        template.template.values(of: "request").lazy.compactMap { undeclared($0.part, $0.name, operation) }.first.map {
          diagnostic("no valid request has the value", $0, at: template.location)
        }
      }
  }

  private func answerFindings(_ rule: ScenarioMachine.Rule, _ operation: CompiledOperation) -> [Diagnostic] {
    let status: Int
    switch (rule.answer, rule.status) {
    case (let answer?, _): status = answer.code
    case (nil, nil): status = operation.successCode
    case (nil, .code(let code)?): status = code
    case (nil, .range), (nil, .default): return []
    }
    guard let response = operation.operation.response(for: status) else { return [] }
    return rule.templates.compactMap { template in
      template.template.values(of: "response").lazy.compactMap { part, name -> Obstacle? in
        switch part {
        case .body:
          undeclaredField(name, in: response.content, "the answer \(status) of \(operation.id)", operation.schemas)
        case .header:
          undeclaredHeader(
            name, among: response.headers.map(\.name), "the answer \(status) of \(operation.id)", response.node)
        case .path, .query, .cookie, .file, .fileType: nil
        }
      }.first.map { diagnostic("no answer has the value", $0, at: template.location) }
    }
  }

  private func diagnostic(_ message: String, _ obstacle: Obstacle, at location: Location) -> Diagnostic {
    Diagnostic(
      .scenarioVariableUnset, "\(message): \(obstacle.reason)", at: location, notes: .contract(obstacle.contract),
      help: obstacle.help)
  }

  private func matcherCheck(_ operation: CompiledOperation) -> UnreachableMatcherCheck {
    UnreachableMatcherCheck(
      operation: operation.operation, specification: contract.api.specification, schemas: contract.schemas)
  }

  /// Why the requests of an operation are not known to have a value.
  private func undeclared(_ part: RequestPart, _ name: String, _ operation: CompiledOperation) -> Obstacle? {
    let condition = RequestMatcher.Condition(part: part, name: name, test: .present(true))
    if part == .header, isCredential(name) { return nil }
    if let (_, obstacle) = matcherCheck(operation).obstacle(in: RequestMatcher(conditions: [condition])) {
      return obstacle
    }
    let declared = operation.operation.parameters
    switch part {
    case .path, .file, .fileType: return nil
    case .query, .cookie:
      let location = part == .query ? Parameter.Location.query : .cookie
      let names = declared.filter { $0.location == location }.map(\.name)
      guard !names.contains(where: { $0.utf8Equals(name) }), !isKey(name, in: location) else { return nil }
      return Obstacle(
        reason: "\(operation.id) declares no \(location.rawValue) parameter `\(name)`",
        contract: operation.operation.node, help: list(names))
    case .header:
      let credentials = contract.api.securitySchemes.compactMap { scheme in
        if case .apiKey(let name, in: .header) = scheme.kind { name } else { nil }
      }
      return undeclaredHeader(
        name, among: declared.filter { $0.location == .header }.map(\.name) + credentials, operation.id,
        operation.operation.node)
    case .body:
      return undeclaredField(
        name, in: operation.operation.requestBody?.content ?? [], "the body of \(operation.id)", contract.schemas)
    }
  }

  private func isCredential(_ name: String) -> Bool { isKey(name, in: .header) }

  private func isKey(_ name: String, in location: Parameter.Location) -> Bool {
    contract.api.securitySchemes.contains { scheme in
      guard case .apiKey(let key, let place) = scheme.kind, place == location else { return false }
      return location == .header ? key.lowercased() == name.lowercased() : key.utf8Equals(name)
    }
  }

  private func undeclaredHeader(
    _ name: String, among declared: [String], _ owner: String, _ node: JSON
  ) -> Obstacle? {
    let isKnown = declared.contains { $0.lowercased() == name.lowercased() }
    guard !isKnown, !ValidationOptions.isStandardHeader(name) else { return nil }
    return Obstacle(
      reason: "\(owner) declares no header `\(name)`", contract: node,
      help: Suggestion.phrase(for: name, among: declared) ?? list(declared))
  }

  /// A schema that says what other members are, or that has no members at all, may have any.
  private func undeclaredField(
    _ name: String, in contents: [MediaTypeObject], _ owner: String, _ schemas: SchemaLibrary
  ) -> Obstacle? {
    let tokens = name.utf8.first == UInt8(ascii: "/") ? JSONPointer(name)?.tokens ?? [] : [name]
    var obstacles: [Obstacle] = []
    for content in contents {
      guard MediaRange(content.range)?.syntax != .xml, let schema = content.schema.map(schemas.resolved),
        let obstacle = undeclared(tokens, in: schema, owner)
      else { return nil }
      obstacles.append(obstacle)
    }
    return obstacles.first
  }

  private func undeclared(_ tokens: [String], in schema: ResolvedSchema, _ owner: String) -> Obstacle? {
    var schema = schema
    for token in tokens {
      if schema.describesElements, Int(token) != nil || token == "-" {
        schema = schema.element
      } else if let property = schema.property(token) {
        schema = property
      } else {
        guard !schema.properties.isEmpty,
          !schema.has(.patternProperties, .additionalProperties) || schema.closure != nil
        else { return nil }
        let names = schema.properties.map(\.name)
        return Obstacle(
          reason: "\(owner) declares no field `\(token)`", contract: schema.node,
          help: Suggestion.phrase(for: token, among: names) ?? list(names))
      }
    }
    return nil
  }

  private func list(_ names: [String]) -> String? {
    names.isEmpty ? nil : "it declares \(names.prefix(8).map { "`\($0)`" }.joined(separator: ", "))"
  }
}

extension ScenarioMachine.Rule {
  fileprivate var isAboutErrors: Bool {
    if let answer { return answer.code >= 400 }
    return if case .code(let code)? = status { code >= 400 } else { false }
  }
}
