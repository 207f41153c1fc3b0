package import NIOCore
import UnderstudySystem

/// The work of sockets on an event loop, in its order and in portions, between which the loop serves other connections.
///
/// Otherwise a thousand clients that connect again at once, or an event to all of them, would hold up a request for 200 ms.
package final class SocketQueue: Sendable {
  let loop: any EventLoop
  private let state = Lock(State())

  private struct State {
    var tasks = CircularBuffer<@Sendable () -> Void>()
    /// Whether `run` has been called, or will be.
    var isScheduled = false
  }

  /// The time of a portion. It grows with the tasks beyond a number: a flood is not to be slowed down by the pauses.
  private static let portion = TimeAmount.microseconds(100)
  private static let growth = (from: 4_000, perTask: TimeAmount.nanoseconds(250))
  /// How long the loop may wait for input before the next portion.
  private static let pause = TimeAmount.microseconds(200)

  package init(on loop: any EventLoop) { self.loop = loop }

  /// Whether tasks are waiting. Call it on any loop.
  package var isBusy: Bool { state.withLock { $0.isScheduled } }

  /// Runs a task after those before it. Call it on any loop.
  package func execute(_ task: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.tasks.append(task)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { loop.execute { self.run() } }
  }

  private func run() {
    let excess = max(0, state.withLock { $0.tasks.count } - Self.growth.from)
    let end = NIODeadline.now() + Self.portion + Self.growth.perTask * excess
    while let task = next() {
      task()
      if NIODeadline.now() >= end {
        // The loop reads only when no task is due, so the pause begins after the tasks that these have left.
        loop.execute { self.loop.scheduleTask(in: Self.pause) { self.run() } }
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
