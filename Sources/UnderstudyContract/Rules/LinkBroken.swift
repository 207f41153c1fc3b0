extension LintRule {
  static let linkBroken = LintRule(
    "spec.link.broken", .error, "A link cannot be followed",
    help: """
      A link names an operation by `operationId` or `operationRef`, parameters of that operation, and values by runtime \
      expressions such as `$response.body#/id` (OAS 3.1, 4.8.20).
      """,
    .paths(
      """
      /pets/{id}:
        get:
          operationId: readPet
          parameters: [{name: id, in: path, required: true, schema: {}}]
          responses:
            "200":
              description: OK
              links:
                fine: {operationId: readPet, parameters: {id: $response.body#/id}}
                qualified: {operationId: readPet, parameters: {path.id: "a-{$request.path.id}"}}
                byRef: {operationRef: "#/paths/~1pets~1%7Bid%7D/get"}
                unknown: {operationId: ↓readPets}
                nowhere: {operationRef: ↓"#/paths/~1pets/get"}
                parameter: {operationId: readPet, parameters: {↓name: x}}
                expression: {operationId: readPet, parameters: {id: ↓$response.bdy#/id}}
                neither: ↓{description: Nothing}
      """)
  ) { subject, rule in
    let operations = subject.api.operations + subject.api.webhooks
    let byId = Dictionary(operations.compactMap { o in o.operationId.map { ($0, o) } }, uniquingKeysWith: { a, _ in a })
    let ids = byId.keys.sorted().prefix(1_000)
    let byNode = Dictionary(operations.map { ($0.node.id, $0) }, uniquingKeysWith: { a, _ in a })
    func targetProblems(_ link: JSON) -> [Diagnostic] {
      if let id = link["operationId"], id.isString {
        if let operation = byId[id.text] { return unknownParameters(link, operation, rule) }
        let help = Suggestion.phrase(for: id.text, among: ids)
        return [Diagnostic(rule, "unknown operation `\(id.text)`", at: id, help: help)]
      }
      guard let reference = link["operationRef"], reference.isString else {
        return [Diagnostic(rule, "a link requires `operationId` or `operationRef`", at: link)]
      }
      switch subject.resolver.target(of: reference) {
      case .success(let target): return byNode[target.id].map { unknownParameters(link, $0, rule) } ?? []
      // The operation of another API, on another machine.
      case .failure(.document(_, .refused)): return []
      case .failure(let failure):
        let problem = failure.diagnostic(at: reference)
        return [Diagnostic(rule, problem.message, at: reference, help: problem.help)]
      }
    }
    return subject.all(.link).flatMap { badExpressions($0, rule) + targetProblems($0) }
  }

  private static func badExpressions(_ link: JSON, _ rule: Rule) -> [Diagnostic] {
    let values = [link["requestBody"]].compactMap { $0 } + (link["parameters"]?.members.map(\.value) ?? [])
    return values.compactMap { value in
      value.string.flatMap { RuntimeExpression.problem(in: $0) }.map { problem in
        Diagnostic(rule, "`\(value.text)` is not a valid runtime expression: \(problem)", at: value)
      }
    }
  }

  /// A name may be qualified by its location: `path.id`.
  private static func unknownParameters(_ link: JSON, _ operation: Operation, _ rule: Rule) -> [Diagnostic] {
    let names = operation.parameters.flatMap { [$0.name, "\($0.location.rawValue).\($0.name)"] }
    let known = Set(names.map { Array($0.utf8) })
    return (link["parameters"]?.distinctMembers ?? []).filter { !known.contains($0.key.bytes) }.map { member in
      Diagnostic(
        rule, "the operation \(operation.method) \(operation.path) has no parameter `\(member.name)`",
        at: member.key, help: Suggestion.phrase(for: member.name, among: names))
    }
  }
}
