/// `required` where it meets `readOnly` and `writeOnly`.
extension Compiler {
  /// References and `allOf` to follow in search of the two keywords; beyond, the property counts as neither.
  private static let reach = 32

  /// Whether a name need not be there, since its property does not travel this way (OpenAPI 3.0.3, 4.7.24.2).
  ///
  /// OpenAPI 3.1 leaves it to the owner of the value; here the rule of 3.0 holds for all versions.
  mutating func isExempt(_ name: JSON, in schema: SchemaContext) -> Bool {
    guard schema.dialect.has(.openAPI), direction != .either, let text = name.string else { return false }
    let keyword = direction == .request ? "readOnly" : "writeOnly"
    var pending = [schema.node]
    var steps = 0
    // The property may be declared in a part of `allOf` while the whole requires it.
    while let node = pending.popLast(), steps < Self.reach {
      steps += 1
      if let property = node["properties"]?[text], isFlagged(property, keyword) { return true }
      pending += node["allOf"].map { Array($0.elements) } ?? []
      if let target = target(ofReferenceIn: node) { pending.append(target) }
    }
    return false
  }

  private mutating func isFlagged(_ property: JSON, _ keyword: String) -> Bool {
    var pending = [property]
    var steps = 0
    while let node = pending.popLast(), steps < Self.reach {
      steps += 1
      if node[keyword]?.bool == true { return true }
      pending += node["allOf"].map { Array($0.elements) } ?? []
      if let target = target(ofReferenceIn: node) { pending.append(target) }
    }
    return false
  }

  private mutating func target(ofReferenceIn node: JSON) -> JSON? {
    guard let reference = node["$ref"]?.string else { return nil }
    return registry.resolve(reference, from: registry.place(of: node).resource).map { registry.json($0) }
  }
}
