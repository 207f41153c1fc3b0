extension LintRule {
  static let pathConflict = LintRule(
    "spec.path.conflict", .error, "Two paths differ only in the names of their parameters",
    help: "Such paths are identical and invalid (OAS 3.1, 4.8.8): a request matches both.",
    .paths(
      """
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
  ) { subject, rule in
    var first: [[[PathTemplate.Part]]: JSON] = [:]
    return subject.all(.paths).flatMap(\.distinctMembers).compactMap { member in
      guard !member.key.isExtensionKey else { return nil }
      let shape = PathTemplate(member.name).shape
      guard let other = first[shape] else {
        first[shape] = member.key
        return nil
      }
      return Diagnostic(
        rule, "the paths `\(member.name)` and `\(other.text)` differ only in the names of their parameters",
        at: member.key, notes: [Diagnostic.Note("the other path", at: Location(other))],
        help: "use one name, and merge the two path items")
    }
  }
}
