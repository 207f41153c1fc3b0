/// All documents and schema resources that a library has met, by URI.
struct ResourceRegistry: ~Copyable {
  private let dialect: Dialect
  private let load: @Sendable (String) -> JSONDocument?
  private(set) var documents: [JSONDocument] = []
  private(set) var resources: [SchemaResource] = []
  private var documentIDs: [ObjectIdentifier: Int] = [:]
  private var byURI: [String: Int] = [:]
  /// For each document its resources in the order of their first nodes.
  private var ofDocument: [[Int]] = []
  private var missing: Set<String> = []
  /// The telling keywords that are keys somewhere in the documents; a key that looks like one may be among them.
  private(set) var keywords: KeywordSet = []
  /// Whether any schema has a `$dynamicAnchor` or `$recursiveAnchor`.
  private(set) var hasDynamicAnchors = false
  private var memberTables: [Origin: MemberTable] = [:]
  private var lastParent: ReferencedParent?

  init(dialect: Dialect, load: @escaping @Sendable (String) -> JSONDocument?) {
    self.dialect = dialect
    self.load = load
  }

  /// All that it holds, with an empty one left in its place.
  mutating func taken() -> ResourceRegistry {
    var taken = ResourceRegistry(dialect: dialect, load: load)
    swap(&self, &taken)
    return taken
  }

  /// A place in a document, with the resource it belongs to.
  struct Place: Hashable {
    let document: Int
    let node: Int
    let resource: Int

    var origin: Origin { Origin(document: document, node: node) }
  }

  func json(_ place: Place) -> JSON { json(place.origin) }

  func json(_ origin: Origin) -> JSON { JSON(document: documents[origin.document], index: origin.node) }

  /// The place of a node; its document is taken in when it is new.
  mutating func place(of node: JSON) -> Place {
    let document = documentID(of: node.document, uri: nil)
    return place(node.index, in: document)
  }

  /// The place of a child of a place, in the same document.
  func place(_ node: Int, in document: Int) -> Place {
    Place(document: document, node: node, resource: resource(of: node, in: document))
  }

  /// Follows the reference in a string from a resource.
  mutating func resolve(_ reference: JSON, from resource: Int) -> Place? {
    if let node = reference.document.withBytes(of: reference.index, { node(atPlainPointer: $0, in: resource) }) {
      return place(node, in: resources[resource].document)
    }
    return resolve(reference.text, from: resource)
  }

