/// How fast the pauses of sockets and streams pass.
package struct PlaybackSpeed: Sendable, Hashable {
  /// Infinite where there are no pauses.
  private let factor: Double

  /// The pauses as they are written.
  package static let usual = Self(factor: 1)

  private init(factor: Double) { self.factor = factor }

  /// Reads `10`, `0.5` or `max`; `nil` for anything else, and beyond 0.001 to 1000.
  package init?(_ text: String) {
    if text == "max" {
      factor = .infinity
    } else {
      guard let factor = Double(text), 0.001...1000 ~= factor else { return nil }
      self.factor = factor
    }
  }

  package func scaled(_ pause: Duration) -> Duration {
    factor == 1 ? pause : factor.isInfinite ? .zero : pause / factor
  }
}
