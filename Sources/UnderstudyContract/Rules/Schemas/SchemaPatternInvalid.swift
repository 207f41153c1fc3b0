extension LintRule {
  static let schemaPatternInvalid = LintRule(.invalidPattern) { subject, rule in
    guard let problem = subject.options.patternProblem else { return [] }
    return subject.schemas.flatMap { schema -> [Diagnostic] in
      let patterns = [schema["pattern"]].compactMap { $0 } + (schema["patternProperties"]?.members.map(\.key) ?? [])
      return patterns.filter(\.isString).compactMap { pattern in
        problem(pattern.text).map { Diagnostic(rule, "the pattern `\(pattern.text)` is not valid: \($0)", at: pattern) }
      }
    }
  }
}
