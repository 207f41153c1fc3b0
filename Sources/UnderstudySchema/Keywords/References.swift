/// `$ref`, `$dynamicRef`, `$recursiveRef` and `allOf`.
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
      // Without text of the target: the reference may come from an untrusted document.
      let message = "the reference `\(Wording.excerpt(node.text))` does not lead to a schema"
      report(
        .unresolvedSchemaReference,
        "\(message): expected an object or a boolean, found \(registry.json(target).kindName)",
        at: node)
      return emitRefusal(message, at: node, in: schema)
    }
    if keyword != .ref, let dynamic = dynamicTarget(keyword, node.text, target, schema) { target = dynamic }
    emit(.call, .any, conjunctBlock(target, of: schema), at: node, in: schema)
  }

  private static let references: [Keyword] = [.ref, .dynamicRef, .recursiveRef]

  /// The outermost anchor of a dynamic reference; `nil` if it resolves statically (Core 2020-12, 8.2.3.2; 2019-09,
  /// 8.2.4.2.1).
  private func dynamicTarget(
    _ keyword: Keyword, _ reference: String, _ target: ResourceRegistry.SchemaPlace, _ schema: SchemaContext
  ) -> ResourceRegistry.SchemaPlace? {
    let name = keyword == .recursiveRef ? "" : URIReference(reference).fragment ?? ""
    guard keyword == .recursiveRef || !name.isEmpty,
      registry.resources[target.resource].dynamicAnchors[name] == target.node
    else { return nil }
    return dynamicTarget(name, in: schema)
  }

  /// The most similar name in the object that a local pointer leads to.
  private func suggestion(for reference: String, in schema: SchemaContext) -> String? {
    let uri = URIReference(reference)
    // Many broken references are not typing errors.
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
