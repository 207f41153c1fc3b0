import UnderstudySystem

#if !canImport(Darwin)
import CUnderstudyThreads
#endif

/// A thread whose stack suffices for the deepest schemas that are compared.
enum DeepRecursion {
  /// The size of the stack, of which only the used part takes memory.
  private static let stackBytes = 256 << 20
  /// The maximum number of schemas inside each other, references followed.
  static let limit = 2_000

  private final class Job {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs a function on the thread, and waits for its end.
  static func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      var attributes = pthread_attr_t()
      guard pthread_attr_init(&attributes) == 0 else { return body() }
      defer { pthread_attr_destroy(&attributes) }
      guard pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return body() }
      let job = Unmanaged.passRetained(Job(body))
      #if canImport(Glibc)
      var thread = pthread_t()
      let code = pthread_create(&thread, &attributes, { DeepRecursion.start($0) }, job.toOpaque())
      #else
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, { DeepRecursion.start($0) }, job.toOpaque())
      #endif
      guard code == 0 else {
        job.release()
        return body()
      }
      #if canImport(Glibc)
      pthread_join(thread, nil)
      #else
      if let thread { pthread_join(thread, nil) }
      #endif
    }
  }

  private static func start(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
    return nil
  }
}
