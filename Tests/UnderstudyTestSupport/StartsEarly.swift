package import Testing

/// Runs the tests of a suite before others that wait: a long serialized suite would otherwise go on alone at the end.
package struct StartsEarly: SuiteTrait, TestScoping {
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await withThrowingTaskGroup { group in
        // Child tasks inherit the priority.
        group.addTask(priority: .high) { try await function() }
        try await group.waitForAll()
      }
    }
  }
}

extension Trait where Self == StartsEarly {
  package static var startsEarly: Self { Self() }
}
