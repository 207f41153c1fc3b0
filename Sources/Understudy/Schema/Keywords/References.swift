/// `$ref`, `$dynamicRef`, `$recursiveRef` and `allOf`: schemas that simply hold as well.
extension Compiler {
  mutating func compileReferences(_ schema: SchemaContext) {
    for keyword in Self.references {
      guard let node = schema[keyword] else { continue }
      guard node.isString else {
        reportWrongValue(keyword, "a URI reference", node)
        continue
      }
      guard var target = registry.resolve(node, from: schema.resource) else {
        let reference = node.text
        let failure = registry.failure(of: reference, from: schema.resource)
        report(
          .unresolvedSchemaReference,
          "the reference `\(reference)` leads nowhere" + (failure.map { ": \($0.reason)" } ?? ""), at: node,
          help: suggestion(for: reference, in: schema) ?? failure?.help)
        emitRefusal("the reference `\(reference)` leads nowhere", at: node, in: schema)
        continue
      }
      guard registry.isSchema(target) else {
        // Of its content nothing is told: the reference may come from elsewhere, and the file be anyone's.
        let message = "the reference `\(node.text)` leads to no schema"
        let found = registry.json(target).kindName
        report(
          .unresolvedSchemaReference, "\(message): found \(found) there", at: node,
          help: "a schema is an object or a boolean")
        emitRefusal(message, at: node, in: schema)
        continue
      }
      if keyword != .ref, let dynamic = dynamicTarget(keyword, node.text, target, schema) { target = dynamic }
      emit(.call, .any, inPlaceBlock(target, of: schema), at: node, in: schema)
    }
    guard let node = schema[.allOf] else { return }
    guard node.isArray else { return reportWrongValue(.allOf, "an array of schemas", node) }
    for part in node.elements {
      emit(.call, .any, inPlaceBlock(place(of: part, in: schema), of: schema), at: part, in: schema)
    }
  }

  private static let references: [Keyword] = [.ref, .dynamicRef, .recursiveRef]

  /// The outermost anchor, if the reference is one that may be bent (Core 2020-12, 8.2.3.2; 2019-09, 8.2.4.2.1).
  private func dynamicTarget(
    _ keyword: Keyword, _ reference: String, _ target: ResourceRegistry.Place, _ schema: SchemaContext
  ) -> ResourceRegistry.Place? {
    let name = keyword == .recursiveRef ? "" : URIReference(reference).fragment ?? ""
    guard keyword == .recursiveRef || !name.isEmpty,
      registry.resources[target.resource].dynamicAnchors[name] == target.node
    else { return nil }
    return dynamicTarget(name, in: schema)
  }

  /// The nearest sibling of what a local pointer means.
  private func suggestion(for reference: String, in schema: SchemaContext) -> String? {
    let uri = URIReference(reference)
    // Whoever has so many broken references has other worries than a slip of the hand.
    guard problems.count < 20, uri.path.isEmpty, uri.authority == nil,
      let pointer = JSONPointer(fragment: uri.fragment ?? ""),
      let last = pointer.tokens.last
    else { return nil }
    let resource = registry.resources[schema.resource]
    let root = JSON(document: registry.documents[resource.document], index: resource.root)
    guard let parent = root[JSONPointer(Array(pointer.tokens.dropLast()))] else { return nil }
    return Suggestion.phrase(for: last, among: parent.members.prefix(1_000).map(\.name))
  }
}
