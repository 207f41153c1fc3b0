import UnderstudySystem

/// The schemas of one contract, compiled at their first use and kept within a limit of memory.
package final class SchemaLibrary: Sendable {
  private let assertion: FormatAssertion
  private let assertsContent: Bool
  private let traces: Bool
  private let state: Lock<State>

  private struct State: ~Copyable {
    var registry: ResourceRegistry
    var places: [Key: ProgramPlace] = [:]
    var shelf: ProgramShelf
    var views: [NodeID: ResolvedSchema.Contents] = [:]
  }

  /// The memory that large programs may take together; see `ProgramShelf`.
  package static let largeProgramBytes = 32 << 20

  /// The number of large programs that are in memory.
  package var programCount: Int { state.withLock { $0.shelf.count } }

  /// Where the program of a schema is.
  struct ProgramPlace {
    var source: ProgramSource
    /// Which of the program's roots it is.
    var root: Int
    /// The size of its program before it was shared.
    var size: Int
    var problems: [Diagnostic]
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
  ///   - largeProgramBytes: The memory of all large programs together.
  ///   - load: Returns the document of an absolute URI or a file path without a fragment. The base URI of a document is
  ///     the path of its source, unless it has an identifier.
  package convenience init(
    dialect: Dialect, assertsFormats: FormatAssertion = .byDefaultTable, assertsContent: Bool = false,
    traces: Bool = false, largeProgramBytes: Int = SchemaLibrary.largeProgramBytes,
    load: @escaping @Sendable (_ uri: String) -> JSONDocument? = { _ in nil }
  ) {
    self.init(
      dialect: dialect, assertsFormats: assertsFormats, assertsContent: assertsContent, traces: traces,
      largeProgramBytes: largeProgramBytes, loader: SchemaLoader(load))
  }

  /// - Parameters:
  ///   - document: The first document, whose declared dialect is that of documents without one, unless a document of
  ///     another dialect refers to them.
  ///   - loader: As `load` above, with reasons for missing documents.
  package init(
    dialect: Dialect, startingAt document: JSONDocument? = nil, assertsFormats: FormatAssertion = .byDefaultTable,
    assertsContent: Bool = false, traces: Bool = false, largeProgramBytes: Int = SchemaLibrary.largeProgramBytes,
    loader: SchemaLoader
  ) {
    assertion = assertsFormats
    self.assertsContent = assertsContent
    self.traces = traces
    var registry = ResourceRegistry(dialect: dialect, loader: loader)
    if let document { registry.adopt(document) }
    state = Lock(State(registry: registry, shelf: ProgramShelf(limit: largeProgramBytes)))
  }

  /// The dialect of a schema; `nil` if it is unknown.
  package func dialect(of node: JSON) -> Dialect? {
    state.withLock { state in state.registry.resources[state.registry.place(of: node).resource].dialect }
  }

  /// The format of a schema that a text breaks, where the format only annotates in the dialect of the schema.
  ///
  /// With `formats: never` no format counts.
  package func brokenAnnotation(of schema: JSON, by text: String) -> String? {
    guard assertion != .never, onlyAnnotatesFormat(schema), let name = schema["format"]?.string,
      let format = Format.allCases.first(where: { $0.name.utf8Equals(name) }), !format.isNumeric
    else { return nil }
    let isMet = Array(text.utf8).withUnsafeBufferPointer { format.accepts($0, isStrict: false) }
    return isMet ? nil : "expected `\(format.name)` like \(format.example), found \(Wording.quote(.string(text)))"
  }

  /// Whether a schema has a format that would be asserted in other dialects, and only annotates in its own.
  package func onlyAnnotatesFormat(_ schema: JSON) -> Bool {
    guard let name = schema["format"]?.string,
      Format.allCases.contains(where: { $0.weight != .none && $0.name.utf8Equals(name) }),
      let dialect = dialect(of: schema)
    else { return false }
    return switch assertion {
    case .never: !dialect.assertsFormats
    case .byDialect: dialect.annotatesFormats
    case .byDefaultTable, .always: false
    }
  }

  /// The schema at a node, for values of a direction.
  package func schema(at node: JSON, direction: Direction = .either) -> Schema {
    let key = Key(node: node.id, direction: direction)
    let place = state.withLock { state -> ProgramPlace in
      if let known = state.places[key] { return known }
      let place = compilePlace(of: node, direction, &state)
      // The registry holds every document it has met, so no other can take the place of a key.
      state.places[key] = place
      return place
    }
    return Schema(node, place, in: self)
  }

  /// Compiles a schema, and shares the program of other schemas that contain most of it.
  private func compilePlace(of node: JSON, _ direction: Direction, _ state: inout State) -> ProgramPlace {
    let (program, problems) = compile([node], direction, &state.registry)
    let source = ProgramSource(program, of: [node], direction)
    var place = ProgramPlace(source: source, root: 0, size: program.size, problems: problems)
    // Problems stay with the schemas they are of.
    if source.isLarge, problems.isEmpty, !traces, let (host, root) = share(program, of: node, direction, &state) {
      place.source = host
      place.root = root
    } else {
      state.shelf.note(source, program)
    }
    return place
  }

  /// Adds a schema to a program that has most of what the schema's own program has.
  private func share(
    _ program: Program, of node: JSON, _ direction: Direction, _ state: inout State
  ) -> (host: ProgramSource, root: Int)? {
    let origins = program.origins
    guard let host = state.shelf.host(of: origins, direction) else { return nil }
    var root = host.add(node, program)
    if root == nil {
      // Compiled, it has what its schemas share once.
      _ = compileAgain(host, &state)
      root = host.add(node, program)
    }
    guard let root else { return nil }
    state.shelf.extend(host, by: origins)
    return (host, root)
  }

  /// The program of a source that was dropped, or that has no such root yet.
  func compileAgain(_ source: ProgramSource, withRoot root: Int) -> Program {
    state.withLock { state in
      source.program(withRoot: root) ?? compileAgain(source, &state)
    }
  }

  private func compileAgain(_ source: ProgramSource, _ state: inout State) -> Program {
    let (program, _) = compile(source.nodes, source.direction, &state.registry)
    source.restore(program)
    state.shelf.note(source, program)
    return program
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
      let source = ProgramSource(program, of: nodes, direction, stays: true)
      state.places.reserveCapacity(state.places.count + nodes.count)
      for (position, node) in nodes.enumerated() {
        let key = Key(node: node.id, direction: direction)
        _ = state.places[key, default: ProgramPlace(source: source, root: position, size: program.size, problems: [])]
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
    guard let reference = references.lazy.compactMap({ node[$0] }).first(where: \.isString) else { return nil }
    return state.withLock { state in
      let resource = state.registry.place(of: node).resource
      return state.registry.resolve(reference, from: resource).map { state.registry.json($0) }
    }
  }
}
