/// The keywords of objects in a variant.
extension SchemaVariant {
  /// The names under `properties` of all parts.
  var declaredNames: [String] {
    var names: [String] = []
    var seen: Set<[UInt8]> = []
    for properties in all(.properties) where properties.isObject {
      for member in properties.members where seen.insert(member.key.bytes).inserted { names.append(member.name) }
    }
    return names
  }

  func declares(_ name: String) -> Bool { !declarations(of: name).isEmpty }

  /// The `properties` entries of a name.
  func declarations(of name: String) -> [JSON] {
    all(.properties).compactMap { $0.isObject ? side.member(name, of: $0) : nil }
  }

  /// The schemas that apply to a property, without those that accept every value.
  func schemas(of name: String) -> [JSON] {
    var found: [JSON] = []
    for part in parts {
      var isNamed = false
      if let properties = part[.properties], let own = side.member(name, of: properties) {
        found.append(own)
        isNamed = true
      }
      for member in part[.patternProperties]?.distinctMembers ?? []
      where side.pattern(member.name)?.matches(name) == .yes {
        found.append(member.value)
        isNamed = true
      }
      if !isNamed, let other = part[.additionalProperties] { found.append(other) }
    }
    if let unevaluated, !declares(name) { found.append(unevaluated) }
    return found.filter { !side.isAny($0) }
  }

  /// The schemas of members that no property and no pattern names, without those that accept every value.
  var otherSchemas: [JSON] {
    (all(.additionalProperties) + (unevaluated.map { [$0] } ?? [])).filter { !side.isAny($0) }
  }

  /// Whether a keyword says that members without a declaration are welcome, rather than silence.
  var isExplicitlyOpen: Bool { all(.additionalProperties).contains { $0.bool == true || $0.isObject } }

  /// The entries of `patternProperties`.
  var patternMembers: [JSON.Member] { all(.patternProperties).flatMap(\.distinctMembers) }

  /// The `unevaluatedProperties` of a schema without choices, which works as `additionalProperties` over all parts.
  var unevaluated: JSON? {
    guard hasPlainUnevaluated else { return nil }
    return parts[0][.unevaluatedProperties]
  }

  /// Whether an `unevaluatedProperties` can be compared.
  var hasPlainUnevaluated: Bool {
    guard schemas.count == 1, let first = parts.first, first[.unevaluatedProperties] != nil,
      side.library.resolved(schemas[0]).chain.contains(where: { $0.id == first.schema.id })
    else { return false }
    let others: [Keyword] = [
      .anyOf, .oneOf, .if, .not, .dependentSchemas, .dependencies, .dynamicRef, .additionalProperties,
      .patternProperties,
    ]
    return parts.allSatisfy { part in others.allSatisfy { part[$0] == nil } }
      && parts.dropFirst().allSatisfy { $0[.unevaluatedProperties] == nil }
  }

  /// The names in `required`, with their entries, without properties that are not sent in the direction.
  var requirements: [(name: String, node: JSON)] {
    var seen: Set<[UInt8]> = []
    return all(.required).flatMap { $0.elements.filter(\.isString) }.compactMap { node in
      guard seen.insert(node.bytes).inserted, !side.isHidden(declarations(of: node.text)) else { return nil }
      return (node.text, node)
    }
  }

  func requires(_ name: String) -> Bool {
    all(.required).contains { $0.elements.contains { $0.isString(name) } } && !side.isHidden(declarations(of: name))
  }

  // MARK: - Arrays

  /// The schemas of the element at a position, without those that accept every value.
  func schemas(at position: Int) -> [JSON] {
    parts.compactMap { part -> JSON? in
      if let list = part[.prefixItems], list.isArray { return list[position] ?? part[.items] }
      if let items = part[.items], items.isArray { return items[position] ?? part[.additionalItems] }
      return part[.items]
    }
    .filter { !$0.isArray && !side.isAny($0) }
  }

  /// The number of positions with schemas of their own.
  var positions: Int {
    parts.reduce(0) { count, part in
      max(
        count, part[.prefixItems].map { $0.isArray ? $0.count : 0 } ?? 0,
        part[.items].map { $0.isArray ? $0.count : 0 } ?? 0)
    }
  }
}
