import Synchronization

/// The schemas of one contract, compiled at their first use.
package final class SchemaLibrary: Sendable {
  private let assertion: FormatAssertion
  private let assertsContent: Bool
  private let traces: Bool
  private let state: Mutex<State>

  private struct State: ~Copyable {
    var registry: ResourceRegistry
    var schemas: [Key: Schema] = [:]
    var views: [NodeID: ResolvedSchema.Contents] = [:]
  }

  private struct Key: Hashable {
    let node: NodeID
    let direction: Direction
  }

  /// - Parameters:
  ///   - dialect: For documents that declare neither a version of OpenAPI nor `$schema`.
  ///   - assertsFormats: The formats to assert.
  ///   - assertsContent: Whether to assert `contentEncoding` and `contentMediaType`.
  ///   - traces: Whether failures show the path through the schemas, and those of every alternative. Such schemas are
  ///     slower.
  ///   - load: Returns the document of an absolute URI or a file path without a fragment. The base URI of a document is
  ///     the path of its source, unless it has an identifier.
  package convenience init(
    dialect: Dialect, assertsFormats: FormatAssertion = .byDefaultTable, assertsContent: Bool = false,
    traces: Bool = false, load: @escaping @Sendable (_ uri: String) -> JSONDocument? = { _ in nil }
  ) {
    self.init(
      dialect: dialect, assertsFormats: assertsFormats, assertsContent: assertsContent, traces: traces,
      loader: SchemaLoader(load))
  }

  /// - Parameters:
  ///   - document: The first document, whose declared dialect is that of documents without one, unless a document of
  ///     another dialect refers to them.
  ///   - loader: As `load` above, with reasons for missing documents.
  package init(
    dialect: Dialect, startingAt document: JSONDocument? = nil, assertsFormats: FormatAssertion = .byDefaultTable,
    assertsContent: Bool = false, traces: Bool = false, loader: SchemaLoader
  ) {
    assertion = assertsFormats
    self.assertsContent = assertsContent
    self.traces = traces
    var registry = ResourceRegistry(dialect: dialect, loader: loader)
    if let document { registry.adopt(document) }
    state = Mutex(State(registry: registry))
  }

  /// The dialect of a schema; `nil` if it is unknown.
  package func dialect(of node: JSON) -> Dialect? {
    state.withLock { state in state.registry.resources[state.registry.place(of: node).resource].dialect }
  }

  /// The schema at a node, for values of a direction.
  package func schema(at node: JSON, direction: Direction = .either) -> Schema {
    let key = Key(node: node.id, direction: direction)
    return state.withLock { state in
      if let known = state.schemas[key] { return known }
      let (program, problems) = compile([node], direction, &state.registry)
      let schema = Schema(node, program: program, problems: problems)
      // The registry keeps every document alive, so that its identifier stays unique.
      state.schemas[key] = schema
      return schema
    }
  }

  /// The view of a schema.
  package func resolved(_ schema: JSON) -> ResolvedSchema {
    let contents = state.withLock { state in
      if let known = state.views[schema.id] { return known }
      var reader = ResolvedSchema.Reader()
      let contents = reader.read(schema, in: &state.registry)
      state.views[schema.id] = contents
      return contents
    }
    return ResolvedSchema(contents, in: self)
  }

  /// The canonical URI of a node: that of its resource, with a JSON pointer as the fragment (Core 2020-12, 12.3.3).
  package func absoluteLocation(of node: JSON) -> String {
    state.withLock { state in
      let resource = state.registry.resources[state.registry.place(of: node).resource]
      let root = JSON(document: node.document, index: resource.root)
      let tokens = node.pointer.tokens.dropFirst(root.pointer.tokens.count)
      return resource.base.description + "#" + JSONPointer(Array(tokens)).fragment
    }
  }

  /// The target of a reference on a path through schemas, outermost first.
  ///
  /// A dynamic reference leads to the outermost anchor on the path (Core 2020-12, 8.2.3.2; 2019-09, 8.2.4.2.1).
  func target(of reference: Keyword, in schema: JSON, through path: [JSON]) -> JSON? {
    guard let node = schema[reference.name], node.isString else { return nil }
    return state.withLock { state in
      let resource = state.registry.place(of: schema).resource
      guard let target = state.registry.resolve(node, from: resource) else { return nil }
      let name = reference == .recursiveRef ? "" : URIReference(node.text).fragment ?? ""
      if reference != .ref, state.registry.resources[target.resource].dynamicAnchors[name] == target.node {
        for outer in path {
          let resource = state.registry.resources[state.registry.place(of: outer).resource]
          guard let anchored = resource.dynamicAnchors[name] else { continue }
          return state.registry.json(Origin(document: resource.document, node: anchored))
        }
      }
      return state.registry.json(target)
    }
  }

  /// Compiles schemas together, so that shared parts are compiled once, for later calls of `schema(at:)`.
  ///
  /// It pays off for callers that use all of them. If any has a problem, each is compiled alone at its first use, so
  /// that problems stay with their schemas.
  package func prepare(_ nodes: [JSON], direction: Direction = .either) {
    state.withLock { state in
      let (program, problems) = compile(nodes, direction, &state.registry)
      guard problems.isEmpty else { return }
      state.schemas.reserveCapacity(state.schemas.count + nodes.count)
      for (position, node) in nodes.enumerated() {
        let key = Key(node: node.id, direction: direction)
        _ = state.schemas[key, default: Schema(node, program: program, root: position, problems: [])]
      }
    }
  }

  /// The problems of schemas and of all schemas that they refer to, each once.
  package func problems(of nodes: [JSON]) -> [Diagnostic] {
    state.withLock { compile(nodes, .either, &$0.registry).problems }
  }

  private func compile(
    _ nodes: [JSON], _ direction: Direction, _ registry: inout ResourceRegistry
  ) -> (program: Program, problems: [Diagnostic]) {
    var compiler = Compiler(
      registry: registry.taken(), direction: direction, assertion: assertion, assertsContent: assertsContent,
      traces: traces)
    let program = compiler.compile(nodes)
    registry = compiler.registry
    guard registry.keywords.isDisjoint(with: compiler.takenForAbsent) else {
      return compile(nodes, direction, &registry)
    }
    return (program, compiler.problems)
  }

  /// The target of the reference in a schema object; `nil` if it has none or does not resolve.
  ///
  /// A dynamic reference resolves like a plain one, since its dynamic scope is unknown here.
  package func target(ofReference node: JSON) -> JSON? {
    let references = ["$ref", "$dynamicRef", "$recursiveRef"]
    guard let reference = references.lazy.compactMap({ node[$0]?.string }).first else { return nil }
    return state.withLock { state in
      let resource = state.registry.place(of: node).resource
      return state.registry.resolve(reference, from: resource).map { state.registry.json($0) }
    }
  }
}
