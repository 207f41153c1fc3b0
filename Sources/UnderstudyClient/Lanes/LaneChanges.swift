// What a test changes of its lane, beside the answers.
extension Lane {
  /// Plays a scenario of the fixtures from its beginning: `fixtures/<contract>/_scenarios/<name>.yaml`; `nil` ends it.
  ///
  /// `reply(to:)` takes precedence over its answers.
  public func play(
    _ scenario: String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await change(
      "play(\"\(scenario ?? "")\")", ["scenario": scenario.map(JSONValue.string) ?? .null],
      at: sourceLocation)
  }

  /// Plays a scenario of the fixtures from a state of its machine, in place of its own start: `play("life", state: "matched")`.
  public func play(
    _ scenario: String, state: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await change(
      "play(\"\(scenario)\")", ["scenario": .string(scenario), "state": .string(state)], at: sourceLocation)
  }

  /// Lets time pass for scenarios, templates and client checks: a token expires, a penalty ends. It only moves forward.
  public func advance(
    by duration: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    guard duration >= .zero else {
      throw issues.failure(
        .misused, "the clock of a mock only moves forward, not by \(duration.text)", at: sourceLocation)
    }
    guard duration > .zero else { return }
    try await change("advance(by:)", ["advance": .string(duration.text)], at: sourceLocation)
  }

  /// Stops the clock of scenarios, templates and client checks, so that only `advance(by:)` moves it.
  public func stopClock(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await change("stopClock()", ["stopClock": true], at: sourceLocation)
  }

  /// Expects of the client what the checks say, from here to the end of the test: `"retry-after-401"`, `"retry-storm=3"`.
  /// `understudy explain check.*` lists the checks.
  public func expect(
    checks: Check...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await change(
      "expect(checks:)", ["checks": .array(checks.map(\.text))],
      at: sourceLocation)
  }

  /// Breaks every response of an operation: `fault("sendChat", .reset, times: 1)`.
  ///
  /// - Parameters:
  ///   - operation: The id of an operation, its method and path, or `*` for all.
  ///   - fault: `.reset`, `"close:body"`, `"bandwidth:10k"`, ...
  ///   - times: The number of answers after which the mock answers well again.
  ///   - sourceLocation: The line of the test, for failures.
  public func fault(
    _ operation: String, _ fault: Fault, times: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await change(
      "fault(\"\(operation)\")", ["fault": [.string("\(operation)=\(fault)" + (times.map { "@first:\($0)" } ?? ""))]],
      at: sourceLocation)
  }

  /// Delays every response of an operation.
  public func delay(
    _ operation: String, by duration: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await change(
      "delay(\"\(operation)\")", ["delay": [.string("\(operation)=\(duration.text)")]],
      at: sourceLocation)
  }

  /// Answers operations with cells, as `force` does when a lane opens; `reply(to:)` takes precedence.
  public func force(
    _ cells: [String: ForcedCell],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await change(
      "force", ["force": .object(cells.mapValues(\.value))], at: sourceLocation)
  }

  /// Ends a request that waits longer for its answer; it fails the test.
  public func limit(
    _ duration: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await change("limit", ["limit": .string(duration.text)], at: sourceLocation)
  }

  /// Forgets what `force` has given.
  public func release(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await ask("release()", at: sourceLocation) { lane, admin in
      _ = try await admin.send("DELETE", "\(lane.path)/forced")
    }
  }

  /// Ends faults and delays of the lane.
  public func mend(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await ask("mend()", at: sourceLocation) { lane, admin in
      _ = try await admin.send("DELETE", "\(lane.path)/faults")
    }
  }

  /// Forgets the replies of `reply(to:)`; those that no request has met do not fail the test.
  public func forgetReplies(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await ask("forgetReplies()", at: sourceLocation) { lane, admin in
      _ = try await admin.send("DELETE", "\(lane.path)/replies")
    }
    notes.withLock { $0.replies = [] }
  }

  /// Begins anew, as the lane was opened: without requests, findings and what was chosen since.
  public func reset(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await ask("reset()", at: sourceLocation) { lane, admin in
      _ = try await admin.send("POST", "\(lane.path)/reset")
    }
    notes.withLock { $0.replies = [] }
  }

  private func change(_ call: String, _ body: JSONValue, at sourceLocation: SourceLocation) async throws {
    try await ask(call, at: sourceLocation) { lane, admin in _ = try await admin.send("PATCH", lane.path, body: body) }
  }
}
