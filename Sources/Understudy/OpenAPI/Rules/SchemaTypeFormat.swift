import JSONSchema

extension Rule {
  package static let specSchemaTypeFormat = Rule(
    "spec.schema.type-format", .warning, owner: .contract, "A `format` that says nothing about its `type`",
    help: """
      A format applies to some types and is ignored for all others (OAS Format Registry): `int32` says nothing about a \
      string. Formats that nobody knows are not validated.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            A: {type: string, format: ↓int32}
            B: {type: integer, format: ↓date-time}
            C: {type: integer, format: int64}
            D: {type: string, format: color}
            E: {type: number, format: int32}
            F: {format: int32}
        """),
      Example(
        """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters: [{name: limit, in: query, type: boolean, format: ↓int32}]
              responses: {"200": {description: OK}}
        """),
    ])
}

extension LintRule {
  static let schemaTypeFormat = LintRule(.specSchemaTypeFormat) { subject in
    subject.schemas.compactMap { schema in
      guard let format = schema["format"], let name = format.string, let expected = types(ofFormat: name),
        let declared = JSONTypeSet(schema: schema, dialect: subject.specification.dialect),
        declared.isDisjoint(with: expected.types)
      else { return nil }
      let type = schema["type"].map { JSONWriter.text($0) } ?? ""
      return Diagnostic(
        .specSchemaTypeFormat, "the format `\(name)` is for \(expected.noun), but `type` is \(type)", at: format)
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