  /// Follows a reference like `#/components/schemas/x`, without any escapes, through objects: the common case.
  private mutating func node(atPlainPointer reference: UnsafeBufferPointer<UInt8>, in resource: Int) -> Int? {
    if let parent = lastParent, parent.resource == resource, let name = parent.name(in: reference) {
      return member(name, of: parent.object)
    }
    guard reference.count >= 2, reference[0] == UInt8(ascii: "#"), reference[1] == UInt8(ascii: "/") else { return nil }
    guard !reference.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "~") }) else { return nil }
    let nameStart = (reference.lastIndex(of: UInt8(ascii: "/")) ?? 1) + 1
    let pointer = UnsafeBufferPointer(rebasing: reference[..<nameStart])
    let name = UnsafeBufferPointer(rebasing: reference[nameStart...])
    var node = resources[resource].root
    let document = resources[resource].document
    for token in pointer.dropFirst(2).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast() {
      let origin = Origin(document: document, node: node)
      guard let next = member(UnsafeBufferPointer(rebasing: token), of: origin) else { return nil }
      node = next
    }
    let object = Origin(document: document, node: node)
    lastParent = ReferencedParent(resource: resource, pointer: Array(pointer), object: object)
    return member(name, of: object)
  }

  /// The object that the last reference was looked up in: nearly all references of a document differ in their last token alone.
  private struct ReferencedParent {
    let resource: Int
    /// The pointer up to the last token.
    let pointer: [UInt8]
    let object: Origin

    /// The last token of a reference to another member of the object.
    func name(in reference: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
      guard reference.count > pointer.count else { return nil }
      let start = UnsafeBufferPointer(rebasing: reference[..<pointer.count])
      guard pointer.withUnsafeBufferPointer({ isSameText($0, start) }) else { return nil }
      let name = UnsafeBufferPointer(rebasing: reference[pointer.count...])
      let isPlain = name.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "%") }
      return isPlain ? name : nil
    }
  }

  /// The value of an object's member. Large objects get a table, since nearly all references lead into the same few.
  private mutating func member(_ name: UnsafeBufferPointer<UInt8>, of object: Origin) -> Int? {
    let json = json(object)
    guard json.count >= MemberTable.minimumCount, json.document.duplicates.isEmpty else {
      return json.member(utf8: name)?.value.index
    }
    if let table = memberTables[object] { return table.value(of: name, in: json.document) }
    let table = MemberTable(json)
    memberTables[object] = table
    return table.value(of: name, in: json.document)
  }

  /// Follows a `$ref` from a resource.
  mutating func resolve(_ reference: String, from resource: Int) -> Place? {
    let reference = URIReference(reference)
    let base = resources[resource].base
    let isLocal =
      reference.scheme == nil && reference.authority == nil && reference.path.isEmpty && reference.query == nil
    let target: Int
    if isLocal {
      // A dialect of its own does not make a resource of its own: pointers still start at the shared root.
      target = resource
    } else {
      guard let found = self.resource(at: reference.resolved(against: base).withoutFragment) else { return nil }
      target = found
    }
    return place(fragment: reference.fragment ?? "", in: target)
  }

  private func place(fragment: String, in resource: Int) -> Place? {
    let found = resources[resource]
    if fragment.isEmpty || fragment.utf8.first == UInt8(ascii: "/") {
      let root = JSON(document: documents[found.document], index: found.root)
      guard let pointer = JSONPointer(fragment: fragment), let target = root[pointer] else { return nil }
      return place(target.index, in: found.document)
    }
    guard let name = PercentEncoding.decode(fragment.utf8) else { return nil }
    var current: Int? = resource
    while let id = current {
      if let node = resources[id].anchors[name] { return place(node, in: found.document) }
      // Only a resource made for the sake of its dialect shares names with the one around it.
      guard let parent = resources[id].parent, resources[parent].root == resources[id].root else { return nil }
      current = parent
    }
    return nil
  }

  /// The resource of an absolute URI, loaded when it is not known yet.
  private mutating func resource(at uri: URIReference) -> Int? {
    let key = Self.key(uri)
    if let known = byURI[key] { return known }
    guard !missing.contains(key) else { return nil }
    guard let document = load(key) ?? Metaschemas.document(of: key) else {
      missing.insert(key)
      return nil
    }
    let id = documentID(of: document, uri: uri)
    if byURI[key] == nil { byURI[key] = resource(of: 0, in: id) }
    return byURI[key]
  }

  /// An empty fragment names the same resource as none.
  private static func key(_ uri: URIReference) -> String { uri.withoutFragment.description }

  private func resource(of node: Int, in document: Int) -> Int {
    // Nearly always, and asked for every schema.
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

// MARK: - Taking documents in

extension ResourceRegistry {
  private mutating func documentID(of document: JSONDocument, uri: URIReference?) -> Int {
    if let first = documents.first, first === document { return 0 }
    if let known = documentIDs[ObjectIdentifier(document)] { return known }
    let id = documents.count
    documents.append(document)
    documentIDs[ObjectIdentifier(document)] = id
    ofDocument.append([])
    let base = uri ?? URIReference(document.source?.path ?? "").withoutFragment
    scan(id, base: base)
    if !Self.key(base).isEmpty, byURI[Self.key(base)] == nil { byURI[Self.key(base)] = resource(of: 0, in: id) }
    return id
  }

  /// What kind of thing a walk has come to.
  private enum Role {
    /// A schema inside another one.
    case schema
    /// A schema that stands in something else: the root of a document, `components/schemas/x`.
    case outermostSchema
    /// Any other object of an OpenAPI document.
    case structure
  }

  private mutating func scan(_ id: Int, base: URIReference) {
    let root = documents[id].root
    let found = keywords(in: documents[id])
    keywords = keywords.union(found)
    let (rootDialect, dialectNode) = dialect(ofDocument: root)
    let first = append(
      SchemaResource(
        base: base, document: id, root: 0, extent: 0..<documents[id].nodes.count, parent: nil, dialect: rootDialect,
        dialectNode: dialectNode))
    // Most descriptions have no key that could make a resource or an anchor, so there is nothing to look for.
    if let rootDialect, found.isDisjoint(with: rootDialect.keywords.intersection(Self.identifying)),
      !found.contains(.schema)
    {
      return
    }
    let isOpenAPI = rootDialect?.has(.openAPI) ?? false
    // Depth first in document order, so that resources come in the order of their nodes.
    var pending: [(JSON, Int, Role)] = [(root, first, isOpenAPI ? .structure : .outermostSchema)]
    while let (node, resource, role) = pending.popLast() {
      var children: [(JSON, Int, Role)] = []
      switch role {
      case .structure: structureChildren(of: node, resource, &children)
      case .schema, .outermostSchema:
        guard node.isObject else { continue }
        let own = enter(node, resource, isOutermost: role == .outermostSchema)
        schemaChildren(of: node, own, &children)
      }
      pending.append(contentsOf: children.reversed())
    }
  }

  private static let identifying: KeywordSet = [.id, .draft4ID, .anchor, .dynamicAnchor, .recursiveAnchor]

  /// The keywords among the keys of an object, by their hashes alone: none is missed, some other key may be taken for one.
  static func keywords(of object: JSON) -> KeywordSet {
    let (document, byName) = (object.document, Keyword.byName)
    var found: KeywordSet = []
    var key = object.index + 1
    for _ in 0..<object.count {
      if let keyword = byName.value(ofHash: document.nodes[key].hash) { found.insert(keyword) }
      key = document.end(of: key + 1)
    }
    return found
  }

  /// Which of the telling keywords are keys in a document, by their hashes alone.
  private func keywords(in document: JSONDocument) -> KeywordSet {
    var found: KeywordSet = []
    let byName = Keyword.byName
    document.nodes.withUnsafeBufferPointer { nodes in
      Self.isTelling.withUnsafeBufferPointer { isTelling in
        for node in nodes where isTelling[Int(node.hash & 1023)] {
          // Of all strings only keys have a hash.
          guard node.kind == .string, let keyword = byName.value(ofHash: node.hash) else { continue }
          found.insert(keyword)
        }
      }
    }
    return found.intersection(Self.telling)
  }

  /// The keywords whose absence saves looking for something.
  private static let telling: KeywordSet = [
    .schema, .id, .draft4ID, .anchor, .dynamicAnchor, .recursiveAnchor, .readOnly, .writeOnly,
  ]

  /// For each possible tail of a hash whether a telling keyword has it: nearly all nodes are passed over by one look.
  private static let isTelling: [Bool] = {
    var isTelling = [Bool](repeating: false, count: 1024)
    for keyword in Keyword.allCases where telling.contains(keyword) {
      isTelling[Int(Array(keyword.name.utf8).withUnsafeBufferPointer(JSONDocument.hash) & 1023)] = true
    }
    return isTelling
  }()

  private mutating func append(_ resource: SchemaResource) -> Int {
    resources.append(resource)
    ofDocument[resource.document].append(resources.count - 1)
    return resources.count - 1
  }

  /// The dialect of a document as a whole: the version it declares, else `$schema`, else that of the library.
  private mutating func dialect(ofDocument root: JSON) -> (Dialect?, JSON?) {
    if let version = root["openapi"]?.string {
      if let node = root["jsonSchemaDialect"], let uri = node.string { return (knownDialect(uri), node) }
      return (version.hasPrefix("3.0") ? .openAPI30 : .openAPI31, nil)
    }
    if root["swagger"] != nil { return (.swagger2, nil) }
    guard let node = root["$schema"], let uri = node.string else { return (dialect, nil) }
    return (knownDialect(uri), node)
  }

  /// A dialect that is built in, or that a metaschema within reach describes.
  private mutating func knownDialect(_ uri: String) -> Dialect? {
    if let dialect = Dialect(uri: uri) { return dialect }
    let key = Self.key(URIReference(uri))
    guard let document = load(key) else { return nil }
    return Dialect(metaschema: document.root)
  }

  private func structureChildren(of node: JSON, _ resource: Int, _ children: inout [(JSON, Int, Role)]) {
    for element in node.elements { children.append((element, resource, .structure)) }
    for member in node.members {
      switch member.name {
      case "schema", "itemSchema": children.append((member.value, resource, .outermostSchema))
      case "schemas", "definitions", "$defs":
        for schema in member.value.members { children.append((schema.value, resource, .outermostSchema)) }
      case "example", "examples", "default", "enum", "value": break
      default: children.append((member.value, resource, .structure))
      }
    }
  }

  /// Notes identifiers and anchors of a schema object; gives the resource it belongs to.
  private mutating func enter(_ node: JSON, _ outer: Int, isOutermost: Bool) -> Int {
    let around = resources[outer]
    let isRoot = node.index == around.root && outer == ofDocument[around.document].first
    var resource = outer
    // `$schema` counts at the root of a resource only, where the keyword of the identifier depends on it.
    var dialect = around.dialect
    var dialectNode = around.dialectNode
    if !isRoot, let own = node["$schema"], let uri = own.string, isOutermost || node["$id"] != nil || node["id"] != nil
    {
      dialect = knownDialect(uri)
      dialectNode = own
    }
    guard let dialect, !(dialect.has(.refHidesSiblings) && node["$ref"] != nil) else {
      return dialect == nil && !isRoot && isOutermost
        ? append(embedded(node, in: around, outer, base: nil, dialect: nil, dialectNode)) : outer
    }
    let idKeyword: Keyword? =
      dialect.keywords.contains(.id) ? .id : dialect.keywords.contains(.draft4ID) ? .draft4ID : nil
    let identifier = idKeyword.flatMap { node[$0.name]?.string }.map { URIReference($0) }
    if let identifier, !identifier.withoutFragment.description.isEmpty {
      let uri = identifier.resolved(against: around.base).withoutFragment
      resource = append(embedded(node, in: around, outer, base: uri, dialect: dialect, dialectNode))
      if byURI[Self.key(uri)] == nil { byURI[Self.key(uri)] = resource }
    } else if !isRoot, isOutermost, node["$schema"] != nil {
      resource = append(embedded(node, in: around, outer, base: nil, dialect: dialect, dialectNode))
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
    if dialect.keywords.contains(.recursiveAnchor), node["$recursiveAnchor"]?.bool == true {
      resources[resource].dynamicAnchors[""] = node.index
      hasDynamicAnchors = true
    }
    return resource
  }

  /// A resource inside another; without a base of its own it shares that of the one around it.
  private func embedded(
    _ node: JSON, in around: SchemaResource, _ parent: Int, base: URIReference?, dialect: Dialect?, _ dialectNode: JSON?
  ) -> SchemaResource {
    SchemaResource(
      base: base ?? around.base, document: around.document, root: base == nil ? around.root : node.index,
      extent: node.index..<node.document.end(of: node.index), parent: parent, dialect: dialect, dialectNode: dialectNode
    )
  }

  private func schemaChildren(of node: JSON, _ resource: Int, _ children: inout [(JSON, Int, Role)]) {
    guard let dialect = resources[resource].dialect else { return }
    for member in node.members {
      guard let keyword = Keyword.named(member.key), dialect.keywords.contains(keyword) else { continue }
      switch keyword.shape(of: member.value) {
      case .none: break
      case .schema: children.append((member.value, resource, .schema))
      case .list: for element in member.value.elements { children.append((element, resource, .schema)) }
      case .map: for entry in member.value.members { children.append((entry.value, resource, .schema)) }
      }
    }
  }
}
