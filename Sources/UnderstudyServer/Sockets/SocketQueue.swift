import NIOCore
import UnderstudySystem

/// The work of sockets on an event loop, in its order and in portions, between which the loop serves other connections.
///
/// Otherwise a thousand clients that connect again at once, or an event to all of them, would hold up a request for 200 ms.
final class SocketQueue: Sendable {
  let loop: any EventLoop
  private let state = Lock(State())

  private struct State {
    var tasks = CircularBuffer<@Sendable () -> Void>()
    /// Whether `run` has been called, or will be.
    var isScheduled = false
  }

  /// The time after which a portion ends.
  private static let portion = TimeAmount.microseconds(500)
  /// A portion has at least this part of the tasks, so that they do not grow without end.
  private static let leastPart = 8

  init(on loop: any EventLoop) { self.loop = loop }

  /// Runs a task after those before it. Call it on any loop.
  func execute(_ task: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.tasks.append(task)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { loop.execute { self.run() } }
  }

  private func run() {
    let start = NIODeadline.now()
    var least = state.withLock { $0.tasks.count / Self.leastPart }
    while let task = next() {
      task()
      least -= 1
      let time = NIODeadline.now() - start
      if least <= 0, time >= Self.portion {
        // The loop reads only when no task is due, so the pause begins after the tasks that these have left.
        loop.execute { self.loop.scheduleTask(in: time) { self.run() } }
        return
      }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let task = state.tasks.popFirst()
      state.isScheduled = task != nil
      return task
    }
  }
}
