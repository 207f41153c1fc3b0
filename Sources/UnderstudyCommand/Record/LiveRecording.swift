import Synchronization
import Understudy

/// The exchanges of a running proxy: recorded at once, or held until a second pass is compared with them.
final class LiveRecording: Sendable {
  private struct State {
    /// `nil` while exchanges are held.
    var recorder: Recorder?
    var held = HeldSession()
    /// The reasons of exchanges without an answer.
    var failures: [String] = []
    var comparison: SessionComparison
  }

  private let state: Mutex<State>
  private let makeRecorder: @Sendable (VolatilePlaces) -> Recorder

  /// - Parameter isHeld: Whether there is a second pass.
  init(_ contracts: [Contract], rules: RuleSettings, settings: RecordingSettings, isHeld: Bool) {
    let scope = TrafficScope(contracts.map(\.api))
    makeRecorder = { Recorder(contracts, rules: rules, scope: scope, settings: settings, volatile: $0) }
    state = Mutex(
      State(
        recorder: isHeld ? nil : makeRecorder(VolatilePlaces()),
        comparison: SessionComparison(contracts, scope: scope)))
  }

  /// Adds an exchange; returns the numbers so far.
  func record(_ exchange: ServedExchange) -> (exchanges: Int, kept: Int?) {
    state.withLock { state in
      guard var recorder = state.recorder.take() else {
        if let entry = UpstreamExchange(exchange)?.entry(index: state.held.exchanges.count) {
          state.held.add(entry, isOwn: true)
        } else if let reason = exchange.upstreamFailure {
          state.failures.append(reason)
        }
        return (state.held.exchanges.count, nil)
      }
      if let entry = UpstreamExchange(exchange)?.entry(index: recorder.exchanges) {
        recorder.record(entry, isOwn: true)
      } else if let reason = exchange.upstreamFailure {
        recorder.skip(reason)
      }
      defer { state.recorder = recorder }
      return (recorder.exchanges, recorder.kept)
    }
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
  func finish(lost: Int) -> (RecordingPlan, RecordingReport) {
    state.withLock { state in
      var recorder = state.recorder ?? makeRecorder(state.comparison.places)
      for (entry, isOwn) in state.held.exchanges { recorder.record(entry, isOwn: isOwn) }
      for reason in state.failures { recorder.skip(reason) }
      var result = recorder.finish()
      if lost > 0 { result.report.skipped.append(("it arrived faster than it could be recorded", lost)) }
      if state.held.lost > 0 {
        let reason = "the session has more than \(HeldSession.limit.asBytes), which --twice holds in memory"
        result.report.skipped.append((reason, state.held.lost))
      }
      return result
    }
  }
}
