import UnderstudySystem

/// The time before the first byte of an answer.
package enum Delay: Sendable, Hashable {
  /// The same time for each answer.
  case fixed(Duration)
  /// Each time between two bounds is equally likely.
  case uniform(ClosedRange<Duration>)
  /// Most times are near the median and a few are much longer, as on a real network; the logarithm has the standard
  /// deviation `sigma`.
  case lognormal(median: Duration, sigma: Double)

  /// The longest time.
  package static let limit: Duration = .seconds(3600)
  package static let sigmaLimit = 5.0

  /// A time; the same random numbers give the same one.
  func duration(_ random: inout SeededGenerator) -> Duration {
    switch self {
    case .fixed(let duration): return duration
    case .uniform(let range): return range.lowerBound + (range.upperBound - range.lowerBound) * random.fraction()
    case .lognormal(let median, let sigma):
      // Box-Muller; the first number must not be 0.
      let radius = (-2 * log(1 - random.fraction())).squareRoot()
      let factor = exp(sigma * radius * cos(2 * Double.pi * random.fraction()))
      return factor < Self.limit / max(median, .microseconds(1)) ? median * factor : Self.limit
    }
  }

  /// As `serve --delay` takes it: `250ms`, `100ms..2s`, `lognormal:200ms:0.4`.
  package var text: String {
    switch self {
    case .fixed(let duration): duration.faultText
    case .uniform(let range): "\(range.lowerBound.faultText)..\(range.upperBound.faultText)"
    case .lognormal(let median, let sigma): "lognormal:\(median.faultText):\(sigma)"
    }
  }

  /// The delay with its times moved into the range that a response may take.
  package var clamped: Delay {
    func within(_ time: Duration) -> Duration { min(max(time, .zero), Self.limit) }
    return switch self {
    case .fixed(let time): .fixed(within(time))
    case .uniform(let range): .uniform(within(range.lowerBound)...within(range.upperBound))
    case .lognormal(let median, let sigma):
      .lognormal(median: within(median), sigma: sigma.isNaN ? 0 : min(max(sigma, 0), Self.sigmaLimit))
    }
  }

  /// Whether each answer may have another time.
  var isRandom: Bool { if case .fixed = self { false } else { true } }
}

extension SeededGenerator {
  /// A number from 0 up to, not including, 1.
  mutating func fraction() -> Double { Double(number(below: 1 << 53)) / Double(1 << 53) }
}
