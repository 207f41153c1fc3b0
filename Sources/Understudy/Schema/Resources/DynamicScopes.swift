/// The dynamic scopes that a schema can be met in, each as the anchors that are visible from it.
///
/// The way into a schema is known while compiling, so a `$dynamicRef` costs nothing when a value is judged: a schema
/// that is met in two scopes is compiled twice.
struct DynamicScopes {
  struct Target: Hashable {
    let document: Int
    let node: Int
  }

  private var scopes: [[String: Target]] = [[:]]
  private var ids: [[String: Target]: Int] = [[:]: 0]

  /// The scope inside a resource that is entered from `scope`: anchors further out win (Core 2020-12, 8.2.3.2).
  mutating func entering(_ resource: Int, _ scope: Int, _ registry: borrowing ResourceRegistry) -> Int {
    guard !registry.resources[resource].dynamicAnchors.isEmpty else { return scope }
    let resource = registry.resources[resource]
    let inner = scopes[scope].merging(
      resource.dynamicAnchors.mapValues { Target(document: resource.document, node: $0) }
    ) { outer, _ in outer }
    if let known = ids[inner] { return known }
    scopes.append(inner)
    ids[inner] = scopes.count - 1
    return scopes.count - 1
  }

  func target(of name: String, in scope: Int) -> Target? { scopes[scope][name] }
}
