/// A schema with a base URI of its own and everything below it, up to the next one (Core 2020-12, 4.3.5).
struct SchemaResource: Sendable {
  /// Without a fragment; empty for a document that has neither a path nor an identifier.
  let base: URIReference
  /// Index into the documents of the registry.
  let document: Int
  /// The node that JSON pointers start from.
  let root: Int
  /// The nodes of the resource, those of embedded resources included.
  let extent: Range<Int>
  /// The resource it stands in.
  let parent: Int?
  /// `nil` where `$schema` names a dialect that is not known.
  let dialect: Dialect?
  /// The node of `$schema`, where there is one.
  let dialectNode: JSON?
  /// Nodes by plain-name fragment: `$anchor`, `$dynamicAnchor`, and `$id: "#name"` of older drafts.
  var anchors: [String: Int] = [:]
  /// Nodes by `$dynamicAnchor`; `$recursiveAnchor: true` stands here under the empty name.
  var dynamicAnchors: [String: Int] = [:]
}
