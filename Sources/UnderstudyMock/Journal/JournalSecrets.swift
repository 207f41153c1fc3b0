import UnderstudySystem

/// What the exchanges of a mock have shown to be secret, for all that shows exchanges and findings later.
///
/// It learns when something is shown, not while requests are served: it then reads what the journal has got since, a part
/// at a time, since the event loop that shows it has other clients too.
package final class JournalSecrets: Sendable {
  private struct State {
    var redactor: Redactor
    /// The number of the last exchange that was read.
    var last = 0
  }

  /// The bytes of exchanges that are read for one answer.
  private static let readLimit = 64 * 1024
  /// Longer bodies are not read, as in `SecretValues`.
  private static let bodyLimit = 16 * 1024

  private let state: Lock<State>
  private let journal: Journal

  package init(of journal: Journal, _ settings: RedactionSettings) {
    self.journal = journal
    state = Lock(State(redactor: Redactor(settings: settings, style: .marker)))
  }

  /// Knows the secrets of the exchanges that were read, which are all unless many have come since the last call.
  package func redactor(of mock: Mock) -> Redactor {
    let contracts = mock.contracts.map(\.compiled.secrets)
    return state.withLock { state in
      state.redactor = state.redactor.using(contracts)
      var left = Self.readLimit
      for entry in journal.entries(after: state.last) {
        guard left > 0 else { break }
        state.last = entry.number
        guard var content = entry.exchange.content else { continue }
        if content.requestBody.count > Self.bodyLimit { content.requestBody = [] }
        if content.responseBody.count > Self.bodyLimit { content.responseBody = [] }
        left -= 256 + content.requestBody.count + content.responseBody.count
        _ = state.redactor.redact(content)
      }
      return state.redactor
    }
  }
}
