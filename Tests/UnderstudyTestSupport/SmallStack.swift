import Foundation
import Synchronization

/// A thread with a small stack.
package enum SmallStack {
  /// Runs `body` on a new thread with a stack of this many bytes, and waits for it.
  package static func run<R: Sendable>(bytes: Int, _ body: @escaping @Sendable () -> R) -> R? {
    let result = Box<R>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let value = body()
      result.value.withLock { $0 = value }
      done.signal()
    }
    thread.stackSize = bytes
    thread.start()
    done.wait()
    return result.value.withLock { $0 }
  }

  /// Runs `body` with the stack of a main thread; other threads of macOS have a sixteenth of it.
  package static func runLarge<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    guard let result = run(bytes: 8 << 20, { Result { try body() } }) else { throw CancellationError() }
    return try result.get()
  }

  private final class Box<R: Sendable>: Sendable {
    let value = Mutex<R?>(nil)
  }
}
