/// Whether every string that some patterns match is matched by another pattern.
struct PatternInclusion {
  private(set) var isProven = false
  /// Strings that may prove the opposite.
  private(set) var witnesses: [String] = []

  init(_ narrow: [String], _ wide: String) {
    guard let accepted = RegularExpression(wide) else { return }
    let given = narrow.compactMap { RegularExpression($0) }
    switch ProductSearch(given, accepted).result() {
    case .included: isProven = true
    case .excluded(let text): witnesses = [text]
    case .unknown: break
    }
  }
}
