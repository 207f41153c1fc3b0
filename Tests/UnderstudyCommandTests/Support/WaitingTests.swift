import Foundation
import Testing

/// Runs the tests of a suite on a few threads of their own. Tests share one thread per processor, and a test that waits for
/// a process would leave a processor without work.
struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) { try await body() }
  }

  private static let threads = Threads()

  private final class Threads: TaskExecutor {
    private let queue = OperationQueue()

    init() { queue.maxConcurrentOperationCount = 2 * ProcessInfo.processInfo.activeProcessorCount }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.addOperation { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == WaitingTests {
  /// Runs tests that wait for processes on threads of their own. A test with `await` would resume behind all other tests.
  static var waitsForProcesses: WaitingTests { WaitingTests() }
}
