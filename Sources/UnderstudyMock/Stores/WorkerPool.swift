import Dispatch
import UnderstudySystem

/// Threads for work that waits: each is made when it is needed, and more work than the limit of threads queues.
package final class WorkerPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The position of the next job, so that taking a job moves no others.
    var next = 0
    var threads = 0
  }

  /// The maximum number of threads.
  private let limit: Int
  private let label: String
  private let state = Lock(State())

  package init(_ label: String, limit: Int = 64) { (self.label, self.limit) = (label, limit) }

  package func submit(_ job: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    // Each serial queue has a thread of its own, which it gives back when nothing is left to do.
    if startsThread { DispatchQueue(label: label).async { self.work() } }
  }

  private func work() { while let job = takeJob() { job() } }

  private func takeJob() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.next < state.jobs.count else {
        (state.jobs, state.next) = ([], 0)
        state.threads -= 1
        return nil
      }
      defer { state.next += 1 }
      let job = state.jobs[state.next]
      if state.next > 1_000, state.next > state.jobs.count / 2 {
        state.jobs.removeFirst(state.next)
        state.next = 0
      }
      return job
    }
  }
}
