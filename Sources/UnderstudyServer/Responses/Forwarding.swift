import NIOCore
import UnderstudyMock

/// The transport to the upstream, and the tasks that respond in chunks.
final class Forwarding: Sendable {
  let hasUpstream: Bool
  /// `nil` where WebSockets cannot be relayed.
  let tunnels: TunnelTransport?
  private let transport: Transport
  private let running = RunningCount()

  /// - Parameter transport: `nil` without an upstream.
  init(_ transport: Transport?, _ tunnels: TunnelTransport?) {
    hasUpstream = transport != nil
    self.tunnels = tunnels
    self.transport = transport ?? { _, _ in throw UpstreamFailure(.unsendable, "no upstream is configured") }
  }

  /// Runs on the loop of the connection, so that no other thread has to wake up and no busy thread delays the answer.
  func run(on loop: any EventLoop, _ body: @escaping @Sendable (Transport) async -> Void) -> Task<Void, Never> {
    running.begin()
    return Task(executorPreference: LoopExecutor(loop)) { [self] in
      await body(transport)
      running.end()
    }
  }

  func finish() async { await running.untilZero() }
}

private final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    loop.execute { job.runSynchronously(on: executor) }
  }
}
