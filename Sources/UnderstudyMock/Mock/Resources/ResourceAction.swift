/// An operation as an action on a collection.
package struct ResourceAction: Sendable {
  let verb: ResourceVerb
  let collection: ResourceCollection
  /// The name of the path parameter that has the id; `nil` where the body or nothing has it.
  var idParameter: String?
  /// The members that the request gives besides its body.
  var sets: [(member: String, source: ResourceSource)] = []
  /// The alternatives that a listed item may meet; all conditions of one must hold.
  var alternatives: [[(member: String, source: ResourceSource)]] = []
  /// Members that must be greater than a value of the request, where it has one.
  var cursors: [(member: String, source: ResourceSource)] = []
}
