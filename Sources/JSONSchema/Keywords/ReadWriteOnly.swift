/// `required` where it meets `readOnly` and `writeOnly`.
extension Compiler {
  /// References and parts of `allOf` to follow in search of the two keywords; beyond, a property counts as neither.
  private static let reach = 32

  /// Whether a name need not be there, since its property does not travel this way (OpenAPI 3.0.3, 4.7.24.2).
  ///
  /// OpenAPI 3.1 leaves it to the owner of the value; here the rule of 3.0 holds for all versions.
  ///
  /// - Parameters:
  ///   - name: Its node in `required`.
  ///   - property: The node of the name's schema in `properties`.
  mutating func isExempt(_ name: Int, _ property: Int?, in schema: SchemaContext) -> Bool {
    guard let flag = flag(in: schema) else { return false }
    if let property, isFlagged(schema.json(property), flag) { return true }
    return schema.document.withBytes(of: name) { exemptions.contains($0, in: schema.exemptions) }
  }

  /// The keyword that keeps a property from travelling this way; `nil` when there is none, as in most descriptions.
  private mutating func flag(in schema: SchemaContext) -> Keyword? {
    guard schema.dialect.has(.openAPI), direction != .either else { return nil }
    let flag: Keyword = direction == .request ? .readOnly : .writeOnly
    if registry.keywords.contains(flag) { return flag }
    takenForAbsent.insert(flag)
    return nil
  }

  /// The names that neither a schema nor any part of it need require, whichever of them declares the property.
  mutating func exemptions(of schema: SchemaContext) -> UInt16 {
    // An exemption holds for the parts as well.
    guard schema.exemptions == 0, let flag = flag(in: schema) else { return schema.exemptions }
    let parts = conjunction(of: schema.node)
    var required: Set<[UInt8]> = []
    for part in parts {
      for name in part["required"]?.elements.filter(\.isString) ?? [] { required.insert(name.bytes) }
    }
    guard !required.isEmpty else { return 0 }
    var exempt: Set<[UInt8]> = []
    for part in parts {
      for property in part["properties"]?.members.map({ $0 }) ?? [] where isFlagged(property.value, flag) {
        if case let name = property.key.bytes, required.contains(name) { exempt.insert(name) }
      }
    }
    return exemptions.number(of: exempt)
  }

  /// Where the schema of a property may be flagged, if not by itself.
  private static let elsewhere: KeywordSet = [.allOf, .ref]
  private static let flags: KeywordSet = [.readOnly, .writeOnly]

  private mutating func isFlagged(_ property: JSON, _ flag: Keyword) -> Bool {
    // True of nearly every property; the hashes of its keys are enough.
    if KeywordScan.keywords(of: property).isDisjoint(with: Self.elsewhere.union(Self.flags)) { return false }
    return conjunction(of: property).contains { $0[flag.name]?.bool == true }
  }

  /// A schema, the parts of its `allOf` and what it refers to, theirs included: all that holds for the same value without
  /// a choice. Where a `$ref` hides what stands beside it, that is left out.
  private mutating func conjunction(of schema: JSON) -> [JSON] {
    var pending = [schema]
    var parts: [JSON] = []
    var steps = 0
    while let node = pending.popLast(), steps < Self.reach {
      steps += 1
      if let reference = node["$ref"], reference.isString {
        let resource = registry.place(of: node).resource
        if let target = registry.resolve(reference, from: resource) { pending.append(registry.json(target)) }
        if registry.resources[resource].dialect?.has(.refHidesSiblings) == true { continue }
      }
      parts.append(node)
      pending += node["allOf"].map { Array($0.elements) } ?? []
    }
    return parts
  }
}

/// Sets of names that need not be there, by small numbers; 0 is the empty set.
struct Exemptions {
  private var sets: [Set<[UInt8]>] = [[]]
  private var numbers: [Set<[UInt8]>: UInt16] = [[]: 0]

  /// More sets than any honest contract needs: each may compile what is referred to once more.
  private static let maximumSets = 200

  /// The number of a set; once there are too many, that of the empty one.
  mutating func number(of names: Set<[UInt8]>) -> UInt16 {
    if let known = numbers[names] { return known }
    guard sets.count < Self.maximumSets else { return 0 }
    numbers[names] = UInt16(sets.count)
    sets.append(names)
    return UInt16(sets.count - 1)
  }

  func contains(_ name: UnsafeBufferPointer<UInt8>, in set: UInt16) -> Bool {
    set != 0 && sets[Int(set)].contains(Array(name))
  }
}
