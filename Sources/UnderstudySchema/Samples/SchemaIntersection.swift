/// Schemas that all apply to one value, resolved as far as possible without a choice.
///
/// It follows `$ref` and `allOf`; `anyOf`, `oneOf` and `if` become choices. Each keyword is read from all parts, so
/// that schemas need no merging.
struct SchemaIntersection: Sendable {
  /// The schemas that must accept the value.
  let origins: [JSON]
  /// Every schema object that applies, in document order.
  private(set) var parts: [JSON] = []
  /// The open choices.
  private(set) var choices: [Choice] = []
  /// Values of properties by a discriminator.
  private(set) var named: [(property: String, value: String)] = []
  /// The targets of the references that were followed.
  private(set) var targets: Set<NodeID> = []
  /// The `false` among the parts, if any.
  private(set) var forbidding: JSON?
  /// The types that every part allows; `nil` without a `type`.
  private(set) var allowed: [JSONTypeSet]?
  /// The types that a `not` with only a `type` excludes.
  private(set) var excluded: JSONTypeSet = []
  /// Whether parts may have no meaning in their dialect, so that they prove no conflict.
  var isLoose = false
  /// The type chosen for the value; `nil` if no type is possible.
  var type: JSONTypeSet?
  /// Whether `unevaluatedProperties` or `unevaluatedItems` makes the allowed children depend on the chosen branches.
  private var isClosedByBranches = false
  private var seen: Set<NodeID> = []

  /// A set of branches of which one must be taken.
  struct Choice: Sendable {
    /// The schemas of each branch.
    let branches: [[JSON]]
    /// The property that distinguishes the branches, with the name of each branch.
    var discriminator: (property: String, names: [String])?
  }

  init(_ origins: [JSON], _ reader: SchemaReader) {
    self.origins = origins
    add(origins, reader)
    type = SampleTypes.of(self).first
  }

  var isImpossible: Bool { forbidding != nil }

  /// Adds schemas and the schemas that they refer to.
  mutating func add(_ schemas: [JSON], _ reader: SchemaReader) {
    // Without recursion, as chains of references have any length.
    var pending = Array(schemas.reversed())
    while let schema = pending.popLast() {
      if schema.bool == false { forbidding = forbidding ?? schema }
      guard schema.isObject, seen.insert(schema.id).inserted else { continue }
      reader.budget.spend(2 + schema.count / 4)
      let target = reader.target(of: schema)
      if target == nil || reader.readsBesideReference {
        append(schema, reader)
        pending += schema.elements(of: "allOf").reversed()
      }
      if let target {
        targets.insert(target.id)
        pending.append(target)
      }
    }
  }

  /// Takes a branch of a choice.
  mutating func take(_ branch: Int, of choice: Choice, _ reader: SchemaReader) {
    if let (property, names) = choice.discriminator, !names[branch].isEmpty { named.append((property, names[branch])) }
    add(choice.branches[branch], reader)
  }

  private mutating func append(_ part: JSON, _ reader: SchemaReader) {
    parts.append(part)
    if !reader.isLiteral(part) { isLoose = true }
    if part["unevaluatedProperties"] != nil || part["unevaluatedItems"] != nil { isClosedByBranches = true }
    if let listed = reader.types(of: part) {
      allowed = allowed.map { SampleTypes.intersection($0, listed) } ?? listed
    }
    if let not = part["not"], not.count == 1, let listed = reader.types(of: not) {
      excluded.formUnion(JSONTypeSet(listed))
    }
    for keyword in ["oneOf", "anyOf"] { addChoice(of: part, keyword) }
    // An `if` alone asserts nothing, but evaluates children.
    if let condition = part["if"], part["then"] != nil || part["else"] != nil || isClosedByBranches {
      let met = [condition] + (part["then"].map { [$0] } ?? [])
      choices.append(Choice(branches: [met, part["else"].map { [$0] } ?? []]))
    }
  }

