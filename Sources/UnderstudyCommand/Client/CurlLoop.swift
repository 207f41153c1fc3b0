import CUnderstudyCurl
import Dispatch
import UnderstudySystem
import UnderstudyVerification

/// The thread that runs libcurl. Its methods may be called from any thread.
final class CurlLoop: Sendable {
  enum Command: Sendable {
    case start(OutboundRequest)
    /// The answer's reader has room, or the request's writer has bytes.
    case resume(OutboundRequest)
    case cancel(OutboundRequest)
    /// The program is about to stop.
    case quiesce
  }

  private struct Inbox {
    var commands: [Command] = []
    var isOpen = true
    var stopped: [CheckedContinuation<Void, Never>] = []
  }

  private let inbox = Lock(Inbox())
  /// Used only by the thread, except to wake it, which libcurl allows from any thread. Valid while the inbox is open.
  nonisolated(unsafe) private let multi: UnsafeMutableRawPointer
  private let thread = DispatchQueue(label: "http")
  /// Reads the bodies of requests.
  let bodies = QueueExecutor("http.bodies")

  init(_ settings: TransferSettings) {
    guard let multi = curl_multi_init() else { preconditionFailure("no memory for an HTTP client") }
    self.multi = multi
    thread.async { [self] in run(settings) }
  }

  /// Sends a command to the thread. After a stop, a start fails and other commands have no effect.
  func send(_ command: Command) {
    let isTaken = inbox.withLock { inbox in
      guard inbox.isOpen else { return false }
      inbox.commands.append(command)
      curl_multi_wakeup(multi)
      return true
    }
    if !isTaken, case .start(let exchange) = command { exchange.finish(.failure(Self.stopped)) }
  }

  /// Cancels all exchanges, and waits for the end of the thread.
  func stop() async {
    await withCheckedContinuation { continuation in
      let isOver = inbox.withLock { inbox in
        guard inbox.isOpen else { return true }
        inbox.stopped.append(continuation)
        curl_multi_wakeup(multi)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  private static let stopped = UpstreamFailure(.unsendable, "the client stopped")

  // MARK: - The thread

  private func run(_ settings: TransferSettings) {
    // Leaves signals to other threads, and makes a write to a closed connection an error instead of a signal.
    SignalMask.blockAll()
    var transfers = TransferTable(multi, settings)
    while true {
      let (commands, isStopping) = inbox.withLock { inbox in
        defer { inbox.commands = [] }
        return (inbox.commands, !inbox.stopped.isEmpty)
      }
      for command in commands { transfers.perform(command) }
      if isStopping { break }
      transfers.perform()
      curl_multi_poll(multi, nil, 0, transfers.timeout(), nil)
    }
    transfers.removeAll(Self.stopped)
    // Commands may have arrived since the last turn of the loop.
    let (commands, waiting) = inbox.withLock { inbox in
      defer { inbox = Inbox(isOpen: false) }
      return (inbox.commands, inbox.stopped)
    }
    // Closes the idle connections, for which libcurl calls back.
    withExtendedLifetime(transfers) { _ = curl_multi_cleanup(multi) }
    for case .start(let exchange) in commands { exchange.finish(.failure(Self.stopped)) }
    for continuation in waiting { continuation.resume() }
  }
}
