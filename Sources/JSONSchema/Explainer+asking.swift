import SourceText

// MARK: - Questions to the evaluator

extension Explainer {
  /// Asks the evaluator, with half of what is in the tank: one part that costs too much must not hide all others.
  ///
  /// - Parameter keepsMarks: Whether what was evaluated stays noted, for `unevaluated*`.
  mutating func ask(keepsMarks: Bool = false, _ question: (Evaluator) -> Bool) -> Outcome {
    let share = fuel / 2
    guard share > 0 else {
      isSpent = true
      return .unknown
    }
    let mark = evaluator.markCount
    evaluator.refuel(share)
    let isYes = question(evaluator)
    lastStop = evaluator.stopped
    let left = evaluator.fuel
    if !keepsMarks || lastStop != nil { evaluator.forget(downTo: mark) }
    switch lastStop {
    case nil:
      fuel -= share - left
      return isYes ? .fits : .fails
    case .fuel: fuel -= share
    case .pattern: fuel -= min(share, Self.costOfPattern)
    case .depth, .stack, .digits, .refusal: fuel -= min(share, Self.costOfStop)
    }
    // Nothing is left of the tank of one that stopped.
    evaluator.refuel(0)
    return .unknown
  }

  /// A pattern that is given up has cost as much as many blocks.
  private static let costOfPattern = 50_000
  private static let costOfStop = 1_000

  /// Finds out, without any words, how far a value is from a subschema.
  mutating func distance(_ branch: Branch, _ value: JSON) -> Int {
    var scout = self
    scout.failures = []
    scout.outcomes = [:]
    scout.told = []
    scout.distance = (0, path.count)
    // A small share of what is left, so that as much is left for every level below.
    let share = min(fuel / 64, 4_000)
    scout.fuel = share
    scout.isSpent = false
    scout.explain(branch, value)
    fuel -= share - max(0, scout.fuel)
    return scout.distance?.sum ?? 0
  }
}

// MARK: - What was not judged

extension Explainer {
  /// Notes that the last question had no answer, as near as possible to what kept it from having one.
  mutating func doubt(_ instruction: Instruction, _ value: JSON) {
    doubt(value, at: origin(instruction))
  }

  mutating func doubt(_ value: JSON, at schema: JSON) {
    guard distance == nil, let lastStop, remarks.count < Self.remarkLimit else { return }
    let remark = remark(lastStop, value, at: schema)
    if told.insert(Told(remark)).inserted { remarks.append(remark) }
  }

  private static let remarkLimit = 20

  /// Notes why a subschema had no answer, but none of the failures in it: they prove nothing here.
  mutating func doubt(_ branch: Branch, _ value: JSON, _ instruction: Instruction) {
    guard distance == nil else { return }
    let stop = lastStop
    let known = remarks.count
    var other = self
    other.failures = []
    other.explain(branch, value)
    fuel = min(fuel, other.fuel)
    remarks = other.remarks
    lastStop = stop
    if remarks.count == known { doubt(instruction, value) }
  }

  func remark(_ stop: Evaluator.Stop, _ value: JSON, at schema: JSON) -> SchemaFailure {
    let reason = reason(stop, value, at: schema)
    return SchemaFailure(
      keyword: reason.schema.keyName ?? "", instance: JSONPointer(tokens), value: value, schema: reason.schema,
      message: "not judged: " + reason.text, help: reason.help, kind: .notJudged, trace: trace)
  }

  /// Why the evaluator stopped, in words.
  func reason(_ stop: Evaluator.Stop, _ value: JSON, at schema: JSON) -> (text: String, help: String, schema: JSON) {
    switch stop {
    case .depth:
      let text = "the value and its schema are nested deeper than \(Evaluator.maximumDepth) rules"
      let help = """
        nothing need be wrong with either: judge a part of the value by itself; unless the schema comes back to itself \
        without going deeper into the value, as by a `$ref` in `then` or `dependentSchemas`
        """
      return (text, help, schema)
    case .stack:
      let text = "the value and its schema are nested too deep for the stack of this thread"
      return (
        text, "nothing need be wrong with either; give the thread a larger stack, or judge a part by itself", schema
      )
    case .digits:
      let text = "too expensive, a number of many digits is divided by one of many digits"
      return (text, "nothing need be wrong with either; write them with fewer digits", schema)
    case .fuel:
      let help = """
        nothing need be wrong with it; alternatives inside alternatives multiply, unless each fixes a property by `const`
        """
      return ("too expensive, the schema would have to be tried in too many ways", help, schema)
    case .pattern:
      let isPattern = schema.keyName == "pattern" && schema.isString
      let pattern = isPattern ? "the pattern `\(VisibleText.shortened(schema.text, to: 80))`" : "a pattern"
      return (
        "\(pattern) needs too many steps on \(Wording.found(value))",
        "write the pattern so that it can read a text in one way only: without a repetition inside a repetition", schema
      )
    case .refusal(let origin):
      let text = program.refusals[origin] ?? "the schema is invalid"
      return (text, "mend the schema; until then nothing passes here", program.origin(origin))
    }
  }
}
