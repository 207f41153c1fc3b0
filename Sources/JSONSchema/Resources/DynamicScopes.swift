/// The dynamic scopes that a schema can be met in, each as the anchors that are visible from it.
///
/// The path into a schema is known while compiling, so a `$dynamicRef` costs nothing at evaluation: a schema
/// that is met in two scopes is compiled twice.
struct DynamicScopes {
  struct Target: Hashable {
    let document: Int
    let node: Int
  }

  private struct Entry: Hashable {
    let resource: Int
    let outer: Int
  }

  private var scopes: [[String: Target]] = [[:]]
  private var ids: [[String: Target]: Int] = [[:]: 0]
  /// The results of entering: every schema of a resource needs them again, and the comparison of large scopes takes long.
  private var entered: [Entry: Int] = [:]

  /// The scope inside a resource that is entered from `scope`: anchors further out win (Core 2020-12, 8.2.3.2).
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
      resource.dynamicAnchors.mapValues { Target(document: resource.document, node: $0) }
    ) { outer, _ in outer }
    if let known = ids[inner] { return known }
    scopes.append(inner)
    ids[inner] = scopes.count - 1
    return scopes.count - 1
  }

  var count: Int { scopes.count }

  func target(of name: String, in scope: Int) -> Target? { scopes[scope][name] }
}
