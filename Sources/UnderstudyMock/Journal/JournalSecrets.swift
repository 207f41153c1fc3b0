import UnderstudySystem

/// What the exchanges of a mock have shown to be secret, for all that shows exchanges and findings later.
///
/// It learns when something is shown, not while requests are served: it then reads what the journal has got since. Reading
/// is slow, so event loops do not call it.
package final class JournalSecrets: Sendable {
  private struct State {
    var redactor: Redactor
    var last = 0
    var lastMessage = 0
  }

  /// The bytes of exchanges that are read before others can ask.
  private static let readLimit = 64 * 1024
  /// Longer bodies are not read, as in `SecretValues`.
  private static let bodyLimit = 16 * 1024

  private let state: Lock<State>
  private let journal: Journal
  /// The numbers of the secrets of this run, which the log and the files of a session share.
  package let numbers: SecretNumbers

  package init(
    of journal: Journal, _ settings: RedactionSettings, _ numbers: SecretNumbers = SecretNumbers()
  ) {
    self.journal = journal
    self.numbers = numbers
    state = Lock(State(redactor: Redactor(settings: settings, style: .numbered(numbers))))
  }

  /// Reads secrets by the contracts of a mock from now on.
  package func use(_ mock: Mock) {
    let contracts = mock.contracts.map(\.compiled.secrets)
    state.withLock { $0.redactor = $0.redactor.using(contracts) }
  }

  /// Knows the secrets of all exchanges, and of all messages of sockets, that the journal holds and held when this was called
  /// before.
  package func redactor() -> Redactor {
    let (last, lastMessage) = state.withLock { ($0.last, $0.lastMessage) }
    let (entries, messages) = (journal.entries(after: last), journal.traffic.entries(after: lastMessage))
    while true {
      if let redactor = read(entries, messages) { return redactor }
    }
  }

  /// Reads a part of some entries and messages; `nil` if more is left.
  private func read(_ entries: [JournalEntry], _ messages: [SocketTraffic.Entry]) -> Redactor? {
    state.withLock { state in
      var left = Self.readLimit
      for entry in messages where entry.number > state.lastMessage {
        guard left > 0 else { return nil }
        state.lastMessage = entry.number
        left -= 256 + entry.message.held
        _ = SocketMessageText(entry.message, of: entry.socket, &state.redactor)
      }
      for entry in entries where entry.number > state.last {
        guard left > 0 else { return nil }
        state.last = entry.number
        guard var content = entry.served.exchange else { continue }
        content.keepBodies(upTo: Self.bodyLimit)
        left -= 256 + content.requestBody.bytes.count + (content.response?.body.bytes.count ?? 0)
        state.redactor.learn(content, of: entry.served.operation)
        guard let log = entry.served.messages else { continue }
        left -= log.totals.held
        state.redactor.learnMessages(of: entry.served)
      }
      return state.redactor
    }
  }
}
