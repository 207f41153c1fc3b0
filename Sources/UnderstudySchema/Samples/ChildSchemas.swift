/// The schemas that apply to the elements and properties of a value.
///
/// `unevaluatedProperties` and `unevaluatedItems` apply to children that no other keyword evaluates. These are fewer
/// than the undeclared ones, and only the validator knows them.
struct ChildSchemas {
  private let budget: GenerationBudget
  private let patterns = NamePatterns()

  /// Keywords that may evaluate undeclared children.
  private static let evaluating = ["anyOf", "if", "contains", "dependentSchemas"]
  /// The most nested schemas to try, innermost first.
  private static let maximumInner = 8

  init(_ budget: GenerationBudget) { self.budget = budget }

  /// The schemas that apply to one element.
  func ofElement(_ position: Int, in schema: SchemaIntersection) -> [JSON] {
    let declared = declaredOfElement(position, in: schema)
    return declared.isEmpty ? schema.all("unevaluatedItems") : declared
  }

  /// The schemas of a position in the array, and those of all elements.
  func declaredOfElement(_ position: Int, in schema: SchemaIntersection) -> [JSON] {
    var schemas: [JSON] = []
    for part in schema.parts {
      let items = part["items"]
      if let tuple = part["prefixItems"] ?? items, tuple.isArray {
        if let schema = tuple[position] {
          schemas.append(schema)
        } else if let rest = part["prefixItems"] != nil ? items : part["additionalItems"] {
          schemas.append(rest)
        }
      } else if let items {
        schemas.append(items)
      }
    }
    return schemas
  }

  /// The schemas that apply to one property; none if the budget is spent.
  func ofProperty(_ name: String, in schema: SchemaIntersection) -> [JSON] {
    let declared = declaredOfProperty(name, in: schema)
    return declared.isEmpty && !budget.isSpent ? schema.all("unevaluatedProperties") : declared
  }

  /// The schemas of a declared property or of additional ones; none if the budget is spent.
  private func declaredOfProperty(_ name: String, in schema: SchemaIntersection) -> [JSON] {
    var schemas: [JSON] = []
    for part in schema.parts {
      guard !budget.isSpent else { return [] }
      let declared = part["properties"]?[name]
      let patternProperties = part.members(of: "patternProperties")
      budget.spend(patternProperties.count)
      let matched = patternProperties.filter { patterns.matches($0.name, name) }.map(\.value)
      if let declared { schemas.append(declared) }
      schemas += matched
      if declared == nil, matched.isEmpty, let rest = part["additionalProperties"] { schemas.append(rest) }
    }
    return schemas
  }

  // MARK: - Unevaluated children

  /// Whether the schemas of an element are certain.
  func knowsElement(_ position: Int, of schema: SchemaIntersection) -> Bool {
    isCertain("unevaluatedItems", schema) || !declaredOfElement(position, in: schema).isEmpty
  }

  /// Whether the schemas of a property are certain.
  func knowsProperty(_ name: String, of schema: SchemaIntersection) -> Bool {
    isCertain("unevaluatedProperties", schema) || !declaredOfProperty(name, in: schema).isEmpty
  }

  /// Whether the keyword certainly applies to all undeclared children.
  private func isCertain(_ keyword: String, _ schema: SchemaIntersection) -> Bool {
    let count = schema.all(keyword).count
    return count == 0 || count == 1 && !Self.evaluating.contains(where: schema.has)
  }

  /// The schemas that may apply to a child instead of `unevaluatedProperties` or `unevaluatedItems`, most likely first.
  func alternatives(to keyword: String, in schema: SchemaIntersection) -> [[JSON]] {
    let around = schema.all(keyword)
    let contained = keyword == "unevaluatedItems" ? schema.all("contains") : []
    // The innermost schema evaluates for those around it.
    let inner = around.count > 1 ? around.reversed().prefix(Self.maximumInner) : []
    return (contained + inner).map { [$0] } + [[]]
  }
}
