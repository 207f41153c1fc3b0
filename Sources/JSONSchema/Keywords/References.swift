/// `$ref`, `$dynamicRef`, `$recursiveRef` and `allOf`: schemas that simply hold as well.
extension Compiler {
  mutating func compileReferences(_ schema: SchemaContext) {
    for keyword in Self.references { compileReference(keyword, schema) }
    guard let node = schema[.allOf] else { return }
    guard node.isArray, node.count > 0 else { return reportWrongValue(.allOf, "an array of one schema or more", node) }
    for part in node.elements {
      emit(.call, .any, conjunctBlock(place(of: part, in: schema), of: schema), at: part, in: schema)
    }
  }

  mutating func compileReference(_ keyword: Keyword, _ schema: SchemaContext) {
    guard let node = schema[keyword] else { return }
    guard node.isString else { return reportWrongValue(keyword, "a URI reference", node) }
    guard var target = registry.resolve(node, from: schema.resource) else {
      let reference = node.text
      let failure = registry.failure(of: reference, from: schema.resource)
      report(
        .unresolvedSchemaReference,
        "the reference `\(Wording.excerpt(reference))` leads nowhere" + (failure.map { ": \($0.reason)" } ?? ""),
        at: node,
        help: suggestion(for: reference, in: schema) ?? failure?.help)
      return emitRefusal("the reference `\(Wording.excerpt(reference))` leads nowhere", at: node, in: schema)
    }
    guard registry.isSchema(target) else {
      // The message has no text of the file: the reference may come from an untrusted document.
      let message = "the reference `\(Wording.excerpt(node.text))` leads to no schema"
      report(
        .unresolvedSchemaReference, "\(message): found \(registry.json(target).kindName) there", at: node,
        help: "a schema is an object or a boolean")
      return emitRefusal(message, at: node, in: schema)
    }
    if keyword != .ref, let dynamic = dynamicTarget(keyword, node.text, target, schema) { target = dynamic }
    emit(.call, .any, conjunctBlock(target, of: schema), at: node, in: schema)
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
