import Foundation

/// Runs asynchronous work where a caller cannot wait for it.
enum Blocking {
  /// Blocks this thread until the work is done. Every request has a time limit, and so has the work.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    Task.detached {
      do { outcome.settle(.success(try await work())) } catch { outcome.settle(.failure(error)) }
    }
    return try outcome.wait()
  }

  /// The result of the work, with those who wait for it.
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

    func wait() throws -> Value {
      condition.lock()
      defer { condition.unlock() }
      while true {
        if let result { return try result.get() }
        condition.wait()
      }
    }
  }
}
