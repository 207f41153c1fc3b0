/// The template that is most similar to a path, by edit distance over segments.
package struct NearestTemplate {
  private static let templateLimit = 5_000
  private static let segmentLimit = 32

  /// The template with the fewest edits; `nil` if no template is similar.
  static func suggestion(_ router: Router, _ path: [UInt8]) -> RouteSuggestion? {
    let actual = segments(path)
    guard actual.count <= segmentLimit else { return nil }
    // Up to half of the segments may differ, and fewer than two; a single segment only by a typing mistake.
    var limit = min(actual.count * whole / 2 + 1, whole * 2)
    if actual.count == 1 { limit = whole }
    var best: NearestTemplate?
    var left = templateLimit
    for base in router.bases {
      for (text, segments, operation) in base.templates.prefix(left) {
        left -= 1
        guard abs(segments.count - actual.count) < 2, segments.count <= segmentLimit else { continue }
        let candidate = NearestTemplate(template: text, segments: segments, operation: operation)
        let cost = candidate.distance(to: actual, limit: limit)
        if cost < limit { (best, limit) = (candidate, cost) }
      }
    }
    return best?.suggestion(for: actual)
  }

  /// The templates that differ in at most so much, the most similar one first.
  package static func ranked(_ router: Router, _ path: [UInt8], limit: Int) -> [(template: NearestTemplate, cost: Int)]
  {
    let actual = segments(path)
    guard actual.count <= segmentLimit else { return [] }
    return router.bases.flatMap(\.templates).prefix(templateLimit).compactMap { text, segments, operation in
      guard segments.count <= segmentLimit else { return nil }
      let template = NearestTemplate(template: text, segments: segments, operation: operation)
      let cost = template.distance(to: actual, limit: limit + 1)
      return cost <= limit ? (template, cost) : nil
    }.enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element)
  }

  /// What is different, a phrase for each segment of a path of the same length.
  package func differences(from path: [UInt8]) -> [String] {
    let actual = Self.segments(path)
    guard actual.count == segments.count else {
      return ["the path has \(actual.count.counted("segment")), not \(segments.count)"]
    }
    return zip(actual, segments).compactMap { text, segment in
      guard case .literal(let literal) = segment, literal != text else { return nil }
      return "`\(RouteSuggestion.text(text))` stands in the place of `\(RouteSuggestion.text(literal))`"
    }
  }

  private static func segments(_ path: [UInt8]) -> [[UInt8]] {
    path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(PathEncoding.normalised)
  }

  /// The cost of a missing or an extra segment.
  package static let whole = 12
  /// The cost of a different segment: more than a missing one, so that `/queue` suggests `/queue/state`, not `/user`.
  static let other = 13

  package let template: String
  let segments: [RouteTemplate.Segment]
  package let operation: Int

  /// Edit distance over segments; a similar segment costs less than a different one.
  func distance(to actual: [[UInt8]], limit: Int) -> Int {
    var last = (0...segments.count).map { $0 * Self.whole }
    for (row, text) in actual.enumerated() {
      var current = [(row + 1) * Self.whole]
      for (column, segment) in segments.enumerated() {
        // Letters are not compared when the path so far is too far away.
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
    // An expression matches any text, but a literal is the better suggestion.
    case .variable: return text.isEmpty ? whole / 2 : 1
    case .rest: return 1
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

  /// Without separators of words: clients write `update_fcm_token` for `updateFCMToken`.
  private static func letters(_ text: [UInt8]) -> [UInt8] {
    text.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
  }

  private func suggestion(for actual: [[UInt8]]) -> RouteSuggestion {
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
      case .variable where !text.isEmpty, .rest: path += "/" + RouteSuggestion.text(text)
      case .mixed where Self.cost(of: text, for: segment) == 1: path += "/" + RouteSuggestion.text(text)
      default:
        return RouteSuggestion(reason: .misspelt, operation: operation, sentence: "the nearest path is `\(template)`")
      }
    }
    // A pattern of a route is what the path does not match.
    guard path != actual.map({ "/" + RouteSuggestion.text($0) }).joined() else {
      return RouteSuggestion(reason: .misspelt, operation: operation, sentence: "the nearest path is `\(template)`")
    }
    return RouteSuggestion(
      reason: isCaseOnly ? .wrongCase : .misspelt, operation: operation, suggestion: path,
      sentence: "did you mean `\(path)`?" + (isCaseOnly ? " paths are case-sensitive" : ""))
  }
}
