extension ResourceState {
  /// Forgets collections, and the deleted places in them.
  mutating func removeAll(where isRemoved: (_ path: String) -> Bool) {
    for path in collections.keys.sorted() where isRemoved(path) {
      collections[path] = nil
      restore(path)
    }
    // They belong to the operations of another mock.
    answers = ItemResponses()
  }
}

extension Mock {
  /// The items that a lane keeps over a reload, unless seeds or schema have changed, and the new collections.
  package func reloadedItems(
    of state: LaneState, from old: Mock, playing scenario: String?
  ) -> (items: ResourceState, reset: Set<String>) {
    let (before, after) = (old.resources(in: state.scenario), resources(in: scenario))
    var items = state.resources
    var reset: Set<String> = []
    // A collection within each item of another one has many paths.
    var fingerprints: [ObjectIdentifier: UInt64] = [:]
    func fingerprint(of collection: ResourceCollection) -> UInt64 {
      let id = ObjectIdentifier(collection)
      if let known = fingerprints[id] { return known }
      let new = collection.fingerprint
      fingerprints[id] = new
      return new
    }
    items.removeAll { path in
      let (one, other) = (before?.collection(at: path), after?.collection(at: path))
      if let one, let other, fingerprint(of: one) == fingerprint(of: other) { return false }
      reset.insert((other ?? one)?.name ?? path)
      return true
    }
    return (items, reset)
  }
}
