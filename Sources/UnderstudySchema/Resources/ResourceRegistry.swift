/// All loaded documents and schema resources, by URI.
struct ResourceRegistry: ~Copyable {
  private let loader: SchemaLoader
  /// The dialect of documents that declare none and are not the target of a reference.
  private var fallback: DialectReading
  private(set) var documents: [JSONDocument] = []
  private(set) var resources: [SchemaResource] = []
  private var documentIDs: [ObjectIdentifier: Int] = [:]
  /// Documents without a declared dialect, in the dialects of the documents that refer to them.
  private var twins: [Twin: Int] = [:]
  /// The URIs by which documents were loaded.
  private var addresses: [ObjectIdentifier: URIReference] = [:]
  /// The addresses of documents with a `$self`, and the files that stand for URLs.
  private var retrievals: [Int: URIReference] = [:]
  /// Whether each document declares no dialect.
  private var isUndeclared: [Bool] = []
  private var byURI: [String: Int] = [:]
  /// The resources of each document in the order of their first nodes.
  private var ofDocument: [[Int]] = []
  private var missing: Set<String> = []
  /// The keywords of `KeywordScan` that are keys somewhere in the documents.
  private(set) var keywords: KeywordSet = []
  /// Whether any schema has a `$dynamicAnchor` or `$recursiveAnchor`.
  private(set) var hasDynamicAnchors = false
  private var pointers = PointerCache()

  init(dialect: Dialect, loader: SchemaLoader) {
    fallback = DialectReading(dialect: dialect, node: nil)
    self.loader = loader
  }

  /// Returns the contents and leaves an empty registry.
  mutating func taken() -> ResourceRegistry {
    var taken = ResourceRegistry(dialect: .draft2020, loader: loader)
    swap(&self, &taken)
    return taken
  }

  private struct Twin: Hashable {
    let document: ObjectIdentifier
    let dialect: Dialect
  }

  /// Adds a document whose declared dialect becomes that of all documents without one.
  mutating func adopt(_ document: JSONDocument) {
    let id = documentID(of: document)
    let root = resources[ofDocument[id][0]]
    if !isUndeclared[id] { fallback = DialectReading(dialect: root.dialect, node: root.dialectNode) }
  }

  /// A node of a document and its resource.
  struct SchemaPlace: Hashable {
    let document: Int
    let node: Int
    let resource: Int

    var origin: Origin { Origin(document: document, node: node) }
  }

  func json(_ place: SchemaPlace) -> JSON { json(place.origin) }

  func json(_ origin: Origin) -> JSON { JSON(document: documents[origin.document], index: origin.node) }

  /// Whether a node is an object or a boolean.
  func isSchema(_ place: SchemaPlace) -> Bool {
    switch documents[place.document].nodes[place.node].kind {
    case .object, .true, .false: true
    case .null, .number, .string, .array: false
    }
  }

  /// The place of a node; adds a new document.
  mutating func place(of node: JSON) -> SchemaPlace { place(node.index, in: documentID(of: node.document)) }

  /// The place of a node in a known document.
  func place(_ node: Int, in document: Int) -> SchemaPlace {
    SchemaPlace(document: document, node: node, resource: resource(of: node, in: document))
  }

  /// Resolves the reference in a string against a resource.
  mutating func resolve(_ reference: JSON, from resource: Int) -> SchemaPlace? {
    let document = resources[resource].document
    let root = JSON(document: documents[document], index: resources[resource].root)
    let found = reference.document.withBytes(of: reference.index) { pointers.node(at: $0, in: resource, root: root) }
    if let found { return place(found, in: document) }
    return resolve(reference.text, from: resource)
  }

  /// Resolves a reference against a resource.
  mutating func resolve(_ reference: String, from resource: Int) -> SchemaPlace? {
    let reference = URIReference(reference)
    // Pointers in a resource that only has its own dialect start at the shared root.
    guard let target = Self.isLocal(reference) ? resource : self.resource(of: reference, from: resource) else {
      return nil
    }
    return place(fragment: reference.fragment ?? "", in: target)
  }

