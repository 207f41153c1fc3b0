package struct ResourceAction: Sendable {
  package let verb: ResourceVerb
  package let collection: ResourceCollection
  /// The name of the path parameter that has the id; `nil` where the body or nothing has it.
  package var idParameter: String?
  /// The members that the request gives besides its body.
  package var sets: [(member: String, source: ResourceSource)] = []
  /// The alternatives that a listed item may meet; all conditions of one must hold.
  package var alternatives: [[(member: String, source: ResourceSource)]] = []
  /// Members that must be greater than a value of the request, where it has one.
  package var cursors: [(member: String, source: ResourceSource)] = []
  /// The size of a page whose request names a page and no size; `nil` for all items.
  package var pageSize: Int?
}
