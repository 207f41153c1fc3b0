package import Understudy

/// Gets finished exchanges, each once, on an event loop or a worker: it must not block.
package struct ExchangeObserver: Sendable {
  /// Whether the exchange of a reply is reported.
  let isObserved: @Sendable (Reply) -> Bool
  let report: @Sendable (ServedExchange) -> Void

  /// - Parameters:
  ///   - isObserved: Selects exchanges before they cost anything.
  ///   - report: Gets the selected exchanges.
  package init(
    of isObserved: @escaping @Sendable (Reply) -> Bool = { _ in true },
    report: @escaping @Sendable (ServedExchange) -> Void
  ) {
    self.isObserved = isObserved
    self.report = report
  }
}