  /// The reason why a reference cannot be resolved; `nil` if its text shows it.
  func failure(of reference: String, from resource: Int) -> SchemaLoader.Failure? {
    let reference = URIReference(reference)
    guard !Self.isLocal(reference), let uri = targets(of: reference, from: resource).last else { return nil }
    let key = Self.key(uri)
    if byURI[key] != nil {
      return SchemaLoader.Failure("`\(key)` has no `#\(reference.fragment ?? "")`")
    }
    if var failure = loader.failure(key) {
      failure.reason = "`\(key)`: \(failure.reason)"
      return failure
    }
    return Self.key(reference) == key ? nil : SchemaLoader.Failure("it resolves to `\(key)`")
  }

  private static func isLocal(_ reference: URIReference) -> Bool {
    reference.scheme == nil && reference.authority == nil && reference.path.isEmpty && reference.query == nil
  }

  /// The possible targets of a reference: relative to the base and, if that is a `$self` or a URL, to the address of the file.
  private func targets(of reference: URIReference, from resource: Int) -> [URIReference] {
    let found = resources[resource]
    let target = reference.resolved(against: found.base).withoutFragment
    guard let file = retrievals[found.document], found.root == 0 else { return [target] }
    return [target, reference.resolved(against: file).withoutFragment]
  }

  private mutating func resource(of reference: URIReference, from resource: Int) -> Int? {
    for uri in targets(of: reference, from: resource) {
      if let found = self.resource(
        at: uri, readAs: DialectReading(dialect: resources[resource].dialect, node: resources[resource].dialectNode))
      {
        return found
      }
    }
    return nil
  }

  private func place(fragment: String, in resource: Int) -> SchemaPlace? {
    let found = resources[resource]
    if fragment.isEmpty || fragment.utf8.first == UInt8(ascii: "/") {
      let root = JSON(document: documents[found.document], index: found.root)
      guard let pointer = JSONPointer(fragment: fragment), let target = root[pointer] else { return nil }
      return place(target.index, in: found.document)
    }
    guard let name = PercentEncoding.decode(fragment) else { return nil }
    var current: Int? = resource
    while let id = current {
      if let node = resources[id].anchors[name] { return place(node, in: found.document) }
      // Only a resource that exists for its dialect shares names with its parent.
      guard let parent = resources[id].parent, resources[parent].root == resources[id].root else { return nil }
      current = parent
    }
    return nil
  }

  /// The resource of an absolute URI, which is loaded if it is unknown.
  private mutating func resource(at uri: URIReference, readAs reading: DialectReading) -> Int? {
    let key = Self.key(uri)
    if let known = byURI[key] { return self.reading(of: known, as: reading) }
    guard !missing.contains(key) else { return nil }
    guard let document = loader.document(key) ?? Metaschemas.document(of: key) else {
      missing.insert(key)
      return nil
    }
    if addresses[ObjectIdentifier(document)] == nil { addresses[ObjectIdentifier(document)] = uri }
    let id = documentID(of: document, readAs: reading)
    if byURI[key] == nil { byURI[key] = resource(of: 0, in: id) }
    return byURI[key].map { self.reading(of: $0, as: reading) }
  }

  /// The same resource in the dialect of the schema that refers to it, unless it declares one or is in the first
  /// document.
  private mutating func reading(of known: Int, as reading: DialectReading) -> Int {
    let (document, root) = (resources[known].document, resources[known].root)
    guard document != 0, isUndeclared[document], let dialect = reading.dialect,
      resources[ofDocument[document][0]].dialect != dialect
    else { return known }
    return resource(of: root, in: documentID(of: documents[document], readAs: reading))
  }

  /// An empty fragment names the same resource as none.
  private static func key(_ uri: URIReference) -> String { uri.withoutFragment.description }

