package struct JournalEntry: Sendable {
  /// From 1, in the order in which the exchanges ended; 0 before a reader of the journal has come.
  package internal(set) var number: Int
  package let served: ServedRequest
  /// In bytes, about.
  let size: Int

  package init(number: Int, _ served: ServedRequest) {
    self.number = number
    self.served = served
    size = served.size
  }

  package var operation: String? { served.reply.operation?.id }

  /// Whether no operation of the contract was meant.
  package var isUnmatched: Bool { served.reply.operation == nil && served.transcript == nil }

  package func findings(_ severity: Severity) -> Int { served.reply.diagnostics.count(severity) }
}
