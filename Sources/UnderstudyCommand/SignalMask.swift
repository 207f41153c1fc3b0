#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which signals the current thread receives.
enum SignalMask {
  /// Receives signals even where the parent process had blocked them: masks are inherited.
  static func unblock(_ signals: [CInt]) {
    change(SIG_UNBLOCK) { set in
      sigemptyset(set)
      for signal in signals { sigaddset(set, signal) }
    }
  }

  /// Leaves all signals to other threads.
  static func blockAll() { change(SIG_BLOCK) { sigfillset($0) } }

  /// Every call fills the set first. Its initializer is not used: several C modules define the type, and which of them owns it
  /// depends on the order in which the compiler meets them.
  private static func change(_ how: CInt, _ fill: (UnsafeMutablePointer<sigset_t>) -> Void) {
    let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { set.deallocate() }
    fill(set)
    pthread_sigmask(how, set, nil)
  }
}
