extension LintRule {
  static let schemaTypeFormat = LintRule(
    "spec.schema.type-format", .warning, "A `format` does not apply to the `type` beside it",
    help: """
      A format applies to some types and is ignored for all others (OAS Format Registry): `int32` has no effect on a string. \
      Unknown formats are not validated.
      """,
    .schemas(
      """
      A: {type: string, format: ↓int32}
      B: {type: integer, format: ↓date-time}
      C: {type: integer, format: int64}
      D: {type: string, format: color}
      E: {type: number, format: int32}
      F: {format: int32}
      """),
    .parameters(in: .swagger2, "- {name: limit, in: query, type: boolean, format: ↓int32}")
  ) { subject, rule in
    subject.schemas.compactMap { schema in
      guard let format = schema["format"], let name = format.string, let expected = types(ofFormat: name),
        let declared = JSONTypeSet(schema: schema, dialect: subject.specification.dialect),
        declared.isDisjoint(with: expected.types)
      else { return nil }
      let type = schema["type"].map { JSONWriter.text($0) } ?? ""
      return Diagnostic(rule, "the format `\(name)` is for \(expected.noun), but `type` is \(type)", at: format)
    }
  }

  private static func types(ofFormat name: String) -> (types: JSONTypeSet, noun: String)? {
    switch name {
    case "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "double-int":
      (.number, "numbers")
    case "byte", "binary", "date", "date-time", "time", "duration", "password", "email", "idn-email", "hostname",
      "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference", "uri-template", "iri", "iri-reference", "uuid", "regex",
      "json-pointer", "relative-json-pointer":
      (.string, "strings")
    default: nil
    }
  }
}
