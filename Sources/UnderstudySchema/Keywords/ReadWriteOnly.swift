/// `required` for properties with `readOnly` and `writeOnly`.
extension Compiler {
  /// The most references and parts of `allOf` to follow in search of the two keywords.
  private static let reach = 32

  /// Whether a name is not required in the direction of the value (OpenAPI 3.0.3, 4.7.24.2).
  ///
  /// OpenAPI 3.1 leaves this to the owner of the value; here the rule of 3.0 holds for all versions.
  ///
  /// - Parameters:
  ///   - name: Its node in `required`.
  ///   - property: The node of the name's schema in `properties`.
  mutating func isExempt(_ name: Int, _ property: Int?, in schema: SchemaContext) -> Bool {
    guard let flag = flag(in: schema) else { return false }
    if let property, isFlagged(schema.json(property), flag) { return true }
    return schema.document.withBytes(of: name) { exemptions.contains($0, in: schema.exemptions) }
  }

  /// The keyword that excludes a property in this direction; `nil` if no document has it.
  private mutating func flag(in schema: SchemaContext) -> Keyword? {
    guard schema.dialect.has(.openAPI), direction != .either else { return nil }
    let flag: Keyword = direction == .request ? .readOnly : .writeOnly
    if registry.keywords.contains(flag) { return flag }
    takenForAbsent.insert(flag)
    return nil
  }

  /// The names that a schema and its parts do not require, whichever part declares the property.
  mutating func exemptions(of schema: SchemaContext) -> UInt16 {
    // An exemption also holds for the parts.
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

  /// The keywords that may lead to a flag elsewhere.
  private static let elsewhere: KeywordSet = [.allOf, .ref]
  private static let flags: KeywordSet = [.readOnly, .writeOnly]

  private mutating func isFlagged(_ property: JSON, _ flag: Keyword) -> Bool {
    // True for nearly every property, by the hashes of its keys alone.
    if KeywordScan.keywords(of: property).isDisjoint(with: Self.elsewhere.union(Self.flags)) { return false }
    return conjunction(of: property).contains { $0[flag.name]?.bool == true }
  }

  /// A schema and all schemas that apply to the same value without a choice, by `allOf` and references; without
  /// siblings that a `$ref` hides.
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

/// Numbered sets of names that are not required; 0 is the empty set.
struct Exemptions {
  private var sets: [Set<[UInt8]>] = [[]]
  private var numbers: [Set<[UInt8]>: UInt16] = [[]: 0]

  /// The most sets, as each may compile the referenced schemas once more; real contracts need fewer.
  private static let maximumSets = 200

  /// The number of a set; 0 if there are too many.
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
