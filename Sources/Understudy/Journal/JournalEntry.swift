/// An exchange of the journal.
package struct JournalEntry: Sendable {
  /// From 1, in the order in which the exchanges ended.
  package let number: Int
  package let exchange: ServedExchange
  /// In bytes, about.
  let size: Int

  package init(number: Int, exchange: ServedExchange) {
    self.number = number
    self.exchange = exchange
    size = Self.size(of: exchange)
  }

  /// What an entry needs beside its texts, in bytes.
  private static let overhead = 1_024

  private static func size(of exchange: ServedExchange) -> Int {
    overhead + (exchange.body?.count ?? 0) + exchange.reply.body.count + (exchange.messages?.totals.held ?? 0)
      + exchange.target.utf8.count + exchange.fieldBytes
  }

  package var operation: String? { exchange.reply.operation?.id }

  /// Whether no operation of the contract was meant.
  package var isUnmatched: Bool { exchange.reply.operation == nil }

  package func findings(_ severity: Severity) -> Int { exchange.reply.diagnostics.count(severity) }
}
