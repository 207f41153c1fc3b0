package import UnderstudyMock

/// Gets finished exchanges, each once, on an event loop or a worker: it must not block.
package struct ExchangeObserver: Sendable {
  /// Whether the exchange of a reply is reported.
  let isObserved: @Sendable (Reply) -> Bool
  /// Notes an answer that is sent on while it arrives; it is open as long as the result is held.
  let open: @Sendable (ServedExchange) -> OpenStream?
  let report: @Sendable (ServedExchange) -> Void

  /// - Parameters:
  ///   - isObserved: Selects exchanges before they cost anything.
  ///   - open: Gets those whose answers are sent on while they arrive, when they begin.
  ///   - report: Gets the selected exchanges.
  package init(
    of isObserved: @escaping @Sendable (Reply) -> Bool = { _ in true },
    open: @escaping @Sendable (ServedExchange) -> OpenStream? = { _ in nil },
    report: @escaping @Sendable (ServedExchange) -> Void
  ) {
    self.isObserved = isObserved
    self.open = open
    self.report = report
  }
}
