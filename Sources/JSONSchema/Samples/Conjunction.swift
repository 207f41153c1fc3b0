package import SourceText

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
  /// The `false` among the parts, where there is one.
  var forbidding: JSON?
  /// The types that every part allows; `nil` where none speaks of types.
  var allowed: [SchemaType]?
  /// Whether parts are read that may mean nothing in their dialect: what they exclude is not excluded for sure.
  var isLoose = false
  /// Whether `unevaluatedProperties` or `unevaluatedItems` makes what may be there depend on what branches are taken.
  var isClosedByBranches = false
  /// Every schema that was met on the way.
  fileprivate var seen: Set<SchemaSpot> = []
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

  var isImpossible: Bool { forbidding != nil }

  /// The values of one keyword, over all parts.
  func all(_ keyword: String) -> [JSON] { parts.compactMap { $0[keyword] } }

  func has(_ keyword: String) -> Bool { parts.contains { $0[keyword] != nil } }

  func flag(_ keyword: String) -> Bool { parts.contains { $0[keyword]?.bool == true } }

  /// The largest of a keyword's values; those that are no sizes mean nothing.
  func largest(_ keyword: String) -> Int? { all(keyword).compactMap(\.size).max() }

  func smallest(_ keyword: String) -> Int? { all(keyword).compactMap(\.size).min() }

  /// Whether the keywords may still contradict a draft that was made from them.
  var isContended: Bool {
    !choices.isEmpty
      || parts.contains { part in Self.contending.contains { part[$0] != nil } }
  }

  private static let contending = [
    "not", "if", "contains", "propertyNames", "patternProperties", "unevaluatedProperties", "unevaluatedItems",
    "dependentSchemas", "dependencies", "maxContains",
  ]

  /// The keys of keywords, for messages: of a bound the tightest one, of anything else all, up to a few.
  func places(of keywords: [String]) -> [JSON] {
    keywords.flatMap { keyword -> [JSON] in
      let keys = parts.filter { $0[keyword] != nil }
      if keys.count > 1, keyword.hasPrefix("min") || keyword.hasPrefix("max"), keyword != "multipleOf" {
        let isLower = keyword.hasPrefix("min")
        let tightest = keys.max { a, b in
          guard let x = a[keyword]?.number, let y = b[keyword]?.number else { return false }
          return isLower ? x < y : y < x
        }
        return tightest?.key(keyword).map { [$0] } ?? []
      }
      return keys.prefix(4).compactMap { $0.key(keyword) }
    }
  }

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
    // A list of things to do, since references can form chains of any length.
    var pending = Array(schemas.reversed())
    while let schema = pending.popLast() {
      if schema.bool == false { conjunction.forbidding = conjunction.forbidding ?? schema }
      guard schema.isObject, conjunction.seen.insert(SchemaSpot(schema)).inserted else { continue }
      effort.spend(2 + schema.count / 4)
      var next = schema.elements(of: "allOf")
      if let target = target(of: schema) {
        conjunction.targets.insert(SchemaSpot(target))
        if strategy.readsBesideReference {
          next.insert(target, at: 0)
          append(schema, to: &conjunction)
        } else {
          next = [target]
        }
      } else {
        append(schema, to: &conjunction)
      }
      pending += next.reversed()
    }
  }

  private func append(_ part: JSON, to conjunction: inout Conjunction) {
    conjunction.parts.append(part)
    if !isLiteral(part) { conjunction.isLoose = true }
    if part["unevaluatedProperties"] != nil || part["unevaluatedItems"] != nil { conjunction.isClosedByBranches = true }
    if let listed = listedTypes(part) {
      conjunction.allowed = conjunction.allowed.map { Self.intersection($0, listed) } ?? listed
    }
    addChoices(of: part, to: &conjunction)
  }

  /// Whether every keyword that is read here means the same in the part's dialect.
  private func isLiteral(_ part: JSON) -> Bool {
    let dialect = memory.dialect(of: part, in: schemas)
    if dialect.has(.refHidesSiblings), part.count > 1, part["$ref"] != nil { return false }
    return part.members.allSatisfy { member in
      Keyword.named(member.key).map(dialect.keywords.contains) ?? true
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
      // Only several branches together may evaluate all that must be there.
      let takesAll = keyword == "anyOf" && branches.count > 1 && conjunction.isClosedByBranches
      let discriminator = schema["discriminator"].flatMap { discriminator in
        discriminator["propertyName"]?.string.map { property in
          let tags = BranchTags(branches, mapping: discriminator["mapping"])
          return (property: property, names: branches.indices.map { tags.preferred(for: $0) ?? "" } + [""])
        }
      }
      conjunction.choices.append(
        .init(branches: branches.map { [$0] } + (takesAll ? [branches] : []), discriminator: discriminator))
    }
    // An `if` alone holds nothing back, but it evaluates.
    if let condition = schema["if"], schema["then"] != nil || schema["else"] != nil || conjunction.isClosedByBranches {
      let met = [condition] + (schema["then"].map { [$0] } ?? [])
      conjunction.choices.append(.init(branches: [met, schema["else"].map { [$0] } ?? []]))
    }
  }
}

extension JSON {
  /// The number of elements, characters or members that a keyword's value asks for; `nil` when it is no such number.
  var size: Int? {
    guard let number, number.isInteger, !number.isNegative else { return nil }
    return number.int ?? .max
  }

  /// The elements of the array under a key; none when there is no such array.
  func elements(of key: String) -> [JSON] { self[key].map { Array($0.elements) } ?? [] }

  /// The members of the object under a key; none when there is no such object.
  package func members(of key: String) -> [Member] { self[key].map { Array($0.members) } ?? [] }
}
