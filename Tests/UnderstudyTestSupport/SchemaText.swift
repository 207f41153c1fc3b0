package import UnderstudySchema

/// Schemas and values as JSON text, for tests.
package enum SchemaText {
  package static func parse(_ text: String) throws -> JSON {
    try JSONParser.parse(SourceFile(path: "schema.json", text: text)).root
  }

  package static func schema(
    _ text: String, _ dialect: Dialect = .draft2020, formats: FormatAssertion = .byDefaultTable,
    direction: Direction = .either
  ) throws -> Schema {
    SchemaLibrary(dialect: dialect, assertsFormats: formats).schema(at: try parse(text), direction: direction)
  }

  /// Every failure as `pointer keyword: message (help)`.
  package static func failures(
    _ schema: String, _ instance: String, _ dialect: Dialect = .draft2020, direction: Direction = .either
  ) throws -> [String] {
    let schema = try self.schema(schema, dialect, direction: direction)
    return schema.failures(try parse(instance)).map { failure in
      "\(failure.instance) \(failure.keyword): \(failure.message)" + (failure.help.map { " (\($0))" } ?? "")
    }
  }
}
