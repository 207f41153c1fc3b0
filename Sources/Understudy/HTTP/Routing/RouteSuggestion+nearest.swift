extension RouteSuggestion {
  /// Templates beyond this number are not compared.
  private static let templateLimit = 5_000
  /// Longer paths and templates are not compared.
  private static let segmentLimit = 32

  /// The template with the fewest edits, segment by segment, where it is near enough to be meant.
  static func nearest(_ router: Router, _ path: [UInt8]) -> RouteSuggestion? {
    let actual = segments(path)
    guard actual.count <= segmentLimit else { return nil }
    // Half of the segments may be wrong, and less than two; one of one only when it is a slip of the hand.
    var limit = min(actual.count * Candidate.whole / 2 + 1, Candidate.whole * 2)
    if actual.count == 1 { limit = Candidate.whole }
    var best: Candidate?
    var left = templateLimit
    for base in router.bases {
      for (text, segments, operation) in base.templates.prefix(left) {
        left -= 1
        guard abs(segments.count - actual.count) < 2, segments.count <= segmentLimit else { continue }
        let candidate = Candidate(template: text, segments: segments, operation: operation)
        let cost = candidate.distance(to: actual, limit: limit)
        if cost < limit { (best, limit) = (candidate, cost) }
      }
    }
    return best?.miss(for: actual)
  }

  private static func segments(_ path: [UInt8]) -> [[UInt8]] {
    path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(PathEncoding.normalised)
  }

  /// A template with its base path, to be compared with a path.
  private struct Candidate {
    /// The cost of a segment that is missing or too many.
    static let whole = 12
    /// The cost of another segment: more than a forgotten one, so that `/queue` suggests `/queue/state`, not `/user`.
    static let other = 13

    let template: String
    let segments: [RouteTemplate.Segment]
    let operation: Int

    /// Edit distance over segments; a segment that differs a little costs less than another one.
    func distance(to actual: [[UInt8]], limit: Int) -> Int {
      var last = (0...segments.count).map { $0 * Self.whole }
      for (row, text) in actual.enumerated() {
        var current = [(row + 1) * Self.whole]
        for (column, segment) in segments.enumerated() {
          // Not worth a look at the letters when the way here is too long already.
          let replaced = last[column] >= limit ? last[column] : last[column] + Self.cost(of: text, for: segment)
          current.append(min(replaced, last[column + 1] + Self.whole, current[column] + Self.whole))
        }
        guard current.contains(where: { $0 < limit }) else { return .max }
        last = current
      }
      return last[segments.count]
    }

    static func cost(of text: [UInt8], for segment: RouteTemplate.Segment) -> Int {
      switch segment {
      // An expression fits anything, but a template that names its segments is the better guess.
      case .variable: return text.isEmpty ? whole / 2 : 1
      case .mixed(let pattern): return text.withUnsafeBufferPointer { pattern.match($0) { _ in } } ? 1 : whole / 2
      case .literal(let literal):
        if literal == text { return 0 }
        if FieldSyntax.equalIgnoringCase(literal, text) { return 2 }
        if FieldSyntax.equalIgnoringCase(letters(literal), letters(text)) { return 3 }
        let limit = max(1, min(literal.count, text.count) / 3)
        guard abs(literal.count - text.count) <= limit, literal.count <= 100 else { return other }
        return Suggestion.editDistance(literal, text) <= limit ? whole / 3 : other
      }
    }

    /// Without what only joins words: `update_fcm_token` is `updateFCMToken` to many a client.
    private static func letters(_ text: [UInt8]) -> [UInt8] {
      text.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    }

    func miss(for actual: [[UInt8]]) -> RouteSuggestion {
      guard actual.count == segments.count else {
        return RouteSuggestion(reason: .misspelt, operation: operation, sentence: "the nearest path is `\(template)`")
      }
      var isCaseOnly = true
      var path = ""
      for (text, segment) in zip(actual, segments) {
        switch segment {
        case .literal(let literal):
          isCaseOnly = isCaseOnly && FieldSyntax.equalIgnoringCase(literal, text)
          path += "/" + RouteSuggestion.text(literal)
        case .variable where !text.isEmpty: path += "/" + RouteSuggestion.text(text)
        case .mixed where Self.cost(of: text, for: segment) == 1: path += "/" + RouteSuggestion.text(text)
        default:
          return RouteSuggestion(reason: .misspelt, operation: operation, sentence: "the nearest path is `\(template)`")
        }
      }
      return RouteSuggestion(
        reason: isCaseOnly ? .wrongCase : .misspelt, operation: operation, suggestion: path,
        sentence: "did you mean `\(path)`?" + (isCaseOnly ? " paths are case-sensitive" : ""))
    }
  }
}
