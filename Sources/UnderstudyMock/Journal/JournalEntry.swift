/// An exchange of the journal.
package struct JournalEntry: Sendable {
  /// From 1, in the order in which the exchanges ended; 0 before a reader of the journal has come.
  package internal(set) var number: Int
  package let exchange: ServedExchange
  /// In bytes, about.
  let size: Int

  package init(number: Int, exchange: ServedExchange) {
    self.number = number
    self.exchange = exchange
    size = exchange.size
  }

  package var operation: String? { exchange.reply.operation?.id }

  /// Whether no operation of the contract was meant.
  package var isUnmatched: Bool { exchange.reply.operation == nil && exchange.transcript == nil }

  package func findings(_ severity: Severity) -> Int { exchange.reply.diagnostics.count(severity) }
}
