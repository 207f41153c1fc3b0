// What a test changes of its lane, beside the answers.
extension Lane {
  /// Plays a scenario of the fixtures from its beginning: `fixtures/<contract>/_scenarios/<name>.yaml`; `nil` ends it.
  ///
  /// `reply(to:)` takes precedence over its answers.
  public func play(
    _ scenario: String?,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await change(
      "play(\"\(scenario ?? "")\")", ["scenario": scenario.map(JSON.string) ?? .null],
      at: TestLine(fileID, filePath, line, column))
  }

  /// Lets time pass for scenarios, templates and client checks: a token expires, a penalty ends. It only moves forward.
  public func advance(
    by interval: Interval,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    let line = TestLine(fileID, filePath, line, column)
    guard interval >= .seconds(0) else {
      throw issues.failure(.misused, "the clock of a mock only moves forward, not by \(interval)", at: line)
    }
    guard interval > .seconds(0) else { return }
    try await change("advance(by:)", ["advance": .string(interval.description)], at: line)
  }

  /// Stops the clock of scenarios, templates and client checks, so that only `advance(by:)` moves it.
  public func stopClock(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await change("stopClock()", ["stopClock": true], at: TestLine(fileID, filePath, line, column))
  }

  /// Expects of the client what a check says, from here to the end of the test: `"retry-after-401"`, `"retry-storm=3"`,
  /// `"poll-interval:readQueueState=5s"`. `understudy explain check.*` lists the checks.
  public func expect(
    checks: String...,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await change(
      "expect(checks:)", ["checks": .array(checks.map(CheckArgument.value))],
      at: TestLine(fileID, filePath, line, column))
  }

  /// Breaks every response of an operation: `fault("sendChat", .reset, times: 1)`.
  ///
  /// - Parameters:
  ///   - operation: The id of an operation, its method and path, or `*` for all.
  ///   - fault: `.reset`, `"close:body"`, `"bandwidth:10k"`, ...
  ///   - times: The number of answers after which the mock answers well again.
  ///   - fileID: The file of the test, for failures.
  ///   - filePath: Its path.
  ///   - line: The line in it.
  ///   - column: The column in it.
  public func fault(
    _ operation: String, _ fault: Fault, times: Int? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await change(
      "fault(\"\(operation)\")", ["fault": [.string("\(operation)=\(fault)" + (times.map { "@first:\($0)" } ?? ""))]],
      at: TestLine(fileID, filePath, line, column))
  }

  /// Delays every response of an operation.
  public func delay(
    _ operation: String, by interval: Interval,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await change(
      "delay(\"\(operation)\")", ["delay": [.string("\(operation)=\(interval)")]],
      at: TestLine(fileID, filePath, line, column))
  }

  /// Answers operations with cells, as `force` does when a lane opens; `reply(to:)` takes precedence.
  public func force(
    _ cells: [String: ForcedCell],
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await change(
      "force", ["force": .object(cells.mapValues(\.value))], at: TestLine(fileID, filePath, line, column))
  }

  /// Ends a request that waits longer for its answer; it fails the test.
  public func limit(
    _ interval: Interval,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await change("limit", ["limit": .string(interval.description)], at: TestLine(fileID, filePath, line, column))
  }

  /// Forgets what `force` has given.
  public func release(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await ask("release()", at: TestLine(fileID, filePath, line, column)) { lane, admin in
      _ = try await admin.send("DELETE", "\(lane.path)/forced")
    }
  }

  /// Ends faults and delays of the lane.
  public func mend(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await ask("mend()", at: TestLine(fileID, filePath, line, column)) { lane, admin in
      _ = try await admin.send("DELETE", "\(lane.path)/faults")
    }
  }

  /// Forgets the replies of `reply(to:)`; those that no request has met do not fail the test.
  public func forgetReplies(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await ask("forgetReplies()", at: TestLine(fileID, filePath, line, column)) { lane, admin in
      _ = try await admin.send("DELETE", "\(lane.path)/replies")
    }
    notes.withLock { $0.replies = [] }
  }

  /// Begins anew, as the lane was opened: without requests, findings and what was chosen since.
  public func reset(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async throws {
    try await ask("reset()", at: TestLine(fileID, filePath, line, column)) { lane, admin in
      _ = try await admin.send("POST", "\(lane.path)/reset")
    }
    notes.withLock { $0.replies = [] }
  }

  private func change(_ call: String, _ body: JSON, at line: TestLine) async throws {
    try await ask(call, at: line) { lane, admin in _ = try await admin.send("PATCH", lane.path, body: body) }
  }
}
