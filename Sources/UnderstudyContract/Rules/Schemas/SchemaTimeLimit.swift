extension LintRule {
  static let schemaTimeLimit = LintRule(
    "spec.schema.time-limit", .error, "A time limit of a schema is not an offset from now",
    help: """
      `x-understudy-earliest` and `x-understudy-latest` limit the dates that clients may send, by an offset from the current \
      time: `-17y`, `+30d`, `-1d12h`. The limit has no effect otherwise.
      """,
    .schemas(
      """
      A: {type: string, format: date, x-understudy-latest: ↓17 years}
      B: {type: string, format: date, x-understudy-earliest: ↓7}
      C: {type: string, format: date, x-understudy-earliest: -100y, x-understudy-latest: -17y}
      D: {type: string, format: date-time, x-understudy-latest: +1d12h}
      """)
  ) { subject, rule in
    subject.schemas.flatMap { schema in
      AnnotationSet.timeLimits.compactMap { key in
        guard let limit = schema[key], TimeOffset.moved(0, by: limit.string ?? "") == nil else { return nil }
        return Diagnostic(
          rule, "`\(key)` is \(JSONWriter.text(limit)): expected an offset from now", at: limit,
          help: "write a sign, a number and a unit, as in `-17y` or `+30d`")
      }
    }
  }
}
