/// Resolves references and dialects for the schemas of a sample, within a budget.
final class SchemaReader {
  let budget: GenerationBudget
  /// Whether keywords beside `$ref` count.
  let readsBesideReference: Bool
  private let schemas: SchemaLibrary
  private var dialects: [ObjectIdentifier: Dialect] = [:]

  init(_ schemas: SchemaLibrary, _ budget: GenerationBudget, readsBesideReference: Bool) {
    self.schemas = schemas
    self.budget = budget
    self.readsBesideReference = readsBesideReference
  }

  /// The target of a reference; `nil` if the schema is not a reference.
  func target(of schema: JSON) -> JSON? {
    guard schema["$ref"]?.isString ?? schema["$dynamicRef"]?.isString ?? schema["$recursiveRef"]?.isString == true
    else { return nil }
    return schemas.target(ofReference: schema)
  }

  /// Whether the schema's dialect defines all keywords of the schema.
  func isLiteral(_ schema: JSON) -> Bool {
    let dialect = dialect(of: schema)
    if dialect.has(.refHidesSiblings), schema.count > 1, schema["$ref"] != nil { return false }
    return schema.members.allSatisfy { member in
      Keyword.named(member.key).map(dialect.keywords.contains) ?? true
    }
  }

  /// The types that a schema lists, in its order; `nil` without a list.
  func types(of schema: JSON) -> [JSONTypeSet]? {
    guard let type = schema["type"] else { return nil }
    guard let allowed = JSONTypeSet(schema: schema, dialect: dialect(of: schema)) else {
      // `file` is a body of any bytes in Swagger 2.0; other unknown names have no meaning.
      return type.isString("file") ? [.string] : nil
    }
    let types = (type.isArray ? Array(type.elements) : [type]).compactMap { JSONTypeSet(name: $0) }
    return allowed.contains(.null) && !types.contains(.null) ? types + [.null] : types
  }

  /// The dialect of a schema; the first one of its document counts for all.
  private func dialect(of schema: JSON) -> Dialect {
    let key = ObjectIdentifier(schema.document)
    if let known = dialects[key] { return known }
    let dialect = schemas.dialect(of: schema) ?? .draft2020
    dialects[key] = dialect
    return dialect
  }
}