  private mutating func addChoice(of schema: JSON, _ keyword: String) {
    guard let list = schema[keyword], list.isArray, list.count > 0 else { return }
    let branches = Array(list.elements)
    // All branches together may evaluate required children that no single branch evaluates.
    let takesAll = keyword == "anyOf" && branches.count > 1 && isClosedByBranches
    let discriminator = schema["discriminator"].flatMap { discriminator in
      discriminator["propertyName"]?.string.map { property in
        let tags = BranchTags(branches, mapping: discriminator["mapping"])
        return (property: property, names: branches.indices.map { tags.preferred(for: $0) ?? "" } + [""])
      }
    }
    choices.append(Choice(branches: branches.map { [$0] } + (takesAll ? [branches] : []), discriminator: discriminator))
  }
}

// MARK: - Keywords over all parts

extension SchemaIntersection {
  /// The values of one keyword in all parts.
  func all(_ keyword: String) -> [JSON] { parts.compactMap { $0[keyword] } }

  func has(_ keyword: String) -> Bool { parts.contains { $0[keyword] != nil } }

  func flag(_ keyword: String) -> Bool { parts.contains { $0[keyword]?.bool == true } }

  /// The largest of a keyword's values; values that are not sizes are ignored.
  func largest(_ keyword: String) -> Int? { all(keyword).compactMap(\.size).max() }

  func smallest(_ keyword: String) -> Int? { all(keyword).compactMap(\.size).min() }

  /// The first format of the parts.
  var format: String? { parts.lazy.compactMap { $0["format"]?.string }.first }

  /// Whether a direction excludes a property with these schemas.
  func isHidden(_ direction: Direction) -> Bool {
    switch direction {
    case .request: flag("readOnly")
    case .response: flag("writeOnly")
    case .either: false
    }
  }

  /// Whether the keywords may refuse a draft that was made from them.
  var isContended: Bool {
    !choices.isEmpty || parts.contains { part in Self.contending.contains { part[$0] != nil } }
  }

  private static let contending = [
    "not", "if", "contains", "propertyNames", "patternProperties", "unevaluatedProperties", "unevaluatedItems",
    "dependentSchemas", "dependencies", "maxContains",
  ]

  /// A value of the first type that a part names; it fits by chance.
  var plainValue: JSON {
    if let listed = all("const").first ?? parts.lazy.flatMap({ $0.elements(of: "enum") }).first { return listed }
    return switch type {
    case .array: []
    case .string: "text"
    case .integer, .number: 0
    case .boolean: true
    case .null: .null
    default: [:]
    }
  }

  /// The keywords that restrict the value, for messages.
  var keywords: [String] {
    var names: [String] = []
    for part in parts {
      for name in part.members.map(\.name) where Self.mentioned.contains(name) && !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  private static let mentioned: Set<String> = [
    "oneOf", "anyOf", "allOf", "not", "if", "contains", "propertyNames", "patternProperties", "unevaluatedProperties",
    "unevaluatedItems", "dependentSchemas", "dependencies", "enum", "const", "pattern", "format", "minLength",
    "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
    "uniqueItems", "required", "additionalProperties", "minProperties", "maxProperties",
  ]

  var wordsForKeywords: String { Self.words(for: keywords) }

  static func words(for keywords: [String]) -> String {
    keywords.isEmpty ? "the schema" : Wording.list(keywords.map { "`\($0)`" }, "and")
  }
}

extension JSON {
  /// The size in a keyword's value; `nil` for other values.
  var size: Int? {
    guard let number, number.isInteger, !number.isNegative else { return nil }
    return number.int ?? .max
  }

  /// The elements of the array under a key; none without one.
  package func elements(of key: String) -> [JSON] { self[key].map { Array($0.elements) } ?? [] }

  /// The members of the object under a key; none without one.
  package func members(of key: String) -> [Member] { self[key].map { Array($0.members) } ?? [] }
}
