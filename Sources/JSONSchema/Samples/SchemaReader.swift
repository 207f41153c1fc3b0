/// Follows references and knows dialects for the schemas that a sample is made of, within a budget.
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

  /// The schema that a reference leads to; `nil` where the schema is no reference.
  func target(of schema: JSON) -> JSON? {
    guard schema["$ref"]?.isString ?? schema["$dynamicRef"]?.isString ?? schema["$recursiveRef"]?.isString == true
    else { return nil }
    return schemas.target(ofReference: schema)
  }

  /// Whether every keyword that is read here means the same in the schema's dialect.
  func isLiteral(_ schema: JSON) -> Bool {
    let dialect = dialect(of: schema)
    if dialect.has(.refHidesSiblings), schema.count > 1, schema["$ref"] != nil { return false }
    return schema.members.allSatisfy { member in
      Keyword.named(member.key).map(dialect.keywords.contains) ?? true
    }
  }

  /// The types that a schema lists, one by one in its order; `nil` when it lists none.
  func types(of schema: JSON) -> [JSONTypeSet]? {
    guard let type = schema["type"] else { return nil }
    guard let allowed = JSONTypeSet(schema: schema, dialect: dialect(of: schema)) else {
      // Swagger 2.0 has `file` for a body of any bytes; any other unknown name means nothing.
      return type.isString("file") ? [.string] : nil
    }
    let types = (type.isArray ? Array(type.elements) : [type]).compactMap { JSONTypeSet(name: $0) }
    return allowed.contains(.null) && !types.contains(.null) ? types + [.null] : types
  }

  /// The dialect of a schema; a document with several dialects counts as of the one that is met first.
  private func dialect(of schema: JSON) -> Dialect {
    let key = ObjectIdentifier(schema.document)
    if let known = dialects[key] { return known }
    let dialect = schemas.dialect(of: schema) ?? .draft2020
    dialects[key] = dialect
    return dialect
  }
}
