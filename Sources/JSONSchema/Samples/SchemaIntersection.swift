/// Schemas that all apply to one value, taken apart as far as that needs no choice.
///
/// `$ref` and `allOf` are followed; `anyOf`, `oneOf` and `if` become choices. Each keyword is then read over all parts,
/// so that schemas never need to be merged.
struct SchemaIntersection: Sendable {
  /// The schemas that must accept the value.
  let origins: [JSON]
  /// Every schema object that applies, in document order.
  private(set) var parts: [JSON] = []
  /// Choices that are still to be made.
  private(set) var choices: [Choice] = []
  /// Values that a discriminator gives to properties.
  private(set) var named: [(property: String, value: String)] = []
  /// The targets of the references that were followed.
  private(set) var targets: Set<NodeID> = []
  /// The `false` among the parts, where there is one.
  private(set) var forbidding: JSON?
  /// The types that every part allows; `nil` where none has a `type`.
  private(set) var allowed: [JSONTypeSet]?
  /// The types that are excluded by a `not` with nothing but a `type`.
  private(set) var excluded: JSONTypeSet = []
  /// Whether parts are read that may mean nothing in their dialect: what they exclude is not excluded for sure.
  var isLoose = false
  /// The type chosen for the value; `nil` when no type is left.
  var type: JSONTypeSet?
  /// Whether `unevaluatedProperties` or `unevaluatedItems` makes the allowed children depend on the chosen branches.
  private var isClosedByBranches = false
  private var seen: Set<NodeID> = []

  /// A set of schemas of which one must be taken.
  struct Choice: Sendable {
    /// Each branch: the schemas that apply when it is taken.
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
    // A list, since references can form chains of any length.
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
    // An `if` alone holds nothing back, but it evaluates.
    if let condition = part["if"], part["then"] != nil || part["else"] != nil || isClosedByBranches {
      let met = [condition] + (part["then"].map { [$0] } ?? [])
      choices.append(Choice(branches: [met, part["else"].map { [$0] } ?? []]))
    }
  }

  private mutating func addChoice(of schema: JSON, _ keyword: String) {
    guard let list = schema[keyword], list.isArray, list.count > 0 else { return }
    let branches = Array(list.elements)
    // Several branches together may evaluate required children that no single branch evaluates.
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
  /// The values of one keyword, over all parts.
  func all(_ keyword: String) -> [JSON] { parts.compactMap { $0[keyword] } }

  func has(_ keyword: String) -> Bool { parts.contains { $0[keyword] != nil } }

  func flag(_ keyword: String) -> Bool { parts.contains { $0[keyword]?.bool == true } }

  /// The largest of a keyword's values; values that are no sizes mean nothing.
  func largest(_ keyword: String) -> Int? { all(keyword).compactMap(\.size).max() }

  func smallest(_ keyword: String) -> Int? { all(keyword).compactMap(\.size).min() }

  /// The first format that any part names.
  var format: String? { parts.lazy.compactMap { $0["format"]?.string }.first }

  /// Whether a property with these schemas does not travel in a direction.
  func isHidden(_ direction: Direction) -> Bool {
    switch direction {
    case .request: flag("readOnly")
    case .response: flag("writeOnly")
    case .either: false
    }
  }

  /// Whether the keywords may still contradict a draft that was made from them.
  var isContended: Bool {
    !choices.isEmpty || parts.contains { part in Self.contending.contains { part[$0] != nil } }
  }

  private static let contending = [
    "not", "if", "contains", "propertyNames", "patternProperties", "unevaluatedProperties", "unevaluatedItems",
    "dependentSchemas", "dependencies", "maxContains",
  ]

  /// The keywords that hold back a value here, for messages.
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
  /// The number of elements, characters or members in a keyword's value; `nil` when it is no such number.
  var size: Int? {
    guard let number, number.isInteger, !number.isNegative else { return nil }
    return number.int ?? .max
  }

  /// The elements of the array under a key; none when there is no such array.
  package func elements(of key: String) -> [JSON] { self[key].map { Array($0.elements) } ?? [] }

  /// The members of the object under a key; none when there is no such object.
  package func members(of key: String) -> [Member] { self[key].map { Array($0.members) } ?? [] }
}