  private func resource(of node: Int, in document: Int) -> Int {
    // The most common case.
    if ofDocument[document].count == 1 { return ofDocument[document][0] }
    let candidates = ofDocument[document]
    var low = 0
    var high = candidates.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if resources[candidates[middle]].extent.lowerBound <= node { low = middle } else { high = middle }
    }
    var found = candidates[low]
    while !resources[found].extent.contains(node), let parent = resources[found].parent { found = parent }
    return found
  }
}

// MARK: - Adding documents

extension ResourceRegistry {
  /// The number of a document; adds a new one.
  private mutating func documentID(of document: JSONDocument) -> Int {
    if let first = documents.first, first === document { return 0 }
    if let known = documentIDs[ObjectIdentifier(document)] { return known }
    let id = append(document)
    documentIDs[ObjectIdentifier(document)] = id
    scan(id, DialectDeclaration(of: document.root, loader: loader), fallback)
    return id
  }

  /// The number of a document that is the target of a reference.
  private mutating func documentID(of document: JSONDocument, readAs reading: DialectReading) -> Int {
    guard let dialect = reading.dialect, dialect != fallback.dialect,
      DialectDeclaration(of: document.root, loader: loader) == nil
    else { return documentID(of: document) }
    let twin = Twin(document: ObjectIdentifier(document), dialect: dialect)
    if let known = twins[twin] { return known }
    let id = append(document)
    twins[twin] = id
    scan(id, nil, reading)
    return id
  }

  private mutating func append(_ document: JSONDocument) -> Int {
    documents.append(document)
    ofDocument.append([])
    isUndeclared.append(false)
    return documents.count - 1
  }

  private mutating func scan(_ id: Int, _ declaration: DialectDeclaration?, _ inherited: DialectReading) {
    let document = documents[id]
    let found = KeywordScan.keywords(in: document)
    keywords = keywords.union(found)
    isUndeclared[id] = declaration == nil
    let reading = declaration?.reading ?? inherited
    let file = URIReference(document.source?.path ?? "").withoutFragment
    let address = addresses[ObjectIdentifier(document)] ?? file
    var base = address
    if let name = declaration?.ownName {
      base = name.resolved(against: address).withoutFragment
      retrievals[id] = address
    } else if !file.path.isEmpty, Self.key(file) != Self.key(address) {
      retrievals[id] = file
    }
    let first = append(
      SchemaResource(
        base: base, document: id, root: 0, extent: 0..<document.nodes.count, parent: nil, dialect: reading.dialect,
        dialectNode: reading.node))
    findSchemas(in: document, first, declaration, found)
    for uri in [address, base] where !Self.key(uri).isEmpty && byURI[Self.key(uri)] == nil {
      byURI[Self.key(uri)] = resource(of: 0, in: id)
    }
  }

  /// Registers the resources and anchors of a document.
  private mutating func findSchemas(
    in document: JSONDocument, _ first: Int, _ declaration: DialectDeclaration?, _ found: KeywordSet
  ) {
    let dialect = resources[first].dialect
    // Most descriptions have no key that could declare a resource or an anchor.
    if let dialect, !found.contains(.schema),
      found.isDisjoint(with: dialect.keywords.intersection(Self.identifying))
    {
      return
    }
    let isPart = declaration == nil && dialect?.has(.openAPI) == true
    let role: DocumentRole = declaration?.isDescription == true ? .structure : isPart ? .fragment : .outermostSchema
    // Depth first in document order, so that resources have the order of their nodes.
    var pending: [(node: JSON, resource: Int, role: DocumentRole)] = [(document.root, first, role)]
    while let (node, outer, role) = pending.popLast() {
      let isSchema = node.isObject && (role.isSchema || role == .fragment)
      let resource = isSchema ? enter(node, outer, isOutermost: role != .schema) : outer
      for child in role.children(of: node, in: resources[resource].dialect).reversed() {
        pending.append((child.node, resource, child.role))
      }
    }
  }

