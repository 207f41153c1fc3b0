/// Schemas that all apply to one value, taken apart as far as that needs no choice.
///
/// `$ref` and `allOf` are followed; `anyOf`, `oneOf` and `if` become choices. Each keyword is then read over all parts,
/// so that nothing ever needs to be merged into a new schema.
struct Conjunction: Sendable {
  /// The schemas that were asked for: they must accept the value.
  let origins: [JSON]
  /// Every schema object that applies, in document order.
  var parts: [JSON] = []
  /// Choices still to make.
  var choices: [Choice] = []
  /// Values that a discriminator gives to properties.
  var named: [(property: String, value: String)] = []
  /// The targets of the references that were followed.
  var targets: Set<SchemaSpot> = []
  /// Whether a `false` is among the parts.
  var isImpossible = false
  /// The type chosen for the value; `nil` when no type is left.
  var type: SchemaType?

  /// A set of schemas of which one must be taken.
  struct Choice: Sendable {
    /// Each branch: the schemas that apply when it is taken.
    var branches: [[JSON]]
    /// The property that tells the branches apart, with the name of each branch.
    var discriminator: (property: String, names: [String])?
  }

  init(origins: [JSON]) { self.origins = origins }

  /// The values of one keyword, over all parts.
  func all(_ keyword: String) -> [JSON] { parts.compactMap { $0[keyword] } }

  func has(_ keyword: String) -> Bool { parts.contains { $0[keyword] != nil } }

  func flag(_ keyword: String) -> Bool { parts.contains { $0[keyword]?.bool == true } }

  /// The largest of a keyword's values that are whole numbers.
  func largest(_ keyword: String) -> Int? { all(keyword).compactMap(\.int).max() }

  func smallest(_ keyword: String) -> Int? { all(keyword).compactMap(\.int).min() }

  /// Whether the keywords may still contradict a draft that was made from them.
  var isContended: Bool {
    !choices.isEmpty
      || parts.contains { part in Self.contending.contains { part[$0] != nil } }
  }

  private static let contending = [
    "not", "if", "contains", "propertyNames", "patternProperties", "unevaluatedProperties", "unevaluatedItems",
    "dependentSchemas", "dependencies",
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

  var wordsForKeywords: String {
    let quoted = keywords.map { "`\($0)`" }
    guard let last = quoted.last else { return "the schema" }
    return quoted.count == 1 ? last : quoted.dropLast().joined(separator: ", ") + " and " + last
  }
}

// MARK: - Taking schemas apart

extension Sampling {
  func conjunction(of origins: [JSON]) -> Conjunction {
    var conjunction = Conjunction(origins: origins)
    add(origins, to: &conjunction)
    conjunction.type = types(of: conjunction).first
    return conjunction
  }

  /// Adds schemas and what they refer to.
  func add(_ schemas: [JSON], to conjunction: inout Conjunction) {
    var seen = Set(conjunction.parts.map(SchemaSpot.init)).union(conjunction.targets)
    // A list of things to do, since references can form chains of any length.
    var pending = Array(schemas.reversed())
    while let schema = pending.popLast() {
      if schema.bool == false { conjunction.isImpossible = true }
      guard schema.isObject, seen.insert(SchemaSpot(schema)).inserted else { continue }
      var next = schema.elements(of: "allOf")
      if let target = target(of: schema) {
        conjunction.targets.insert(SchemaSpot(target))
        next.insert(target, at: 0)
        if strategy.readsBesideReference { conjunction.parts.append(schema) } else { next = [target] }
      } else {
        conjunction.parts.append(schema)
      }
      if target(of: schema) == nil || strategy.readsBesideReference { addChoices(of: schema, to: &conjunction) }
      pending += next.reversed()
    }
  }

  func target(of schema: JSON) -> JSON? {
    guard schema["$ref"]?.isString ?? schema["$dynamicRef"]?.isString ?? schema["$recursiveRef"]?.isString == true
    else {
      return nil
    }
    return schemas.target(ofReference: schema)
  }

  private func addChoices(of schema: JSON, to conjunction: inout Conjunction) {
    for keyword in ["oneOf", "anyOf"] {
      guard let list = schema[keyword], list.isArray, list.count > 0 else { continue }
      let branches = Array(list.elements)
      let discriminator = schema["discriminator"].flatMap { discriminator in
        discriminator["propertyName"]?.string.map { property in
          (property: property, names: branches.map { Self.name(ofBranch: $0, discriminator) })
        }
      }
      conjunction.choices.append(.init(branches: branches.map { [$0] }, discriminator: discriminator))
    }
    if let condition = schema["if"], schema["then"] != nil || schema["else"] != nil {
      let met = [condition] + (schema["then"].map { [$0] } ?? [])
      conjunction.choices.append(.init(branches: [met, schema["else"].map { [$0] } ?? []]))
    }
  }

  /// The value of the discriminator property that stands for a branch (OAS 3.1, 4.8.25).
  private static func name(ofBranch branch: JSON, _ discriminator: JSON) -> String {
    guard let reference = branch["$ref"]?.string else { return "" }
    let last = lastToken(of: reference)
    for entry in discriminator.members(of: "mapping") {
      guard let target = entry.value.string else { continue }
      if target == reference || lastToken(of: target) == last { return entry.name }
    }
    return last
  }

  /// `Dog` of `#/components/schemas/Dog` or `models/Dog.yaml`.
  static func lastToken(of reference: String) -> String {
    let last = reference.split(separator: "/").last.map(String.init) ?? reference
    for suffix in [".json", ".yaml", ".yml"] where last.hasSuffix(suffix) { return String(last.dropLast(suffix.count)) }
    return last
  }
}

extension JSON {
  /// The elements of the array under a key; none when there is no such array.
  func elements(of key: String) -> [JSON] { self[key].map { Array($0.elements) } ?? [] }

  /// The members of the object under a key; none when there is no such object.
  func members(of key: String) -> [Member] { self[key].map { Array($0.members) } ?? [] }
}
