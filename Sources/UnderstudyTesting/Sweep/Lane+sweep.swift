public import UnderstudyClient
import UnderstudyMock
import UnderstudySystem

extension UnderstudyClient.Lane {
  /// Runs a client once for each response that it can get, in child processes: a crash is a row.
  ///
  /// Each of them runs this test again up to the sweep, which ends the process; four run at the same time. `swift test` can
  /// run a test again, Xcode cannot.
  ///
  /// - Parameters:
  ///   - operations: The ids of the operations whose responses vary; all that the client calls without it.
  ///   - limit: The time limit for a run; after it the client counts as hung.
  ///   - seed: Selects the members where a body has more than a run changes.
  ///   - inChildProcesses: Whether each variant has a process of its own.
  ///   - sourceLocation: The line of the test, for failures.
  ///   - client: Calls the client at the address of a run's lane; what it returns is shown in the table.
  /// - Throws: When the client fails with default responses, or calls no operation.
  public func sweep<Value: Sendable>(
    _ operations: String..., within limit: Duration = .seconds(5), seed: String = "0", inChildProcesses: Bool,
    sourceLocation: SourceLocation = #_sourceLocation,
    client: @escaping @Sendable (UnderstudyClient.Lane) async throws -> Value
  ) async throws -> Sweep {
    let client = SweptClient(within: limit, client)
    guard inChildProcesses else {
      return try await sweep(operations, seed: seed, client, at: sourceLocation) { lane, _ in
        await client.outcome(in: lane)
      }
    }
    guard let test = SweptTest.current else {
      throw failure(
        .misused,
        "a sweep in child processes runs its test again in each of them, so it needs the task of a test of Swift Testing",
        at: sourceLocation)
    }
    guard SweptTest.canRunAgain() else {
      throw failure(
        .misused,
        "a sweep in child processes needs `swift test`: Xcode does not say how to run one test in another process",
        at: sourceLocation)
    }
    if let child = SweepProcess.current {
      // A filter selects only the function, so its other cases end here.
      guard child.test.utf8Equals(test.name) else { throw UnderstudyError(.misused, "another case", isReported: true) }
      await child.run(client)
    }
    let processes = SweepProcesses(test: test, limit: limit)
    return try await sweep(
      operations, seed: seed, jobs: SweepProcesses.jobs, isProtected: true, client, at: sourceLocation
    ) { lane, _ in try await processes.outcome(in: lane) }
  }
}

extension Sweep {
  /// Fails the test as `expect` does, but for rows that are known to fail.
  ///
  /// - Parameters:
  ///   - expectations: What the client should do: `.noCrash`, `.noHang`, `.throwsFor(500...599)`, ...
  ///   - baseline: A file beside the test with the names of rows that are known to fail, one a line. A row in it that no longer
  ///     fails is reported, so that the file shrinks.
  ///   - filePath: The file of the test.
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: `UnderstudyError` with these rows, or if the file cannot be read.
  public func expect(
    _ expectations: Expectation..., baseline: String, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = baseline.hasPrefix("/") ? baseline : Path.join(Path.folder(of: filePath), baseline)
    let text: String
    do throws(FileProblem) {
      text = String(decoding: try FileSystem.read(path).bytes, as: UTF8.self)
    } catch {
      throw issues.failure(
        .misused, "the baseline \(path) cannot be read: \(error.message)", at: sourceLocation)
    }
    let known = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    try expect(expectations, known: Set(known), at: sourceLocation)
  }
}

extension Sweep.Expectation {
  /// No run ends its process. Without `inChildProcesses` a crash ends the tests instead.
  ///
  /// On Linux FoundationNetworking ends each process with a `URLSession` whose connection closes within the head. No client can
  /// prevent that, so this row may crash with that message.
  public static let noCrash = Self(name: "expected no crash") { row in
    guard case .crashed(_, let message) = row.outcome else { return true }
    #if canImport(Darwin)
    return false
    #else
    return row.variant == "close head" && message.contains("Transfer completed, but there's no response")
    #endif
  }
}
