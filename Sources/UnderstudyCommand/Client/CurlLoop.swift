import CCurl
import Dispatch
import Synchronization
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The way to the one thread that runs libcurl. Its methods may be called from anywhere.
final class CurlLoop: Sendable {
  enum Command: Sendable {
    case start(OutboundExchange)
    /// There is room for more of the answer, or there is more of the request.
    case resume(OutboundExchange)
    case cancel(OutboundExchange)
  }

  private struct Inbox {
    var commands: [Command] = []
    var isOpen = true
    var stopped: [CheckedContinuation<Void, Never>] = []
  }

  private let inbox = Mutex(Inbox())
  /// Used by the thread alone, except to wake it, which libcurl allows from any thread. Lives as long as the inbox is open.
  nonisolated(unsafe) private let multi: UnsafeMutableRawPointer
  private let thread = DispatchQueue(label: "http")
  /// Where the bodies of requests are read.
  let bodies = QueueExecutor("http.bodies")

  /// Starts the thread.
  init(_ settings: TransferSettings) {
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    guard let multi = curl_multi_init() else { preconditionFailure("no memory for an HTTP client") }
    self.multi = multi
    thread.async { [self] in run(settings) }
  }

  /// Leaves a command for the thread; after a stop, a start fails and the rest is without effect.
  func send(_ command: Command) {
    let isTaken = inbox.withLock { inbox in
      guard inbox.isOpen else { return false }
      inbox.commands.append(command)
      curl_multi_wakeup(multi)
      return true
    }
    if !isTaken, case .start(let exchange) = command { exchange.finish(.failure(Self.stopped)) }
  }

  /// Breaks all exchanges off, and waits for the end of the thread.
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
    // Signals are for the threads that wait for them; a write to a closed connection is an error, not the end of the process.
    SignalMask.blockAll()
    var transfers = TransferTable(multi, settings)
    while true {
      let (commands, isStopping) = inbox.withLock { inbox in
        defer { inbox.commands = [] }
        return (inbox.commands, !inbox.stopped.isEmpty)
      }
      for command in commands { transfers.obey(command) }
      if isStopping { break }
      transfers.perform()
      curl_multi_poll(multi, nil, 0, transfers.patience(), nil)
    }
    transfers.removeAll(Self.stopped)
    // What is left in the inbox now came after the last look at it.
    let (commands, waiting) = inbox.withLock { inbox in
      defer { inbox = Inbox(isOpen: false) }
      return (inbox.commands, inbox.stopped)
    }
    curl_multi_cleanup(multi)
    for case .start(let exchange) in commands { exchange.finish(.failure(Self.stopped)) }
    for continuation in waiting { continuation.resume() }
  }
}
