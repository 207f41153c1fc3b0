import NIOCore

/// How much of a body came, and since when.
struct BodyPace {
  let start: NIODeadline
  var bytes = 0

  /// How long these bytes may take at a rate in bytes a second.
  func time(at rate: Int) -> Duration { .seconds(Double(bytes) / Double(max(1, rate))) }

  func spent(until now: NIODeadline) -> Duration { .nanoseconds((now - start).nanoseconds) }
}
