extension Rule {
  package static let specParamDuplicate = Rule(
    "spec.param.duplicate", .error, owner: .contract, "A list holds two parameters with the same name and location",
    help:
      "A parameter is known by `name` and `in`, which must be unique in a list (OAS 3.1, 4.8.10). The first is used.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            parameters: [{name: limit, in: query, schema: {}}]
            get:
              parameters:
                - {name: limit, in: query, schema: {}}
                - {name: limit, in: header, schema: {}}
                - ↓{name: limit, in: query, schema: {type: integer}}
              responses: {"200": {description: OK}}
        """),
      Example(
        """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            post:
              parameters:
                - {name: pet, in: body, schema: {}}
                - ↓{name: toy, in: body, schema: {}}
              responses: {"200": {description: OK}}
        """),
    ])
}

extension LintRule {
  static let paramDuplicate = LintRule(.specParamDuplicate) { subject in
    (subject.all(.operation) + subject.all(.pathItem)).flatMap { holder in
      var seen: [[[UInt8]]: JSON] = [:]
      return (holder["parameters"]?.elements.map { $0 } ?? []).compactMap { value -> Diagnostic? in
        guard let node = subject.resolve(value), let name = node["name"], let place = node["in"], name.isString,
          place.isString
        else { return nil }
        // There is one body, whatever its name; the names of headers have no case.
        let isBody = place.isString("body")
        let identity = isBody ? "" : place.isString("header") ? name.text.lowercased() : name.text
        guard let first = seen.updateValue(value, forKey: [place.bytes, Array(identity.utf8)]) else { return nil }
        let message = isBody ? "a second body" : "a second parameter `\(name.text)` in `\(place.text)`"
        return Diagnostic(
          .specParamDuplicate, "\(message) stands in one list", at: value,
          notes: [Diagnostic.Note("the first", at: Location(first))])
      }
    }
  }
}
