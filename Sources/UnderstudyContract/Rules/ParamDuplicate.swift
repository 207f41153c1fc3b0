extension LintRule {
  static let paramDuplicate = LintRule(
    "spec.param.duplicate", .error, "A list has two parameters with the same name and location",
    help:
      "The pair of `name` and `in` must be unique in a list (OAS 3.1, 4.8.10). Understudy uses the first parameter.",
    .paths(
      """
      /pets:
        parameters: [{name: limit, in: query, schema: {}}]
        get:
          parameters:
            - {name: limit, in: query, schema: {}}
            - {name: limit, in: header, schema: {}}
            - ↓{name: limit, in: query, schema: {type: integer}}
          responses: {"200": {description: OK}}
      """),
    .parameters(
      in: .swagger2,
      """
      - {name: pet, in: body, schema: {}}
      - ↓{name: toy, in: body, schema: {}}
      """)
  ) { subject, rule in
    (subject.all(.operation) + subject.all(.pathItem)).flatMap { holder in
      var seen: [[[UInt8]]: JSON] = [:]
      return (holder["parameters"]?.elements.map { $0 } ?? []).compactMap { value -> Diagnostic? in
        guard let node = subject.resolve(value), let name = node["name"], let place = node["in"], name.isString,
          place.isString
        else { return nil }
        // A body needs no name to be the second one; names of headers are case-insensitive.
        let isBody = place.isString("body")
        let identity = isBody ? "" : place.isString("header") ? name.text.lowercased() : name.text
        guard let first = seen.updateValue(value, forKey: [place.bytes, Array(identity.utf8)]) else { return nil }
        let noun = isBody ? "body" : "parameter `\(name.text)` in `\(place.text)`"
        return Diagnostic(
          rule, "the list has a second \(noun)", at: value,
          notes: [Diagnostic.Note("the first", at: Location(first))])
      }
    }
  }
}
