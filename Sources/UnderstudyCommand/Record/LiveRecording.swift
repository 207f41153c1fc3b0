import UnderstudyMock
import UnderstudyRecording
import UnderstudySystem
import UnderstudyVerification

/// The exchanges of a running proxy: recorded at once, or held until a second pass is compared with them.
final class LiveRecording: Sendable {
  private struct State {
    /// `nil` while exchanges are held.
    var recorder: Recorder?
    var held = HeldSession()
    /// Exchanges without an answer.
    var failures: [(reason: String, request: HTTPRequest?, operation: Operation?)] = []
    var comparison: SessionComparison
  }

  private let state: Lock<State>
  private let makeRecorder: @Sendable (VolatilePlaces) throws(FileProblem) -> Recorder
  private let player: PlanPlayer

  /// - Parameters:
  ///   - isHeld: Whether there is a second pass.
  ///   - player: Plays the session against the files to write.
  /// - Throws: If the index of an earlier recording cannot be read.
  init(
    _ contracts: [Contract], rules: RuleSettings, settings: RecordingSettings, isHeld: Bool,
    player: @escaping PlanPlayer
  ) throws(FileProblem) {
    self.player = player
    let scope = TrafficScope(contracts.map(\.api))
    makeRecorder = { (volatile) throws(FileProblem) in
      try Recorder(contracts, rules: rules, scope: scope, settings: settings, volatile: volatile)
    }
    let recorder = try makeRecorder(VolatilePlaces())
    state = Lock(
      State(recorder: isHeld ? nil : recorder, comparison: SessionComparison(contracts, scope: scope)))
  }

  /// Adds an exchange; returns the numbers so far.
  func record(_ exchange: ServedRequest) -> (exchanges: Int, kept: Int?) {
    state.withLock { state in
      guard var recorder = state.recorder.take() else {
        if let entry = exchange.recordedFromUpstream {
          state.held.add(entry, isOwn: true)
        } else if let reason = exchange.upstreamFailure {
          state.failures.append((reason, exchange.request, exchange.reply.operation?.compiled.operation))
        }
        return (state.held.exchanges.count, nil)
      }
      if var entry = exchange.recordedFromUpstream {
        entry.position.index = recorder.exchanges
        recorder.record(entry, isOwn: true)
      } else if let reason = exchange.upstreamFailure {
        recorder.skip(reason, exchange.request, of: exchange.reply.operation?.compiled.operation)
      }
      defer { state.recorder = recorder }
      return (recorder.exchanges, recorder.kept)
    }
  }

  /// A text without the secrets that were found so far.
  func hidingKnown(in text: Redacted<String>) -> Redacted<String> {
    state.withLock { $0.recorder?.hidingKnown(in: text.value) ?? text }
  }

  /// Makes the second pass over the session.
  func compare(by repeating: SessionRepeat) async {
    var (session, comparison) = state.withLock { ($0.held, $0.comparison) }
    await repeating.compare(session, in: &comparison)
    state.withLock { [comparison] in $0.comparison = comparison }
  }

  /// The files to write, and the report.
  ///
  /// - Parameter lost: The number of exchanges that arrived faster than they could be recorded.
  func finish(lost: Int) throws -> (RecordingPlan, RecordingReport) {
    try state.withLock { state in
      var recorder = try state.recorder ?? makeRecorder(state.comparison.places)
      for entry in state.held.exchanges { recorder.record(entry, isOwn: entry.isOwn) }
      for (reason, request, operation) in state.failures { recorder.skip(reason, request, of: operation) }
      var result = recorder.finish(playing: player)
      if lost > 0 { result.report.skipped.append(("it arrived faster than it could be recorded", lost, nil)) }
      if state.held.lost > 0 {
        let reason = "the session has more than \(HeldSession.limit.asBytes), which --twice holds in memory"
        result.report.skipped.append((reason, state.held.lost, nil))
      }
      return result
    }
  }
}
