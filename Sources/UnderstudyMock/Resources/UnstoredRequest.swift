/// A request of a stateful mock that acts on no collection. Its responses are fixtures, examples and samples, but a
/// deleted item is gone until it is made anew: by a `PUT` or `POST` at its path, or a `POST` beside it.
struct UnstoredRequest {
  let operation: CompiledOperation
  let request: RequestView

  private var method: String { operation.operation.method }

  /// The refusal of a request for what was deleted; `nil` for the default response.
  func outcome(in state: inout ResourceState) -> ResourceOutcome? {
    let segments = Self.segments(of: operation)
    let place = ResourceCollection.path(segments, of: request)
    if let deleted = state.deletedPlace(at: place), !(deleted.utf8Equals(place) && makes) {
      // Without a status for it, the default response is given.
      if let refusal = ResourceOutcome.refusal(of: operation, [404, 410], "\(deleted) was deleted") { return refusal }
    }
    guard operation.successCode / 100 == 2 else { return nil }
    switch method {
    case "DELETE": state.markDeleted(place)
    case "PUT": state.restore(place)
    case "POST":
      state.restore(place)
      state.restoreAll(in: place)
      if !segments.isEmpty { state.restoreAll(in: ResourceCollection.path(segments.dropLast(), of: request)) }
    default: break
    }
    return nil
  }

  /// Whether it makes what is not there: its contract says "created", or it is a `PUT` that sets something (204).
  private var makes: Bool {
    switch method {
    case "PUT": operation.documents(201) || operation.successCode == 204
    case "POST": operation.documents(201)
    default: false
    }
  }

  /// The operations that a deletion concerns: those at or below the path of a `DELETE`, and each `POST` beside it.
  static func concerned(_ operations: [CompiledOperation]) -> [ObjectIdentifier] {
    let deletions = operations.filter { $0.operation.method == "DELETE" }.map { normal(segments(of: $0)) }
    if deletions.isEmpty { return [] }
    let (places, parents) = (Set(deletions), Set(deletions.map { $0.dropLast() }))
    return operations.filter { operation in
      let path = normal(segments(of: operation))
      if (0...path.count).contains(where: { places.contains(Array(path.prefix($0))) }) { return true }
      return operation.operation.method == "POST" && (parents.contains(path[...]) || parents.contains(path.dropLast()))
    }.map { ObjectIdentifier($0) }
  }

  private static func segments(of operation: CompiledOperation) -> [String] {
    operation.operation.path.split(separator: "/").map(String.init)
  }

  /// Paths differ in the names of their parameters.
  private static func normal(_ segments: [String]) -> [String] {
    segments.map { ResourceCollection.parameter($0) == nil ? $0 : "{}" }
  }
}
