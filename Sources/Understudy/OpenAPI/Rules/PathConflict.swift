extension Rule {
  package static let specPathConflict = Rule(
    "spec.path.conflict", .error, owner: .contract, "Two paths differ in the names of their parameters alone",
    help: "Such paths are identical and invalid (OAS 3.1, 4.8.8): nothing can tell which one a request means.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets/{id}:
            get:
              parameters: [{name: id, in: path, required: true, schema: {}}]
              responses: {"200": {description: OK}}
          ↓/pets/{name}:
            put:
              parameters: [{name: name, in: path, required: true, schema: {}}]
              responses: {"200": {description: OK}}
          /pets/{id}.json:
            get:
              parameters: [{name: id, in: path, required: true, schema: {}}]
              responses: {"200": {description: OK}}
        """)
    ])
}

extension LintRule {
  static let pathConflict = LintRule(.specPathConflict) { subject in
    var first: [[[PathTemplate.Part]]: JSON] = [:]
    return subject.all(.paths).flatMap(\.distinctMembers).compactMap { member in
      guard !member.key.isExtensionKey else { return nil }
      let shape = PathTemplate(member.name).shape
      guard let other = first[shape] else {
        first[shape] = member.key
        return nil
      }
      return Diagnostic(
        .specPathConflict, "the path `\(member.name)` is the same as `\(other.text)`: only the names differ",
        at: member.key,
        notes: [Diagnostic.Note("the other path", at: Location(other))],
        help: "use one name, and join the two path items")
    }
  }
}
