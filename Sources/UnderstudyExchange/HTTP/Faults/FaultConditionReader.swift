/// Reads `20%`, `first:2`, `after:3`, `flap:3:2`, `10s..30s` and `10s..30s/60s`.
struct FaultConditionReader {
  /// The text that has the condition, for the places of problems.
  let text: String

  private static let countLimit = 1_000_000

  func read(_ part: Substring) throws(TextProblem) -> FaultCondition {
    guard let condition = Self.chance(part) ?? Self.window(part) ?? Self.count(part) else {
      let name = String(part.prefix { $0 != ":" })
      throw TextProblem(
        .syntax, "`@\(part)` is not a condition", at: text.offsets(of: part),
        help: Fault.Moment(rawValue: String(part)).map { "did you mean `:\($0.rawValue)`?" } ?? Suggestion.phrase(
          for: name, among: ["first", "after", "flap"])
          ?? "expected @20%, @first:2, @after:3, @flap:3:2 for 3 good and 2 bad answers in turn, @10s..30s or "
          + "@10s..30s/60s")
    }
    return condition
  }

  private static func chance(_ part: Substring) -> FaultCondition? {
    guard part.utf8.last == UInt8(ascii: "%"), let percent = Double(part.dropLast()), 0...100 ~= percent else {
      return nil
    }
    return .chance(percent / 100)
  }

  private static func window(_ part: Substring) -> FaultCondition? {
    let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
    guard let range = pieces[0].firstRange(of: ".."), pieces.count <= 2,
      let start = Duration(text: String(pieces[0][..<range.lowerBound])),
      let end = Duration(text: String(pieces[0][range.upperBound...])), start < end
    else { return nil }
    guard pieces.count == 2 else { return .window(start..<end, every: nil) }
    guard let period = Duration(text: String(pieces[1])), period >= end else { return nil }
    return .window(start..<end, every: period)
  }

  private static func count(_ part: Substring) -> FaultCondition? {
    let pieces = part.split(separator: ":", omittingEmptySubsequences: false)
    let counts = pieces.dropFirst().compactMap { Int($0) }
    guard counts.count == pieces.count - 1, counts.allSatisfy({ 1...countLimit ~= $0 }) else { return nil }
    return switch (pieces[0], counts.count) {
    case ("first", 1): .first(counts[0])
    case ("after", 1): .after(counts[0])
    case ("flap", 2): .flap(good: counts[0], bad: counts[1])
    default: nil
    }
  }
}