  private static let identifying: KeywordSet = [.id, .draft4ID, .anchor, .dynamicAnchor, .recursiveAnchor]

  private mutating func append(_ resource: SchemaResource) -> Int {
    resources.append(resource)
    ofDocument[resource.document].append(resources.count - 1)
    return resources.count - 1
  }

  /// Registers the identifiers and anchors of a schema object; returns its resource.
  private mutating func enter(_ node: JSON, _ outer: Int, isOutermost: Bool) -> Int {
    let isRoot = node.index == 0
    var resource = outer
    // `$schema` only counts at the root of a resource, whose keyword for the identifier depends on it.
    var dialect = resources[outer].dialect
    var dialectNode = resources[outer].dialectNode
    if !isRoot, let own = node["$schema"], let uri = own.string, isOutermost || node["$id"] != nil || node["id"] != nil
    {
      dialect = Dialect(uri: uri, loader: loader)
      dialectNode = own
    }
    guard let dialect else { return isRoot ? outer : enter(node, outer, unknownDialect: dialectNode) }
    if dialect.has(.refHidesSiblings), node["$ref"] != nil { return outer }
    let idKeyword: Keyword? =
      dialect.keywords.contains(.id) ? .id : dialect.keywords.contains(.draft4ID) ? .draft4ID : nil
    let identifier = idKeyword.flatMap { node[$0.name]?.string }.map { URIReference($0) }
    if let identifier, !identifier.withoutFragment.description.isEmpty {
      let uri = identifier.resolved(against: resources[outer].base).withoutFragment
      resource = append(embedded(node, in: outer, base: uri, dialect: dialect, dialectNode))
      if byURI[Self.key(uri)] == nil { byURI[Self.key(uri)] = resource }
    } else if !isRoot, isOutermost, node["$schema"] != nil {
      resource = append(embedded(node, in: outer, base: nil, dialect: dialect, dialectNode))
    }
    if dialect.has(.anchorsInID), let fragment = identifier?.fragment, !fragment.isEmpty {
      resources[resource].anchors[fragment] = node.index
    }
    if dialect.keywords.contains(.anchor), let name = node["$anchor"]?.string {
      resources[resource].anchors[name] = node.index
    }
    if dialect.keywords.contains(.dynamicAnchor), let name = node["$dynamicAnchor"]?.string {
      resources[resource].anchors[name] = node.index
      resources[resource].dynamicAnchors[name] = node.index
      hasDynamicAnchors = true
    }
    // It marks resources and only counts at their roots (Core 2019-09, 8.2.4.2.2).
    if dialect.keywords.contains(.recursiveAnchor), node.index == resources[resource].root,
      node["$recursiveAnchor"]?.bool == true
    {
      resources[resource].dynamicAnchors[""] = node.index
      hasDynamicAnchors = true
    }
    return resource
  }

  /// Registers a resource in an unknown dialect, so that a reference to it reports that dialect.
  private mutating func enter(_ node: JSON, _ outer: Int, unknownDialect dialectNode: JSON?) -> Int {
    let identifier = (node["$id"]?.string ?? node["id"]?.string).map { URIReference($0).withoutFragment }
    let uri = identifier.flatMap { $0.description.isEmpty ? nil : $0.resolved(against: resources[outer].base) }
    let resource = append(embedded(node, in: outer, base: uri, dialect: nil, dialectNode))
    if let uri, byURI[Self.key(uri)] == nil { byURI[Self.key(uri)] = resource }
    return resource
  }

  /// A resource inside another; without its own base it has that of its parent.
  private func embedded(
    _ node: JSON, in parent: Int, base: URIReference?, dialect: Dialect?, _ dialectNode: JSON?
  ) -> SchemaResource {
    let around = resources[parent]
    return SchemaResource(
      base: base ?? around.base, document: around.document, root: base == nil ? around.root : node.index,
      extent: node.index..<node.document.end(of: node.index), parent: parent, dialect: dialect, dialectNode: dialectNode
    )
  }
}
