/// Where the items are in an answer: the whole body, a member of it, or elements of an array.
package struct ResourceShape: Sendable {
  /// The member that has the item or the array; `nil` for the body itself.
  package let member: String?
  let item: JSON

  /// The shape of an answer with one item.
  package static func one(_ schema: JSON, _ schemas: SchemaLibrary, id: (ResolvedSchema) -> String?) -> ResourceShape? {
    let whole = schemas.resolved(schema)
    if id(whole) != nil { return ResourceShape(member: nil, item: schema) }
    let wrapped = whole.properties.filter { id(whole.schema(of: $0)) != nil }
    return wrapped.count == 1 ? ResourceShape(member: wrapped[0].name, item: wrapped[0].schema) : nil
  }

  /// The shape of an answer with many.
  package static func many(_ schema: JSON, _ schemas: SchemaLibrary) -> ResourceShape? {
    let whole = schemas.resolved(schema)
    if whole.describesElements { return ResourceShape(member: nil, item: whole.element.node) }
    let lists = whole.properties.filter { property in
      let schema = whole.schema(of: property)
      return schema.describesElements && !schema.element.properties.isEmpty
    }
    guard lists.count == 1 else { return nil }
    return ResourceShape(member: lists[0].name, item: whole.schema(of: lists[0]).element.node)
  }
}

extension CompiledOperation {
  /// The JSON schema of the lowest documented 2xx with one, and its status.
  package var resourceResponse: (code: Int, schema: JSON)? {
    for cell in cells.sorted(by: { $0.status.code < $1.status.code }) where cell.status.code / 100 == 2 {
      for content in cell.content where MediaRange(content.range)?.syntax == .json {
        if let schema = content.schema { return (cell.status.code, schema) }
      }
    }
    return nil
  }

  var resourceRequest: JSON? {
    operation.requestBody?.content.first { content in
      let syntax = MediaRange(content.range)?.syntax
      return syntax == .json || syntax == .form
    }?.schema
  }
}
