/// A verdict in one of the standard output formats (Core 2020-12, 12.4).
///
/// It needs a library that traces. A value that does not fit has errors, one that fits has annotations.
package struct SchemaOutput {
  let library: SchemaLibrary
  private let schema: JSON
  private let base: URIReference

  /// - Parameter base: The base of relative paths of schema files: `file:///folder/`.
  package init(of schema: JSON, in library: SchemaLibrary, base: String) {
    self.library = library
    self.schema = schema
    self.base = URIReference(base)
  }

  /// The flat list of all units that fail, or of all annotations (12.4.2).
  package func basic(_ verdict: Schema.Verdict, _ annotations: Annotations = Annotations()) -> JSON {
    output(verdict, annotations.list, \.list)
  }

  /// The same as a tree in the shape of the schema, without levels that only hold one other (12.4.3).
  package func detailed(_ verdict: Schema.Verdict, _ annotations: Annotations = Annotations()) -> JSON {
    output(verdict, annotations.tree, \.tree)
  }

  /// The root alone, failed for a reason that is no keyword's.
  package func failure(_ message: String) -> JSON { .object(heading(isValid: false) + [("error", .string(message))]) }

  private func heading(isValid: Bool) -> [(String, JSON)] {
    [
      ("valid", JSON(booleanLiteral: isValid)), ("keywordLocation", ""),
      ("absoluteKeywordLocation", .string(absoluteLocation(of: schema))), ("instanceLocation", ""),
    ]
  }

  private func output(
    _ verdict: Schema.Verdict, _ annotations: JSON, _ errors: (OutputTree) -> JSON
  ) -> JSON {
    switch verdict {
    case .accepted:
      let said = annotations.count > 0 ? [("annotations", annotations)] : []
      return .object(heading(isValid: true) + said)
    case .notValidated(let reason): return failure(reason.message)
    case .refused(let failures):
      var tree = OutputTree(root)
      var locations: [NodeID: String] = [:]
      for failure in failures { tree.insert(chain(of: failure, &locations)) }
      var members = heading(isValid: false)
      if let error = tree.error { members.append(("error", .string(error))) }
      if !tree.isBare { members.append(("errors", errors(tree))) }
      return .object(members)
    }
  }

  private var root: OutputTree.Unit {
    OutputTree.Unit(
      keywordLocation: JSONPointer(), absoluteKeywordLocation: absoluteLocation(of: schema),
      instanceLocation: JSONPointer())
  }

  /// The schemas that were entered, and at the end the broken keyword.
  ///
  /// - Parameter locations: The known canonical URIs of the schemas.
  private func chain(of failure: SchemaFailure, _ locations: inout [NodeID: String]) -> [OutputTree.Unit] {
    var units: [OutputTree.Unit] = []
    for traced in failure.trace {
      let location = locations[traced.schema.id] ?? absoluteLocation(of: traced.schema)
      locations[traced.schema.id] = location
      units.append(
        OutputTree.Unit(
          keywordLocation: traced.route, absoluteKeywordLocation: location, instanceLocation: traced.instance,
          entry: traced.entry))
    }
    guard let inner = failure.trace.last, let keyword = keyword(of: failure, in: inner.schema) else {
      // `false`, or a value that was not validated to the end: the schema itself fails.
      if units.isEmpty { units = [root] }
      units[units.count - 1].error = failure.message
      return units
    }
    units.append(
      OutputTree.Unit(
        keywordLocation: inner.route + keyword,
        absoluteKeywordLocation: units[units.count - 1].absoluteKeywordLocation
          + (JSONPointer() + keyword).fragment,
        instanceLocation: failure.instance, error: failure.message))
    return units
  }

  /// The member of the schema that fails; `nil` when that is the schema as a whole.
  private func keyword(of failure: SchemaFailure, in schema: JSON) -> String? {
    if schema.key(failure.keyword) != nil { return failure.keyword }
    let document = failure.schema.document
    guard document === schema.document, schema.index < failure.schema.index,
      failure.schema.index < document.end(of: schema.index)
    else { return nil }
    return failure.schema.pointer.tokens.dropFirst(schema.pointer.tokens.count).first
  }

  /// The canonical URI of a node, whole even where the schema has none but its path.
  func absoluteLocation(of node: JSON) -> String {
    let location = URIReference(library.absoluteLocation(of: node))
    guard location.scheme == nil else { return location.description }
    var path = location
    path.path = PercentEncoding.encode(location.path, keeping: "/")
    return path.resolved(against: base).description
  }
}
