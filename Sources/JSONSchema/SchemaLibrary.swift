import Synchronization

/// The schemas of one contract; each is compiled when it is first asked for, and kept.
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
  ///   - assertsFormats: Which formats are promises.
  ///   - assertsContent: Whether `contentEncoding` and `contentMediaType` are promises.
  ///   - traces: Whether failures show the path through the schemas, and those of every alternative. Such schemas are slower.
  ///   - load: Gives the document of an absolute URI or a file path, without its fragment, for references to it. A
  ///     document's own base URI is the path of its source, unless an identifier says otherwise.
  package convenience init(
    dialect: Dialect, assertsFormats: FormatAssertion = .byDefaultTable, assertsContent: Bool = false,
    traces: Bool = false,
    load: @escaping @Sendable (_ uri: String) -> JSONDocument? = { _ in nil }
  ) {
    self.init(
      dialect: dialect, assertsFormats: assertsFormats, assertsContent: assertsContent, traces: traces,
      loader: SchemaLoader(load))
  }

  /// - Parameters:
  ///   - document: Where it all starts; the dialect that it declares is that of documents which declare none, unless
  ///     one of another dialect refers to them.
  ///   - loader: As `load` above, with reasons.
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

  /// The dialect that a schema is read in; `nil` when it is not known.
  package func dialect(of node: JSON) -> Dialect? {
    state.withLock { state in state.registry.resources[state.registry.place(of: node).resource].dialect }
  }

  /// The schema at a node, for values that travel in a direction.
  package func schema(at node: JSON, direction: Direction = .either) -> Schema {
    let key = Key(node: node.id, direction: direction)
    return state.withLock { state in
      if let known = state.schemas[key] { return known }
      let (program, problems) = compile([node], direction, &state.registry)
      let schema = Schema(node, program: program, problems: problems)
      // The registry holds every document it has met, so no other can take the place of a key.
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

  /// The schema that a reference leads to, when it is met on a way through schemas, outermost first.
  ///
  /// A dynamic reference is bent to the outermost anchor on the way (Core 2020-12, 8.2.3.2; 2019-09, 8.2.4.2.1).
  func target(of reference: Keyword, in schema: JSON, through way: [JSON]) -> JSON? {
    guard let node = schema[reference.name], node.isString else { return nil }
    return state.withLock { state in
      let resource = state.registry.place(of: schema).resource
      guard let target = state.registry.resolve(node, from: resource) else { return nil }
      let name = reference == .recursiveRef ? "" : URIReference(node.text).fragment ?? ""
      if reference != .ref, state.registry.resources[target.resource].dynamicAnchors[name] == target.node {
        for outer in way {
          let resource = state.registry.resources[state.registry.place(of: outer).resource]
          guard let anchored = resource.dynamicAnchors[name] else { continue }
          return state.registry.json(Origin(document: resource.document, node: anchored))
        }
      }
      return state.registry.json(target)
    }
  }

  /// Compiles all of these together, so that what they share is compiled once; `schema(at:)` gives them out afterwards.
  ///
  /// Worth its cost for callers that validate by all of them. Where any has a problem nothing is kept: each is then compiled
  /// alone when it is asked for, so that problems stay with the schemas they are of.
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

  /// The problems of these schemas and of all that they refer to, each once.
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

  /// The schema that the reference in a schema object leads to; `nil` when it has none, or it leads nowhere.
  ///
  /// A dynamic reference is followed as a plain one would be: its dynamic scope is not known here.
  package func target(ofReference node: JSON) -> JSON? {
    let references = ["$ref", "$dynamicRef", "$recursiveRef"]
    guard let reference = references.lazy.compactMap({ node[$0]?.string }).first else { return nil }
    return state.withLock { state in
      let resource = state.registry.place(of: node).resource
      return state.registry.resolve(reference, from: resource).map { state.registry.json($0) }
    }
  }
}
