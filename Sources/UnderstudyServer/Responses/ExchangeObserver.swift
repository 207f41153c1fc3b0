package import UnderstudyMock

/// Gets finished exchanges, each once, on an event loop or a worker: it must not block.
///
/// A class, since a request would copy its closures several times.
package final class ExchangeObserver: Sendable {
  /// Whether the exchange of a reply is reported.
  package let isObserved: @Sendable (Reply) -> Bool
  /// Notes an exchange that goes on: a response that is late or is sent on while it arrives, or a socket. It is open as
  /// long as the result is held.
  package let open: @Sendable (ServedRequest) -> OpenStream?
  /// Gets the messages of sockets, as they are sent and received.
  package let message: @Sendable (SocketMessage, SocketIdentity, _ loop: Int) -> Void
  /// Gets the number of the event loop as well, from 0.
  package let report: @Sendable (ServedRequest, _ loop: Int) -> Void

  /// - Parameters:
  ///   - isObserved: Selects exchanges before they cost anything.
  ///   - open: Gets those that go on, when they begin.
  ///   - message: Gets the messages of sockets.
  ///   - report: Gets the selected exchanges, each with the number of the event loop that answered.
  package init(
    of isObserved: @escaping @Sendable (Reply) -> Bool = { _ in true },
    open: @escaping @Sendable (ServedRequest) -> OpenStream? = { _ in nil },
    message: @escaping @Sendable (SocketMessage, SocketIdentity, _ loop: Int) -> Void = { _, _, _ in },
    report: @escaping @Sendable (ServedRequest, _ loop: Int) -> Void
  ) {
    self.isObserved = isObserved
    self.open = open
    self.message = message
    self.report = report
  }

  /// An observer for one event loop, so that loops do not count the references of one closure.
  func copy() -> ExchangeObserver {
    ExchangeObserver(
      of: { [isObserved] in isObserved($0) }, open: { [open] in open($0) },
      message: { [message] in message($0, $1, $2) }, report: { [report] in report($0, $1) })
  }
}
