import UnderstudySystem

#if !canImport(Darwin)
import CUnderstudyThreads
#endif

/// The stack of the current thread.
///
/// Its size depends on the platform: 8 MiB for a process by default, 512 KiB for a thread on macOS, 128 KiB with musl.
enum ThreadStack {
  /// The approximate current end of the stack.
  @inline(never)
  static var position: UInt {
    var here: UInt8 = 0
    return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
  }

  /// The lowest address of the stack; 0 if it is unknown. Slow, as it may read a file of the system.
  @inline(never)
  static var end: UInt {
    #if canImport(Darwin)
    let thread = pthread_self()
    return UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
    #else
    var attributes = pthread_attr_t()
    guard pthread_getattr_np(pthread_self(), &attributes) == 0 else { return 0 }
    defer { pthread_attr_destroy(&attributes) }
    var lowest: UnsafeMutableRawPointer?
    var size = 0
    guard pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return 0 }
    return UInt(bitPattern: lowest)
    #endif
  }
}
