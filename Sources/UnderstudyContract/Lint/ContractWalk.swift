/// Visits every object of a contract once, in all its files, and sorts them by kind.
///
/// Open objects are kept on a list, not on the call stack, which a deep document would exhaust.
struct ContractWalk {
  private let resolver: ReferenceResolver
  private let specification: Specification
  private let fields: [ObjectKind: [ObjectKind.Field]]
  private var open: [(value: JSON, kind: ObjectKind)]
  private var visited: [ObjectIdentifier: [Bool]] = [:]

  private(set) var objects: [ObjectKind: [JSON]] = [:]
  private(set) var references: [Reference] = []

  /// A `$ref` with its target.
  struct Reference {
    /// The string.
    var text: JSON
    /// The object that holds it.
    var holder: JSON
    /// The expected kind of the target.
    var kind: ObjectKind
    var target: Result<JSON, ReferenceFailure>
  }

  /// Visits `value` and every object that it holds or refers to.
  static func visit(_ value: JSON, as kind: ObjectKind, _ api: API) -> ContractWalk {
    let fields = ObjectKind.allCases.map { ($0, $0.fields(in: api.specification)) }
    var walk = ContractWalk(
      resolver: api.resolver, specification: api.specification, fields: Dictionary(uniqueKeysWithValues: fields),
      open: [(value, kind)])
    while let (value, kind) = walk.open.popLast() { walk.visit(value, kind) }
    return walk
  }

  private mutating func visit(_ value: JSON, _ kind: ObjectKind) {
    guard value.isObject, isFirstVisit(value) else { return }
    if let text = value.reference {
      // A chain of references is followed link by link.
      let target = resolver.target(of: text)
      references.append(Reference(text: text, holder: value, kind: kind, target: target))
      if case .success(let target) = target { open.append((target, kind)) }
      // Keywords beside `$ref` count in path items, and from 3.1 on in schemas.
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
    // In place: copying the table for every visit would make the walk quadratic.
    return { (table: inout [Bool]) in
      if table.isEmpty { table = Array(repeating: false, count: document.nodes.count) }
      defer { table[value.index] = true }
      return !table[value.index]
    }(&visited[ObjectIdentifier(document), default: []])
  }
}
