/// A schema with a base URI of its own and everything below it, up to the next one (Core 2020-12, 4.3.5).
struct SchemaResource: Sendable {
  /// The base URI without a fragment; empty for a document without a path and an identifier.
  let base: URIReference
  /// The number of the document in the registry.
  let document: Int
  /// The node that JSON pointers start from.
  let root: Int
  /// The nodes of the resource, those of embedded resources included.
  let extent: Range<Int>
  /// The enclosing resource.
  let parent: Int?
  /// `nil` for an unknown dialect.
  let dialect: Dialect?
  /// The node of `$schema`, if any.
  let dialectNode: JSON?
  /// Nodes by plain-name fragment: `$anchor`, `$dynamicAnchor`, and `$id: "#name"` of older drafts.
  var anchors: [String: Int] = [:]
  /// Nodes by `$dynamicAnchor`; `$recursiveAnchor: true` has the empty name.
  var dynamicAnchors: [String: Int] = [:]
}
