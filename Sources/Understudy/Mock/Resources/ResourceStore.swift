import Synchronization

/// The state of the collections of a mock.
final class ResourceStore: Sendable {
  let model: ResourceModel
  private let state = Mutex(ResourceState())

  init(_ model: ResourceModel) { self.model = model }

  /// Forgets all changes.
  func restart() { state.withLock { $0 = ResourceState() } }

  func outcome(
    of operation: CompiledOperation, _ request: RequestView, seed: String, at now: () -> Int
  ) -> ResourceOutcome? {
    guard model.hasAction(operation) else { return nil }
    return state.withLock { model.outcome(of: operation, request, seed: seed, at: now(), in: &$0) }
  }
}
