/// `required` where it meets `readOnly` and `writeOnly`.
extension Compiler {
  /// References and `allOf` to follow in search of the two keywords; beyond, the property counts as neither.
  private static let reach = 32

  /// Whether a name need not be there, since its property does not travel this way (OpenAPI 3.0.3, 4.7.24.2).
  ///
  /// OpenAPI 3.1 leaves it to the owner of the value; here the rule of 3.0 holds for all versions.
  ///
  /// - Parameters:
  ///   - name: Its node in `required`.
  ///   - property: The node of what `properties` beside it says of the name.
  mutating func isExempt(_ name: Int, _ property: Int?, in schema: SchemaContext) -> Bool {
    guard schema.dialect.has(.openAPI), direction != .either else { return false }
    let flag: Keyword = direction == .request ? .readOnly : .writeOnly
    // Most descriptions use neither, and need not be searched.
    guard registry.keywords.contains(flag) else {
      takenForAbsent.insert(flag)
      return false
    }
    if let property, isFlagged(schema.json(property), flag) { return true }
    guard !schema.present.isDisjoint(with: Self.elsewhere) else { return false }
    let text = schema.json(name).text
    var pending = [schema.node]
    var steps = 0
    // The property may be declared in a part of `allOf` while the whole requires it.
    while let node = pending.popLast(), steps < Self.reach {
      steps += 1
      if let property = node["properties"]?[text], isFlagged(property, flag) { return true }
      pending += node["allOf"].map { Array($0.elements) } ?? []
      if let target = target(ofReferenceIn: node) { pending.append(target) }
    }
    return false
  }

  /// Where the schema of a property may be flagged, if not by itself.
  private static let elsewhere: KeywordSet = [.allOf, .ref]
  private static let flags: KeywordSet = [.readOnly, .writeOnly]

  private mutating func isFlagged(_ property: JSON, _ flag: Keyword) -> Bool {
    // True of nearly every property, and told by the hashes of its keys alone.
    if ResourceRegistry.keywords(of: property).isDisjoint(with: Self.elsewhere.union(Self.flags)) { return false }
    var pending = [property]
    var steps = 0
    while let node = pending.popLast(), steps < Self.reach {
      steps += 1
      if node[flag.name]?.bool == true { return true }
      pending += node["allOf"].map { Array($0.elements) } ?? []
      if let target = target(ofReferenceIn: node) { pending.append(target) }
    }
    return false
  }

  private mutating func target(ofReferenceIn node: JSON) -> JSON? {
    guard let reference = node["$ref"], reference.isString else { return nil }
    return registry.resolve(reference, from: registry.place(of: node).resource).map { registry.json($0) }
  }
}
