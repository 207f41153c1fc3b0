extension Rule {
  package static let specPathParamUndeclared = Rule(
    "spec.path.param.undeclared", .error, owner: .contract, "An expression of a path has no parameter",
    help: "Every `{name}` in a path needs a parameter with that name and `in: path`, at the path or at each operation.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          ↓/pets/{id}:
            get:
              responses: {"200": {description: OK}}
          /toys/{id}:
            parameters: [{name: id, in: path, required: true, schema: {}}]
            get:
              responses: {"200": {description: OK}}
        """)
    ])

  package static let specPathParamUnused = Rule(
    "spec.path.param.unused", .error, owner: .contract, "A path parameter has no expression in the path",
    help: "A parameter `in: path` must be named in the path as `{name}` (OAS 3.1, 4.8.12); spelling and case count.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters: [{name: ↓id, in: path, required: true, schema: {}}]
              responses: {"200": {description: OK}}
        """)
    ])

  package static let specPathParamRepeated = Rule(
    "spec.path.param.repeated", .error, owner: .contract, "A path holds the same expression twice",
    help: "Each expression must not appear more than once in a path (OAS 3.2, 4.8.1): two values cannot have one name.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          ↓/pets/{id}/toys/{id}:
            get:
              parameters: [{name: id, in: path, required: true, schema: {}}]
              responses: {"200": {description: OK}}
        """)
    ])
}

extension LintRule {
  static let pathParamUndeclared = LintRule(.specPathParamUndeclared) { subject in
    subject.paths.flatMap { path -> [Diagnostic] in
      // Behind a broken reference there may be the parameter that is missed.
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
          .specPathParamUndeclared, "`{\(text)}` has no path parameter in \(methods) \(path.key.text)", at: path.key,
          help: Suggestion.phrase(for: text, among: others.sorted()))
      }
    }
  }

  static let pathParamUnused = LintRule(.specPathParamUnused) { subject in
    subject.paths.flatMap { path -> [Diagnostic] in
      let names = Set(PathTemplate(path.key.text).names)
      var seen: Set<NodeID> = []
      return path.operations.flatMap(\.parameters).compactMap { parameter -> Diagnostic? in
        guard parameter.location == .path, !names.contains(Array(parameter.name.utf8)),
          seen.insert(parameter.node.id).inserted
        else { return nil }
        return Diagnostic(
          .specPathParamUnused, "the path parameter `\(parameter.name)` does not occur in `\(path.key.text)`",
          at: parameter.node["name"] ?? parameter.node, notes: [Diagnostic.Note("the path", at: Location(path.key))],
          help: Suggestion.phrase(
            for: parameter.name, among: names.map { String(decoding: $0, as: UTF8.self) }.sorted()))
      }
    }
  }

  static let pathParamRepeated = LintRule(.specPathParamRepeated) { subject in
    subject.paths.compactMap { path in
      var seen: Set<[UInt8]> = []
      guard let name = PathTemplate(path.key.text).names.first(where: { !seen.insert($0).inserted }) else { return nil }
      return Diagnostic(
        .specPathParamRepeated, "`{\(String(decoding: name, as: UTF8.self))}` stands twice in the path", at: path.key)
    }
  }

  private static func hasBrokenParameter(_ operation: Operation, _ subject: LintSubject) -> Bool {
    [operation.node, operation.pathNode].contains { node in
      node["parameters"]?.elements.contains { subject.resolve($0)?.isObject != true } ?? false
    }
  }
}
