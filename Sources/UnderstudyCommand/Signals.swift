import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Waits for the signals that end a server: SIGINT and SIGTERM. A second one ends the process at once.
///
/// A handler that writes to a pipe, not a signal source of Dispatch: that one is registered some time after it was asked
/// for, on Linux relies on a signal that is raised anew on whatever thread took it, and either way may lose it.
struct Signals {
  private let stream: AsyncStream<Void>
  /// Kept alive for as long as somebody may wait.
  private let source: (any DispatchSourceRead)?

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    self.stream = stream
    var ends: [CInt] = [-1, -1]
    // Without a pipe (no descriptors are left) the default actions stay, and end the process less gracefully.
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
    // Also makes both globals, before a handler may ask for them.
    received.store(0, ordering: .relaxed)
    wakingEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM] { signal(number, take) }
    SignalMask.unblock([SIGINT, SIGTERM])
  }

  func wait() async {
    for await _ in stream { return }
  }
}

/// The end of the pipe that the handler writes to.
private let wakingEnd = Atomic<CInt>(-1)
/// How many signals came.
private let received = Atomic<Int>(0)

/// Does nothing but what a signal handler may.
private func take(_ number: CInt) {
  let code = errno
  if received.add(1, ordering: .relaxed).oldValue > 0 { _exit(130) }
  var byte: UInt8 = 0
  _ = write(wakingEnd.load(ordering: .relaxed), &byte, 1)
  errno = code
}
