/// The collections of contracts, and the operations on them; others remember deletions: see `UnstoredRequest`.
package struct ResourceModel: Sendable {
  private let actions: [ObjectIdentifier: ResourceAction]
  /// The operations without an action that a deletion concerns.
  private let unstored: Set<ObjectIdentifier>
  private let collections: [ResourceCollection]
  let diagnostics: [Diagnostic]

  /// - Parameter infers: Whether collections are found in the paths as well, not only in descriptions.
  init?(_ contracts: [Contract], infers: Bool) {
    let found = contracts.map { ResourceContract($0).actions(infers: infers) }
    let actions = found.reduce(into: [:]) { all, one in all.merge(one.actions) { first, _ in first } }
    let diagnostics = found.flatMap(\.diagnostics)
    let unstored = infers ? contracts.flatMap { UnstoredRequest.concerned($0.compiled.operations) } : []
    if actions.isEmpty, diagnostics.isEmpty, unstored.isEmpty { return nil }
    self.init(actions, unstored: Set(unstored), diagnostics: diagnostics)
  }

  init(
    _ actions: [ObjectIdentifier: ResourceAction], unstored: Set<ObjectIdentifier> = [], diagnostics: [Diagnostic] = []
  ) {
    self.actions = actions
    self.unstored = unstored
    self.diagnostics = diagnostics
    var seen: Set<ObjectIdentifier> = []
    collections = actions.values.map(\.collection).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The same with further actions, which take precedence.
  func adding(_ others: [ObjectIdentifier: ResourceAction]) -> ResourceModel {
    ResourceModel(actions.merging(others) { _, other in other }, unstored: unstored, diagnostics: diagnostics)
  }

  func hasAction(_ operation: CompiledOperation) -> Bool { actions[ObjectIdentifier(operation)] != nil }

  /// Whether what an operation answers depends on what was created and deleted.
  func concerns(_ operation: CompiledOperation) -> Bool {
    hasAction(operation) || unstored.contains(ObjectIdentifier(operation))
  }

  /// The outcome of a valid request; `nil` for the default response: no collection, or no documented status for it.
  func outcome(
    of operation: CompiledOperation, _ request: RequestView, seed: String, at now: Int, in state: inout ResourceState
  ) -> ResourceOutcome? {
    guard let action = actions[ObjectIdentifier(operation)] else {
      return unstored.contains(ObjectIdentifier(operation))
        ? UnstoredRequest(operation: operation, request: request).outcome(in: &state) : nil
    }
    let call = ResourceCall(action: action, operation: operation, request: request, seed: seed, now: now)
    return ResourceHandler(call: call, model: self).outcome(in: &state)
  }

  /// The collection of a path with the ids of parents: `/users/3/posts`.
  func collection(at path: String) -> ResourceCollection? {
    let segments = path.split(separator: "/").map(String.init)
    return collections.first { collection in
      collection.segments.count == segments.count
        && zip(collection.segments, segments).allSatisfy {
          ResourceCollection.parameter($0) != nil || $0.utf8Equals($1)
        }
    }
  }

  /// The hashes of the seeds and schemas of all collections, in no order.
  var fingerprints: [UInt64] { collections.map(\.fingerprint) }

  /// The collection of a name, for relations: one whose path has no ids of others.
  func collection(named name: String) -> ResourceCollection? {
    collections.first { $0.name.utf8Equals(name) && $0.parents.isEmpty }
  }

  /// The actions for people, in the order of the contracts: `addPet: create pets`.
  package func summary(of contracts: [Contract]) -> [(name: String, verbs: [ResourceVerb])] {
    var found: [(name: String, verbs: [ResourceVerb])] = []
    for operation in contracts.flatMap(\.compiled.operations) {
      guard let action = actions[ObjectIdentifier(operation)] else { continue }
      let index = found.firstIndex { $0.name == action.collection.name }
      if let index {
        if !found[index].verbs.contains(action.verb) { found[index].verbs.append(action.verb) }
      } else {
        found.append((action.collection.name, [action.verb]))
      }
    }
    return found
  }
}
