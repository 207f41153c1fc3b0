extension LintRule {
  static let paramStyleInvalid = LintRule(
    "spec.param.style.invalid", .error, "A parameter has a style that does not go with its location or type",
    help: """
      The table "Style Values" (OAS 3.1, 4.8.12) lists the styles of each location and the types of each style: `deepObject` \
      is for objects, `spaceDelimited` and `pipeDelimited` are for arrays and objects that are not exploded. Understudy uses \
      the default style of the location instead.
      """,
    .parameters(
      """
      - {name: a, in: query, style: ↓simple, schema: {type: string}}
      - {name: b, in: header, style: ↓form, schema: {type: string}}
      - {name: c, in: query, style: ↓deepObject, schema: {type: string}}
      - {name: d, in: query, style: ↓pipeDelimited, explode: true, schema: {type: array, items: {}}}
      - {name: e, in: query, style: ↓commaDelimited, schema: {type: string}}
      - {name: f, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {}}}
      - {name: g, in: query, style: deepObject, schema: {type: object}}
      """),
    .parameters(
      in: .swagger2,
      """
      - {name: a, in: header, type: array, items: {type: string}, collectionFormat: ↓multi}
      - {name: b, in: query, type: array, items: {type: string}, collectionFormat: multi}
      - {name: c, in: query, type: array, items: {type: string}, collectionFormat: ↓comma}
      """)
  ) { subject, rule in
    let schemas = subject.library
    let key = subject.specification == .swagger2 ? "collectionFormat" : "style"
    return subject.all(.parameter).compactMap { node in
      guard let value = node[key], let place = node["in"]?.string else { return nil }
      let problem =
        subject.specification == .swagger2
        ? collectionFormatProblem(value, place) : styleProblem(value, place, node, schemas, subject)
      return problem.map { Diagnostic(rule, $0, at: value) }
    }
  }

  private static func styleProblem(
    _ value: JSON, _ place: String, _ node: JSON, _ schemas: SchemaLibrary, _ subject: LintSubject
  ) -> String? {
    guard let name = value.string, let location = Parameter.Location(rawValue: place) else { return nil }
    guard let style = Parameter.Style(rawValue: name), style != .tabDelimited else {
      return "`\(name)` is not a style"
    }
    guard style.isAllowed(in: location, subject.specification) else {
      return "the style `\(name)` is not allowed for a parameter in `\(place)`"
    }
    let types = node["schema"].map { schemas.resolved($0).types } ?? .any
    switch style {
    case .deepObject where types.isDisjoint(with: .object):
      return "the style `deepObject` is for objects, but the schema allows none"
    case .spaceDelimited, .pipeDelimited:
      if types.isDisjoint(with: .composite) {
        return "the style `\(name)` is for arrays and objects, but the schema allows neither"
      }
      return node["explode"]?.bool == true ? "the style `\(name)` cannot be exploded" : nil
    default: return nil
    }
  }

  private static func collectionFormatProblem(_ value: JSON, _ place: String) -> String? {
    switch value.string {
    case "csv", "ssv", "tsv", "pipes": return nil
    case "multi":
      let isAllowed = place == "query" || place == "formData"
      return isAllowed ? nil : "`multi` is for query and form parameters, not for one in `\(place)`"
    default: return "`\(value.string ?? value.kindName)` is not a collection format"
    }
  }
}
