/// A valid request to an operation that acts on a collection.
struct ResourceCall {
  let action: ResourceAction
  let operation: CompiledOperation
  let request: RequestView
  let seed: String
  /// Microseconds since 1970.
  var now: Int

  var collection: ResourceCollection { action.collection }
}
