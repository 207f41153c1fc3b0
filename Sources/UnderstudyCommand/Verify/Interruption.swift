import Synchronization

/// Tells a long run that the user wants it to end, so that what was found is still reported. A second signal ends the process
/// at once.
final class Interruption: Sendable {
  private let isWanted = Atomic(false)

  init() {
    let signals = Signals()
    Task { [weak self] in
      await signals.wait()
      self?.isWanted.store(true, ordering: .relaxed)
    }
  }

  /// Why the run must end, once it must.
  var reason: String? { isWanted.load(ordering: .relaxed) ? "it was interrupted" : nil }
}
