import UnderstudyClient
import UnderstudyReport

/// Runs the client of a sweep in child processes.
struct SweepProcesses: Sendable {
  let test: SweptTest
  /// The longest run of the client.
  let limit: Duration

  /// The number of processes at the same time.
  static let jobs = 4
  /// The longest file of a result, in bytes.
  private static let resultLimit = 4 << 20
  /// How long a process may need before and after the run.
  private static let patience: Duration = .seconds(60)

  /// Runs the client in a lane. Returns how it, or its process, ended.
  func outcome(in lane: UnderstudyClient.Lane) async throws -> Sweep.Row.Outcome {
    do {
      let file = try TemporaryOutput(isNamed: true)
      defer { file.close() }
      let child = SweepProcess(
        path: file.path ?? "", test: test.name, mock: lane.mock.baseURL, lane: lane.name, baseURL: lane.baseURL)
      var process = CapturedProcess(test.command, variables: child.variables, limit: limit + Self.patience)
      // A signal from a terminal ends the children as well.
      process.ownsGroup = false
      let end = try await process.run()
      let result = SweepProcess.result(in: file.text(limit: Self.resultLimit))
      guard result.hasBegun else {
        throw UnderstudyError(
          .failed,
          "a child process did not come to this sweep: it ran \(test.command.joined(separator: " ")), \(end.outcome)")
      }
      if let outcome = result.outcome { return outcome }
      switch end.outcome {
      case .crashed(let signal, let line): return .crashed(signal: signal, message: line)
      case .exited(let code, let line): return .crashed(signal: "exit \(code)", message: line)
      default: return .hung
      }
    } catch let failure as CapturedProcess.StartFailure {
      throw UnderstudyError(.failed, failure.description)
    }
  }
}
