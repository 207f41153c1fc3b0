/// The dynamic scopes of schemas, each as its visible anchors.
///
/// The compiler knows the path into a schema, so that a `$dynamicRef` costs nothing at evaluation: a schema in two
/// scopes is compiled twice.
struct DynamicScopes {
  private struct Entry: Hashable {
    let resource: Int
    let outer: Int
  }

  private var scopes: [[String: Origin]] = [[:]]
  private var ids: [[String: Origin]: Int] = [[:]: 0]
  /// The known results of `entering`, as comparing large scopes takes time.
  private var entered: [Entry: Int] = [:]

  /// The scope in a resource that is entered from `scope`; outer anchors take precedence (Core 2020-12, 8.2.3.2).
  mutating func entering(_ resource: Int, _ scope: Int, _ registry: borrowing ResourceRegistry) -> Int {
    guard !registry.resources[resource].dynamicAnchors.isEmpty else { return scope }
    let entry = Entry(resource: resource, outer: scope)
    if let known = entered[entry] { return known }
    let inner = scopeInside(registry.resources[resource], scope)
    entered[entry] = inner
    return inner
  }

  private mutating func scopeInside(_ resource: SchemaResource, _ scope: Int) -> Int {
    let inner = scopes[scope].merging(
      resource.dynamicAnchors.mapValues { Origin(document: resource.document, node: $0) }
    ) { outer, _ in outer }
    if let known = ids[inner] { return known }
    scopes.append(inner)
    ids[inner] = scopes.count - 1
    return scopes.count - 1
  }

  var count: Int { scopes.count }

  func target(of name: String, in scope: Int) -> Origin? { scopes[scope][name] }
}
