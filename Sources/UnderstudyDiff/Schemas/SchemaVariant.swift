/// Schemas that all apply to one value, with one branch taken of each choice.
struct SchemaVariant {
  /// The compared schemas, and the branches taken.
  private(set) var schemas: [JSON]
  /// The branches taken, outermost first.
  private(set) var branches: [JSON] = []
  private(set) var parts: [ResolvedSchema.Part] = []
  private(set) var types = JSONTypeSet.any
  private(set) var choices: [SchemaChoice] = []
  /// The `oneOf` lists whose branches were taken.
  private(set) var exclusive: [SchemaChoice] = []
  /// Whether schemas were left out beyond a limit.
  private(set) var isPartial = false
  private var seen: Set<NodeID> = []
  let side: SchemaSide

  init(_ schemas: [JSON], _ side: SchemaSide) {
    self.schemas = schemas
    self.side = side
    for schema in schemas { read(schema, within: []) }
  }

  /// Takes the next choice.
  func taking(_ branch: JSON) -> SchemaVariant {
    var variant = self
    let choice = variant.choices.removeFirst()
    if choice.isExclusive { variant.exclusive.append(choice) }
    variant.schemas.append(branch)
    variant.branches.append(branch)
    variant.read(branch, within: choice.owners)
    return variant
  }

  /// Adds one more schema, which restricts the values.
  func restricted(by schema: JSON) -> SchemaVariant {
    var variant = self
    variant.schemas.append(schema)
    variant.read(schema, within: [])
    return variant
  }

  /// - Parameter owners: The schemas with the choices that lead to this one.
  private mutating func read(_ schema: JSON, within owners: Set<NodeID>) {
    let view = side.library.resolved(schema)
    if !side.isWhole(schema) { isPartial = true }
    types.formIntersection(view.types)
    for part in view.parts {
      guard seen.insert(part.schema.id).inserted else {
        // A schema that is an alternative of itself adds no values.
        if owners.contains(part.schema.id) { isPartial = true }
        continue
      }
      parts.append(part)
      if let not = part[.not], not.isObject, case let keywords = side.keywords(of: not), keywords.count == 1,
        keywords[0].keyword == .type, let dialect = side.library.dialect(of: not),
        let types = JSONTypeSet(schema: not, dialect: dialect)
      {
        self.types.subtract(types)
      }
      for keyword in [Keyword.oneOf, .anyOf] {
        let branches = part.elements(of: keyword)
        if !branches.isEmpty {
          choices.append(
            SchemaChoice(
              branches: branches, isExclusive: keyword == .oneOf, owners: owners.union([part.schema.id])))
        }
      }
    }
  }

  // MARK: - Keywords

  /// The values of a keyword in all parts.
  func all(_ keyword: Keyword) -> [JSON] { parts.compactMap { $0[keyword] } }

  /// The values that `enum` or `const` list; `nil` without either.
  var listed: [JSON]? {
    if let value = all(.const).first { return [value] }
    return all(.enum).first { $0.isArray }.map { Array($0.elements) }
  }

  /// The keyword with the values.
  var listing: JSON? { all(.const).first ?? all(.enum).first { $0.isArray } }

  /// The greatest of the sizes under a keyword.
  func largest(_ keyword: Keyword) -> (size: Int, node: JSON)? {
    all(keyword).compactMap { node in node.sizeInSchema.map { (size: $0, node: node) } }.max { $0.size < $1.size }
  }

  func smallest(_ keyword: Keyword) -> (size: Int, node: JSON)? {
    all(keyword).compactMap { node in node.sizeInSchema.map { (size: $0, node: node) } }.min { $0.size < $1.size }
  }

  /// The formats with their parts.
  var formats: [(name: String, part: JSON, node: JSON)] {
    parts.compactMap { part in
      part[.format].flatMap { node in node.string.map { (name: $0, part: part.schema, node: node) } }
    }
  }

  /// A node to point to: the schema as written.
  var node: JSON? { branches.last ?? schemas.first }
}

/// The branches of an `anyOf` or `oneOf`.
struct SchemaChoice {
  let branches: [JSON]
  /// Whether exactly one branch must accept the value.
  let isExclusive: Bool
  /// The schema with the choice, and the schemas with choices that led to it.
  let owners: Set<NodeID>

  /// The identity of its first branch, of which there is one.
  var id: NodeID { branches[0].id }
}

/// The alternatives of a schema, one by one: together they accept its values.
struct SchemaVariants {
  private(set) var list: [SchemaVariant] = []
  /// The `oneOf` lists among the choices.
  private(set) var exclusive: [SchemaChoice] = []

  /// The maximum number of alternatives of one schema, and of steps to find them.
  private static let limit = 256
  private static let steps = 4_096

  init?(_ schemas: [JSON], _ side: SchemaSide) {
    var pending = [SchemaVariant(schemas, side)]
    var seen: Set<NodeID> = []
    var steps = 0
    while let variant = pending.popLast() {
      steps += 1
      guard steps <= Self.steps else { return nil }
      if variant.types.isEmpty { continue }
      guard let choice = variant.choices.first else {
        list.append(variant)
        guard list.count <= Self.limit else { return nil }
        continue
      }
      if choice.isExclusive, choice.branches.count > 1, seen.insert(choice.id).inserted {
        exclusive.append(choice)
      }
      pending += choice.branches.reversed().map { variant.taking($0) }
    }
  }
}

extension JSON {
  /// The value of a keyword that is a size; `nil` for other values.
  var sizeInSchema: Int? {
    guard let number, number.isInteger, !number.isNegative else { return nil }
    return number.int ?? .max
  }
}
