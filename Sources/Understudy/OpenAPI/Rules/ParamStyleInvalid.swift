import JSONSchema

extension Rule {
  package static let specParamStyleInvalid = Rule(
    "spec.param.style.invalid", .error, owner: .contract, "A style that its location or type does not have",
    help: """
      The table "Style Values" (OAS 3.1, 4.8.12) says which styles a location has and which types a style can write: \
      `deepObject` writes objects only, `spaceDelimited` and `pipeDelimited` arrays and objects, not exploded. The standard \
      style of the location is used instead.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters:
                - {name: a, in: query, style: ↓simple, schema: {type: string}}
                - {name: b, in: header, style: ↓form, schema: {type: string}}
                - {name: c, in: query, style: ↓deepObject, schema: {type: string}}
                - {name: d, in: query, style: ↓pipeDelimited, explode: true, schema: {type: array, items: {}}}
                - {name: e, in: query, style: ↓commaDelimited, schema: {type: string}}
                - {name: f, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {}}}
                - {name: g, in: query, style: deepObject, schema: {type: object}}
              responses: {"200": {description: OK}}
        """),
      Example(
        """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters:
                - {name: a, in: header, type: array, items: {type: string}, collectionFormat: ↓multi}
                - {name: b, in: query, type: array, items: {type: string}, collectionFormat: multi}
                - {name: c, in: query, type: array, items: {type: string}, collectionFormat: ↓comma}
              responses: {"200": {description: OK}}
        """),
    ])
}

extension LintRule {
  static let paramStyleInvalid = LintRule(.specParamStyleInvalid) { subject in
    let schemas = subject.library
    return subject.all(.parameter).compactMap { node in
      let problem =
        subject.specification == .swagger2 ? collectionFormatProblem(node) : styleProblem(node, schemas, subject)
      return problem.map { Diagnostic(.specParamStyleInvalid, $0.message, at: $0.value) }
    }
  }

  private static func styleProblem(
    _ node: JSON, _ schemas: SchemaLibrary, _ subject: LintSubject
  ) -> (message: String, value: JSON)? {
    guard let value = node["style"], value.isString, let place = node["in"]?.string,
      let location = Parameter.Location(rawValue: place)
    else { return nil }
    let name = value.text
    guard let style = Parameter.Style(rawValue: name), style != .tabDelimited else {
      return ("`\(name)` is no style", value)
    }
    guard style.isAllowed(in: location, subject.specification) else {
      return ("the style `\(name)` is not for a parameter in `\(place)`", value)
    }
    let types = node["schema"].map { schemas.resolved($0).types } ?? .any
    switch style {
    case .deepObject where types.isDisjoint(with: .object):
      return ("the style `deepObject` writes objects, but the schema allows none", value)
    case .spaceDelimited, .pipeDelimited:
      if types.isDisjoint(with: [.array, .object]) {
        return ("the style `\(name)` writes arrays and objects, but the schema allows neither", value)
      }
      return node["explode"]?.bool == true ? ("the style `\(name)` cannot be exploded", value) : nil
    default: return nil
    }
  }

  private static func collectionFormatProblem(_ node: JSON) -> (message: String, value: JSON)? {
    guard let value = node["collectionFormat"], let place = node["in"]?.string else { return nil }
    switch value.string {
    case "csv", "ssv", "tsv", "pipes": return nil
    case "multi":
      let isAllowed = place == "query" || place == "formData"
      return isAllowed ? nil : ("`multi` is for query and form parameters, not for one in `\(place)`", value)
    default: return ("`\(value.string ?? value.kindName)` is no collection format", value)
    }
  }
}
