import Dispatch

/// Runs tasks on its own queue, so that other busy threads do not delay them.
package final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  /// - Parameter label: The name of the queue in debuggers.
  package init(_ label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
