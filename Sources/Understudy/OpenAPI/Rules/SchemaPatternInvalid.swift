extension Rule {
  package static let specSchemaPatternInvalid = Rule(
    "spec.schema.pattern.invalid", .error, owner: .contract, "A `pattern` that is no regular expression",
    help:
      "Patterns are regular expressions of ECMA-262: no possessive quantifiers, no inline flags, no `\\A` and `\\z`.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            A: {type: string, pattern: ↓"^(a"}
            B: {type: string, pattern: "^a$"}
        """)
    ])
}

extension LintRule {
  static let schemaPatternInvalid = LintRule(.specSchemaPatternInvalid) { subject in
    guard let problem = subject.options.patternProblem else { return [] }
    return subject.schemas.flatMap { schema -> [Diagnostic] in
      let patterns = [schema["pattern"]].compactMap { $0 } + (schema["patternProperties"]?.members.map(\.key) ?? [])
      return patterns.filter(\.isString).compactMap { pattern in
        problem(pattern.text).map { reason in
          Diagnostic(.specSchemaPatternInvalid, "the pattern `\(pattern.text)` is not valid: \(reason)", at: pattern)
        }
      }
    }
  }
}
