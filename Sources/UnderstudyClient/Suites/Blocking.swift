import Foundation

/// Runs asynchronous work for callers that are not asynchronous.
enum Blocking {
  /// The default time limit for work; a single request of the library times out after 30 seconds.
  static let limit = Duration.seconds(120)

  /// The maximum interval between checks of the outcome on the main thread.
  private static let pause: TimeInterval = 0.02

  /// Blocks this thread until the work ends.
  ///
  /// On the main thread, the run loop runs meanwhile, so that the work can use the main actor. If a job of the main actor calls
  /// this function, work that needs the main actor waits for that job and times out.
  ///
  /// - Parameter name: The work, as the error at the time limit names it.
  /// - Throws: The error of the work, or `UnderstudyError` at the time limit.
  static func run<Value: Sendable>(
    _ name: String, within limit: Duration? = nil, _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let limit = limit ?? Self.limit
    let outcome = Outcome<Value>()
    let task = Task.detached {
      do { outcome.settle(.success(try await work())) } catch { outcome.settle(.failure(error)) }
    }
    let end = Date().addingTimeInterval(limit.seconds)
    while true {
      let isMain = Thread.isMainThread
      if isMain { _ = RunLoop.main.run(mode: .default, before: min(end, Date().addingTimeInterval(pause))) }
      if let result = outcome.wait(until: isMain ? Date() : end) { return try result.get() }
      guard Date() < end else { break }
    }
    task.cancel()
    throw UnderstudyError(
      .failed, "\(name) has not ended within \(limit.text)",
      help: "write the test as `async throws`, or pass a longer limit: `blocking(within: .seconds(300))`")
  }

  /// The result of the work, and the thread that waits for it.
  ///
  /// Unchecked, and safe: the condition guards the result.
  private final class Outcome<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    func settle(_ result: Result<Value, any Error>) {
      condition.lock()
      self.result = result
      condition.broadcast()
      condition.unlock()
    }

    /// The result, or `nil` at the deadline.
    func wait(until deadline: Date) -> Result<Value, any Error>? {
      condition.lock()
      defer { condition.unlock() }
      while result == nil, condition.wait(until: deadline) {}
      return result
    }
  }
}
