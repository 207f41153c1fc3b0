extension LintRule {
  static let pathParamUndeclared = LintRule(
    "spec.path.param.undeclared", .error, "An expression of a path has no parameter",
    help:
      "Every `{name}` in a path requires a parameter with that name and `in: path`, at the path or at each operation.",
    .paths(
      """
      ↓/pets/{id}:
        get:
          responses: {"200": {description: OK}}
      /toys/{id}:
        parameters: [{name: id, in: path, required: true, schema: {}}]
        get:
          responses: {"200": {description: OK}}
      """)
  ) { subject, rule in
    subject.paths.flatMap { path -> [Diagnostic] in
      // The missing parameter may be behind a broken reference.
      let operations = path.operations.filter { !hasBrokenParameter($0, subject) }
      let declared = operations.map { Set($0.parameters.filter { $0.location == .path }.map { Array($0.name.utf8) }) }
      var seen: Set<[UInt8]> = []
      return PathTemplate(path.key.text).names.filter { seen.insert($0).inserted }.compactMap { name -> Diagnostic? in
        let lacking = zip(operations, declared).filter { !$0.1.contains(name) }
        guard !lacking.isEmpty else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        let methods = lacking.map(\.0.method).joined(separator: ", ")
        let others = lacking.flatMap(\.1).prefix(100).map { String(decoding: $0, as: UTF8.self) }
        return Diagnostic(
          rule, "`{\(text)}` has no path parameter in \(methods) \(path.key.text)", at: path.key,
          help: Suggestion.phrase(for: text, among: others.sorted()))
      }
    }
  }

  static let pathParamUnused = LintRule(
    "spec.path.param.unused", .error, "A path parameter has no expression in the path",
    help: "A parameter `in: path` must occur in the path as `{name}` (OAS 3.1, 4.8.12); names are case-sensitive.",
    .paths(
      """
      /pets:
        get:
          parameters: [{name: ↓id, in: path, required: true, schema: {}}]
          responses: {"200": {description: OK}}
      """)
  ) { subject, rule in
    subject.paths.flatMap { path -> [Diagnostic] in
      let names = Set(PathTemplate(path.key.text).names)
      var seen: Set<NodeID> = []
      return path.operations.flatMap(\.parameters).compactMap { parameter -> Diagnostic? in
        guard parameter.location == .path, !names.contains(Array(parameter.name.utf8)),
          seen.insert(parameter.node.id).inserted
        else { return nil }
        let texts = names.map { String(decoding: $0, as: UTF8.self) }.sorted()
        return Diagnostic(
          rule, "the path parameter `\(parameter.name)` does not occur in `\(path.key.text)`",
          at: parameter.node["name"] ?? parameter.node, notes: [Diagnostic.Note("the path", at: Location(path.key))],
          help: Suggestion.phrase(for: parameter.name, among: texts))
      }
    }
  }

  static let pathParamRepeated = LintRule(
    "spec.path.param.repeated", .error, "A path has the same expression twice",
    help: "An expression must not appear more than once in a path (OAS 3.2, 4.8.1): two values cannot share a name.",
    .paths(
      """
      ↓/pets/{id}/toys/{id}:
        get:
          parameters: [{name: id, in: path, required: true, schema: {}}]
          responses: {"200": {description: OK}}
      """)
  ) { subject, rule in
    subject.paths.compactMap { path in
      var seen: Set<[UInt8]> = []
      guard let name = PathTemplate(path.key.text).names.first(where: { !seen.insert($0).inserted }) else { return nil }
      return Diagnostic(rule, "the path has `{\(String(decoding: name, as: UTF8.self))}` twice", at: path.key)
    }
  }

  private static func hasBrokenParameter(_ operation: Operation, _ subject: LintSubject) -> Bool {
    [operation.node, operation.pathNode].contains { node in
      node["parameters"]?.elements.contains { subject.resolve($0)?.isObject != true } ?? false
    }
  }
}
