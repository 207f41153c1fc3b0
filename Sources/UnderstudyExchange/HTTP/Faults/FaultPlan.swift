/// A delay and a fault, and the conditions under which they happen: `delay:200ms+reset@20%`.
package struct FaultPlan: Sendable, Hashable {
  package var latency: Delay?
  package var fault: Fault?
  /// All must hold.
  package var conditions: [FaultCondition] = []
  /// As it was written.
  package var text: String

  package init(latency: Delay? = nil, fault: Fault? = nil, text: String) {
    (self.latency, self.fault, self.text) = (latency, fault, text)
  }

  package struct Outcome: Sendable, Equatable {
    package var delay: Duration?
    package var fault: Fault?

    package init(delay: Duration?, fault: Fault?) { (self.delay, self.fault) = (delay, fault) }
  }

  /// The outcome of a plan without conditions and chance, which needs no state.
  package var fixed: Outcome? {
    guard conditions.isEmpty, latency?.isRandom != true else { return nil }
    var delay: Duration?
    if case .fixed(let duration)? = latency { delay = duration }
    return Outcome(delay: delay, fault: fault)
  }

  /// The outcome for a request; `nil` unless the conditions hold. The same arguments always give the same outcome:
  /// `key` distinguishes the random numbers of plans, `turn` counts the requests that met the plan before, and
  /// `elapsed` is the time since the start of the mock.
  package func outcome(seed: String, key: String, turn: Int, elapsed: Duration) -> Outcome? {
    var random = SeededGenerator(state: StableHash.of([seed, key, String(turn)]), isPlain: false, ordinal: 0)
    for condition in conditions where !condition.holds(turn: turn, elapsed: elapsed, &random) { return nil }
    return Outcome(delay: latency?.duration(&random), fault: fault)
  }
}

extension FaultPlan: Codable {
  /// Reads the text of a plan; throws a `DecodingError` with the problem of the text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(TextProblem) {
      self = try FaultReader.read(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
