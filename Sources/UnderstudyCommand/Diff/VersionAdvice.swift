import UnderstudyVerification

/// The version number that the changes call for.
struct VersionAdvice {
  /// Advice if the new version does not follow from the changes.
  let text: String?

  init(_ old: String, _ new: String, _ worst: Severity?) {
    guard let worst, let before = Self.numbers(old), let after = Self.numbers(new) else {
      text = nil
      return
    }
    let isMajor = worst == .error
    // Before 1.0 any version may break.
    let isRaised =
      isMajor && before[0] > 0 ? before[0] < after[0] : before.lexicographicallyPrecedes(after)
    let step = isMajor ? "major" : "minor"
    text =
      isRaised
      ? nil
      : "the changes call for a new \(step) version: `info.version` was \(VisibleText.line(old)), is \(VisibleText.line(new))"
  }

  /// The numbers of a released version, `v1.4.0` or `1.4+5`; `nil` for other strings, such as dates.
  private static func numbers(_ version: String) -> [Int]? {
    let text = version.hasPrefix("v") ? version.dropFirst() : version[...]
    let core = text.prefix { $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { 48...57 ~= $0 } ? Int(part) : nil
    }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count, 1...3 ~= numbers.count, numbers[0] < 1900 else { return nil }
    return numbers + repeatElement(0, count: 3 - numbers.count)
  }
}
