/// Values that a description names in backticks: `` one of `patient`, `study` ``.
enum DescribedValues {
  private static let limit = 8
  /// Words before a single value.
  private static let leads = ["default", "e.g.", "example", "such as"]

  /// The values of a text that nothing else restricts.
  static func of(_ description: String?, _ schema: ResolvedSchema, besides names: [String]) -> [JSON] {
    guard let description, description.utf8.count < 4_000, description.contains("`"),
      schema.types.contains(.string), schema.alternatives.isEmpty,
      !schema.has(.enum, .const, .pattern, .format),
      !schema.parts.contains(where: { $0.schema["example"] != nil || $0.schema["examples"] != nil })
    else { return [] }
    let pieces = description.split(separator: "`", omittingEmptySubsequences: false)
    var values: [String] = []
    for (position, piece) in pieces.enumerated() where position % 2 == 1 && position + 1 < pieces.count {
      let text = String(piece)
      guard text.utf8.count <= 40, !text.isEmpty,
        text.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || $0 == 58 }),
        !names.contains(where: { $0.utf8Equals(text) }), !values.contains(text),
        !["true", "false", "null"].contains(text)
      else { continue }
      values.append(text)
    }
    let isLed = leads.contains { description.lowercased().contains($0) }
    guard values.count > 1 || isLed else { return [] }
    return values.prefix(limit).map { .string($0) }
  }

  static func of(_ parameter: Parameter, in operation: Operation, _ schemas: SchemaLibrary) -> [JSON] {
    guard let schema = parameter.schema, parameter.isDescribed else { return [] }
    let description = parameter.node["description"]?.string ?? schema["description"]?.string
    return of(description, schemas.resolved(schema), besides: operation.parameters.map(\.name))
  }

  /// A body whose members have the values that their descriptions name.
  static func applied(to body: JSON, by schema: ResolvedSchema, _ variant: Int) -> JSON {
    guard body.isObject else { return body }
    let names = schema.properties.map(\.name)
    return .object(
      body.distinctMembers.map { member in
        guard member.value.isString, let property = schema.property(member.name) else {
          return (member.name, member.value)
        }
        let values = of(property.node["description"]?.string, property, besides: names)
        return (member.name, values.isEmpty ? member.value : values[variant % values.count])
      })
  }
}
