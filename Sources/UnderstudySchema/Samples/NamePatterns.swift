/// A cache of the compiled patterns of `patternProperties`.
package final class NamePatterns {
  private var known: [String: Pattern?] = [:]

  package init() {}

  /// Whether a property name matches; an invalid pattern matches nothing.
  package func matches(_ pattern: String, _ name: String, within budget: WorkBudget? = nil) -> Bool {
    let compiled = known[pattern] ?? (try? Pattern(ecma: pattern))
    known[pattern] = .some(compiled)
    guard case .yes? = compiled?.matches(name, within: budget) else { return false }
    return true
  }
}
