import NIOCore
import Synchronization
import Understudy

/// The transport to the upstream, and the tasks that use it.
final class Forwarding: Sendable {
  let transport: Transport
  private let state = Mutex(State())

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  init(_ transport: @escaping Transport) { self.transport = transport }

  /// Runs on the loop of the connection, so that no other thread has to wake up and no busy thread delays the answer.
  func run(on loop: any EventLoop, _ body: @escaping @Sendable (Transport) async -> Void) -> Task<Void, Never> {
    state.withLock { $0.running += 1 }
    return Task(executorPreference: LoopExecutor(loop)) { [self] in
      await body(transport)
      let waiting = state.withLock { state in
        state.running -= 1
        guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  /// Waits until no task runs.
  func finish() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.running > 0 { state.waiting.append(continuation) }
        return state.running == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}

/// Runs a task on an event loop.
private final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    loop.execute { job.runSynchronously(on: executor) }
  }
}
