/// Visits every object of a contract once, in whatever file it stands, and sorts them by kind.
///
/// The way is kept on a list, not on the call stack; documents are as deep as the parser lets them be.
struct ContractWalk {
  private let resolver: ReferenceResolver
  private let specification: Specification
  private let fields: [ObjectKind: [ObjectKind.Field]]
  private var visited: [ObjectIdentifier: [Bool]] = [:]
  private var open: [(value: JSON, kind: ObjectKind)] = []

  private(set) var objects: [ObjectKind: [JSON]] = [:]
  private(set) var references: [Reference] = []

  /// A `$ref`, and what it was found to lead to.
  struct Reference {
    /// The string.
    var text: JSON
    /// The object that holds it.
    var holder: JSON
    /// The kind of object that should be there.
    var kind: ObjectKind
    var target: Result<JSON, ReferenceFailure>
  }

  static func visit(_ api: API) -> ContractWalk {
    var walk = ContractWalk(resolver: api.resolver, specification: api.specification)
    walk.open.append((api.root, .contract))
    while let (value, kind) = walk.open.popLast() { walk.visit(value, kind) }
    return walk
  }

  /// Only a schema and all that it refers to.
  static func visit(schema: JSON, _ resolver: ReferenceResolver, _ specification: Specification) -> ContractWalk {
    var walk = ContractWalk(resolver: resolver, specification: specification)
    walk.open.append((schema, .schema))
    while let (value, kind) = walk.open.popLast() { walk.visit(value, kind) }
    return walk
  }

  private init(resolver: ReferenceResolver, specification: Specification) {
    self.resolver = resolver
    self.specification = specification
    let kinds: [ObjectKind] = [
      .contract, .components, .pathItem, .operation, .parameter, .header, .requestBody, .mediaType, .encoding,
      .response,
      .schema,
    ]
    fields = Dictionary(uniqueKeysWithValues: kinds.map { ($0, $0.fields(in: specification)) })
  }

  private mutating func visit(_ value: JSON, _ kind: ObjectKind) {
    guard value.isObject, isFirstVisit(value) else { return }
    if let text = value.reference {
      // A reference with a chain behind it is met link by link.
      let target = resolver.target(of: text)
      references.append(Reference(text: text, holder: value, kind: kind, target: target))
      if case .success(let target) = target { open.append((target, kind)) }
      // From 3.1 on a schema may say more beside `$ref`; a path item always might.
      guard kind == .pathItem || (kind == .schema && specification >= .openAPI31) else { return }
    }
    objects[kind, default: []].append(value)
    for field in fields[kind] ?? [] {
      guard let child = value[field.key] else { continue }
      switch field.shape {
      case .one: open.append((child, field.kind))
      case .list: for element in child.elements { open.append((element, field.kind)) }
      case .map: for member in child.members { open.append((member.value, field.kind)) }
      case .oneOrList:
        if child.isArray { for element in child.elements { open.append((element, field.kind)) } }
        open.append((child, field.kind))
      }
    }
    if let memberKind = kind.memberKind {
      for member in value.members where !member.key.isExtensionKey { open.append((member.value, memberKind)) }
    }
  }

  private mutating func isFirstVisit(_ value: JSON) -> Bool {
    let document = value.document
    // In place: a copy of the table for every visit would make the walk quadratic.
    return { (table: inout [Bool]) in
      if table.isEmpty { table = Array(repeating: false, count: document.nodes.count) }
      defer { table[value.index] = true }
      return !table[value.index]
    }(&visited[ObjectIdentifier(document), default: []])
  }
}
