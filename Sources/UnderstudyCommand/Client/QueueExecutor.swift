import Dispatch

/// Runs tasks on a queue of its own, so that threads that are busy with other work do not hold them back.
package final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  /// - Parameter label: names the queue for debuggers.
  package init(_ label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
