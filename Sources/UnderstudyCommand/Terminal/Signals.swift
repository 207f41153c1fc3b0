import Dispatch
import Synchronization
import UnderstudySystem

/// Waits for SIGINT, SIGTERM and SIGHUP. The signal after those that are expected, mostly the second one, ends the process
/// at once, except SIGHUP: a terminal that closes and its shell both send one.
///
/// The handler writes to a pipe. A signal source of Dispatch would lose signals: it is registered later, and on Linux
/// raises the signal again on the thread that received it.
struct Signals {
  private let stream: AsyncStream<Void>
  /// Kept alive for `wait`.
  private let source: (any DispatchSourceRead)?

  /// - Parameters:
  ///   - expected: The number of signals that something waits for.
  ///   - isWaiting: Whether it waits already; until `beginWaiting` each signal ends the process at once.
  init(expecting expected: Int = 1, isWaiting: Bool = true) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    self.stream = stream
    var ends: [CInt] = [-1, -1]
    // Without a pipe (no descriptors are left) the default actions end the process.
    guard pipe(&ends) == 0 else {
      source = nil
      return
    }
    let queue = DispatchQueue(label: "signals")
    let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: queue)
    source.setEventHandler { [end = ends[0]] in
      var byte: UInt8 = 0
      _ = read(end, &byte, 1)
      continuation.yield()
    }
    source.resume()
    self.source = source
    // Also initializes the globals before the handler uses them.
    unawaited.store(!isWaiting, ordering: .relaxed)
    received.store(1 - expected, ordering: .relaxed)
    wakingEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM] { signal(number, take) }
    // `nohup` starts programs that ignore it.
    if unsafeBitCast(signal(SIGHUP, take), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGHUP, SIG_IGN)
    }
    SignalMask.unblock([SIGINT, SIGTERM, SIGHUP])
    // A limit for the size of files is an error of the write, as a full disk is.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the process on a signal, until a command waits for signals itself: also as the first process of a container, which
  /// the default actions do not end.
  static func endProcess() {
    unawaited.store(true, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let old = signal(number, take)
      // `nohup` starts programs that ignore a signal.
      if unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
    SignalMask.unblock([SIGINT, SIGTERM, SIGHUP])
  }

  /// Notes that the command waits for its expected signals, if it has any.
  static func beginWaiting() {
    if wakingEnd.load(ordering: .relaxed) >= 0 { unawaited.store(false, ordering: .relaxed) }
  }

  func wait() async { await next() }

  /// Waits for the next signal, in a task of its own.
  var next: @Sendable () async -> Void {
    { [stream] in for await _ in stream { return } }
  }
}

/// The end of the pipe that the handler writes to.
private let wakingEnd = Atomic<CInt>(-1)
/// The number of received signals that may end the process.
private let received = Atomic<Int>(0)
/// Whether nothing waits for signals yet, so that each ends the process.
private let unawaited = Atomic(false)

/// Only calls functions that are safe in a signal handler.
private func take(_ number: CInt) {
  let code = errno
  if unawaited.load(ordering: .relaxed) {
    TerminalMode.restore()
    // The shell learns of the signal, once this handler returns.
    signal(number, SIG_DFL)
    if getpid() == 1 { _exit(128 + number) }
    raise(number)
    return
  }
  if number != SIGHUP, received.add(1, ordering: .relaxed).oldValue > 0 {
    TerminalMode.restore()
    _exit(130)
  }
  var byte: UInt8 = 0
  _ = write(wakingEnd.load(ordering: .relaxed), &byte, 1)
  errno = code
}

/// The signals that the current thread receives.
enum SignalMask {
  /// Receives signals even if the parent process blocked them, since masks are inherited.
  static func unblock(_ signals: [CInt]) {
    change(SIG_UNBLOCK) { set in
      sigemptyset(set)
      for signal in signals { sigaddset(set, signal) }
    }
  }

  /// Leaves all signals to other threads.
  static func blockAll() { change(SIG_BLOCK) { sigfillset($0) } }

  /// Allocates the set without its initializer: several C modules define the type, and the compiler may find any of
  /// them first.
  private static func change(_ how: CInt, _ fill: (UnsafeMutablePointer<sigset_t>) -> Void) {
    let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { set.deallocate() }
    fill(set)
    pthread_sigmask(how, set, nil)
  }
}
