/// Reads `250ms`, `100ms..2s` and `lognormal:200ms:0.4`.
package struct LatencyReader {
  /// The text that has the delay, for the places of problems.
  let text: String

  package init(text: String) { self.text = text }

  package static func read(_ text: String) throws(TextProblem) -> Delay {
    try LatencyReader(text: text).read(text[...])
  }

  package func read(_ part: Substring) throws(TextProblem) -> Delay {
    guard let latency = Self.latency(part) else {
      throw TextProblem(
        .syntax, "`\(part)` is not a delay", at: text.offsets(of: part),
        help: "expected a duration such as 250ms or 2s, a range such as 100ms..2s, or lognormal:200ms:0.4 for a median "
          + "and a spread; at most an hour")
    }
    return latency
  }

  private static func latency(_ part: Substring) -> Delay? {
    let pieces = part.split(separator: ":", omittingEmptySubsequences: false)
    if pieces.count == 3, pieces[0] == "lognormal", let median = Duration(text: String(pieces[1])),
      let sigma = Double(pieces[2]), 0...Delay.sigmaLimit ~= sigma
    {
      return .lognormal(median: median, sigma: sigma)
    }
    if let range = part.firstRange(of: "..") {
      guard let low = Duration(text: String(part[..<range.lowerBound])),
        let high = Duration(text: String(part[range.upperBound...])), low <= high
      else { return nil }
      return .uniform(low...high)
    }
    return Duration(text: String(part)).map(Delay.fixed)
  }
}
