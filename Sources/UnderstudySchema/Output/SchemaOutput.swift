/// A verdict in one of the standard output formats (Core 2020-12, 12.4).
///
/// It needs a library that traces. An invalid value has errors, a valid one annotations.
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

  /// The list of all errors or annotations (12.4.2).
  package func basic(_ verdict: SchemaVerdict, _ annotations: Annotations = Annotations()) -> JSON {
    output(verdict, annotations.list, \.list)
  }

  /// All errors or annotations as a tree in the form of the schema (12.4.3).
  package func detailed(_ verdict: SchemaVerdict, _ annotations: Annotations = Annotations()) -> JSON {
    output(verdict, annotations.tree, \.tree)
  }

  /// The root alone, with an error that has no keyword.
  package func failure(_ message: String) -> JSON { .object(heading(isValid: false) + [("error", .string(message))]) }

  private func heading(isValid: Bool) -> [(String, JSON)] {
    [
      ("valid", JSON(booleanLiteral: isValid)), ("keywordLocation", ""),
      ("absoluteKeywordLocation", .string(absoluteLocation(of: schema))), ("instanceLocation", ""),
    ]
  }

  private func output(_ verdict: SchemaVerdict, _ annotations: JSON, _ errors: (OutputTree) -> JSON) -> JSON {
    switch verdict {
    case .accepted:
      return .object(heading(isValid: true) + (annotations.count > 0 ? [("annotations", annotations)] : []))
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

  /// The schemas that were entered, and the broken keyword as the last unit.
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
      // The schema itself fails: it is `false`, or the validation was not completed.
      if units.isEmpty { units = [root] }
      units[units.count - 1].error = failure.message
      return units
    }
    units.append(
      OutputTree.Unit(
        keywordLocation: inner.route + keyword,
        absoluteKeywordLocation: units[units.count - 1].absoluteKeywordLocation + (JSONPointer() + keyword).fragment,
        instanceLocation: failure.instance, error: failure.message))
    return units
  }

  /// The member of the schema that fails; `nil` if the schema itself fails.
  private func keyword(of failure: SchemaFailure, in schema: JSON) -> String? {
    if schema.key(failure.keyword) != nil { return failure.keyword }
    let document = failure.schema.document
    guard document === schema.document, schema.index < failure.schema.index,
      failure.schema.index < document.end(of: schema.index)
    else { return nil }
    return failure.schema.pointer.tokens.dropFirst(schema.pointer.tokens.count).first
  }

  /// The canonical URI of a node, absolute even if the schema only has a path.
  func absoluteLocation(of node: JSON) -> String {
    let location = URIReference(library.absoluteLocation(of: node))
    guard location.scheme == nil else { return location.description }
    var path = location
    path.path = PercentEncoding.encode(location.path, keeping: "/")
    return path.resolved(against: base).description
  }
}
