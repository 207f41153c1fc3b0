import UnderstudySystem

/// Appends exchanges to a ledger, as the workers of a run make them.
final class LedgerRecorder: Sendable {
  private let state: Lock<Ledger>

  init(_ ledger: Ledger) { state = Lock(ledger) }

  var ledger: Ledger { state.withLock { $0 } }

  func record(_ wire: WireRequest, _ purpose: LedgerPurpose, _ outcome: Exchange.Outcome, startedAt: Int) {
    state.withLock { $0.append(wire, purpose, outcome, startedAt: startedAt) }
  }
}
