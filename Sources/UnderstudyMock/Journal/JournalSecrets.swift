import UnderstudySystem

/// What the exchanges of a mock have shown to be secret, for all that shows exchanges and findings later.
///
/// It learns when something is shown, not while requests are served: it then reads what the journal has got since.
package final class JournalSecrets: Sendable {
  private struct State {
    var redactor: Redactor
    /// The number of the last exchange that was read.
    var last = 0
  }

  private let state: Lock<State>
  private let journal: Journal

  package init(of journal: Journal, _ settings: RedactionSettings) {
    self.journal = journal
    state = Lock(State(redactor: Redactor(settings: settings, style: .marker)))
  }

  /// Knows the secrets of all exchanges that the journal holds, or has held at an earlier call.
  package func redactor(of mock: Mock) -> Redactor {
    let contracts = mock.contracts.map(\.compiled.secrets)
    return state.withLock { state in
      state.redactor = state.redactor.using(contracts)
      for entry in journal.entries(after: state.last) {
        state.redactor.learn(entry.exchange)
        state.last = entry.number
      }
      return state.redactor
    }
  }
}
