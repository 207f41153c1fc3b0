/// The reason why an evaluator stopped, for messages.
struct StopReason {
  let text: String
  let help: String
  /// The keyword's node that caused the stop, or the schema at which it was noticed.
  let schema: JSON

  init(_ stop: Evaluator.Stop, _ value: JSON, at schema: JSON, _ program: Program) {
    var cause = schema
    switch stop {
    case .depth:
      text = "the value and its schema are nested deeper than \(Evaluator.maximumDepth) rules"
      help = """
        both may be correct: validate a part of the value separately, unless the schema refers to itself \
        without going deeper into the value, as by a `$ref` in `then` or `dependentSchemas`
        """
    case .stack:
      text = "the value and its schema are nested too deep for the stack of this thread"
      help = "both may be correct; use a thread with a larger stack, or validate a part separately"
    case .digits:
      text = "too expensive, since a number with many digits is divided by another one"
      help = "both may be correct; write them with fewer digits"
    case .fuel:
      text = "too expensive, since the schema has too many combinations of alternatives"
      help = "it may be correct; nested alternatives multiply, unless each fixes a property by `const`"
    case .pattern:
      let isPattern = schema.keyName == "pattern" && schema.isString
      let pattern = isPattern ? "the pattern `\(VisibleText.shortened(schema.text, to: 80))`" : "a pattern"
      text = "\(pattern) needs too many steps on \(Wording.found(value))"
      help = "write the pattern so that it can match a text in only one way: without a repetition inside a repetition"
    case .refusal(let origin):
      text = program.refusals[origin] ?? "the schema is invalid"
      help = "fix the schema; until then no value is accepted here"
      cause = program.origin(origin)
    }
    self.schema = cause
  }
}
