import Synchronization

/// Ends a long run on a signal, so that its findings are still reported. A second signal ends the process at once.
final class Interruption: Sendable {
  private let isRequested = Atomic(false)

  init() {
    let signals = Signals()
    Task { [weak self] in
      await signals.wait()
      self?.isRequested.store(true, ordering: .relaxed)
    }
  }

  /// Why the run must end; `nil` without a signal.
  var reason: String? { isRequested.load(ordering: .relaxed) ? "it was interrupted" : nil }
}
