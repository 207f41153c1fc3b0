/// The relations between patterns of names, within a number of comparisons.
struct PatternedNames {
  private let side: SchemaSide
  private var left = 100
  /// A pattern that no string matches.
  private static let none = "[^\\s\\S]"

  init(_ side: SchemaSide) { self.side = side }

  /// Whether every string that a pattern matches provably also matches any of the other patterns.
  mutating func are(_ narrow: String, within patterns: [String]) -> Bool {
    patterns.contains { $0.utf8Equals(narrow) }
      || patterns.contains { wide in take() && PatternInclusion([narrow], wide).isProven }
  }

  /// Whether it is proven that no string matches both patterns.
  mutating func areApart(_ a: String, _ b: String) -> Bool { take() && PatternInclusion([a, b], Self.none).isProven }

  /// A name that some patterns match and, where one is found, others do not.
  mutating func example(of patterns: [String], outside others: [String] = []) -> String? {
    let plain = patterns.count == 1 ? side.string(matching: patterns[0]) : nil
    for other in others.isEmpty && plain == nil ? [Self.none] : others where take() {
      if let name = PatternInclusion(patterns, other).witnesses.first { return name }
    }
    return plain
  }

  private mutating func take() -> Bool {
    left -= 1
    return left >= 0
  }
}
