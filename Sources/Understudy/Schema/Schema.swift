/// A compiled schema.
package final class Schema: Sendable {
  private let node: JSON
  private let program: Program
  private let root: Branch
  /// What is wrong with the schema itself; where it cannot be judged by, every value is refused.
  package let problems: [Diagnostic]

  /// - Parameter position: Which of the program's roots it is.
  init(_ node: JSON, program: Program, root position: Int = 0, problems: [Diagnostic]) {
    self.node = node
    self.program = program
    root = program.roots[position]
    self.problems = problems
  }

  /// What can be said about a value.
  package enum Verdict: Sendable {
    /// It fits.
    case accepted
    /// It does not fit; there is at least one failure.
    case refused([SchemaFailure])
    /// Nobody can tell, as a part of the schema is broken or judging costs too much; says why and where.
    case notJudged(SchemaFailure)
  }

  /// Whether a value fits.
  package func accepts(_ instance: JSON) -> Bool {
    withEvaluator(for: instance.withoutShadowedMembers) { evaluator, instance in
      evaluator.apply(root, instance.index) && evaluator.stopped == nil
    }
  }

  /// Whether a value fits, as far as that is found out in so many steps; `nil` where they, or the limits of every judging,
  /// do not reach. Counts down the steps that were taken.
  func accepts(_ instance: JSON, steps: inout Int) -> Bool? {
    withMachine(for: instance.withoutShadowedMembers) { machine, instance in
      let granted = min(machine.pointee.fuel, max(steps, 1))
      machine.pointee.fuel = granted
      let fits = Evaluator(machine).apply(root, instance.index)
      switch machine.pointee.stopped {
      case nil: steps -= granted - machine.pointee.fuel
      case .fuel: steps -= granted
      case .depth, .refusal: steps -= Evaluator.maximumDepth
      case .pattern: steps -= Self.stepsOfCostlyPattern
      }
      return machine.pointee.stopped == nil ? fits : nil
    }
  }

  /// What it counts when the search for a pattern was given up.
  private static let stepsOfCostlyPattern = 200_000

  /// How much there is to run, for whoever has to pay for the compiling.
  var size: Int { program.code.count + program.entries.count }

  /// Whether there is nothing that a value could break.
  var acceptsEverything: Bool { root.kinds == .any && root.start == root.end }

  /// All that is wrong with a value, up to a limit; empty exactly when the value is accepted.
  package func failures(_ instance: JSON, limit: Int = 100) -> [SchemaFailure] {
    switch verdict(instance, limit: limit) {
    case .accepted: []
    case .refused(let failures): failures
    case .notJudged(let reason): [reason]
    }
  }

  /// What the schema says about a value, with failures up to a limit.
  package func verdict(_ instance: JSON, limit: Int = 100) -> Verdict {
    withEvaluator(for: instance.withoutShadowedMembers) { evaluator, instance in
      var explainer = Explainer(evaluator, limit: max(limit, 1))
      explainer.explain(root, instance)
      // What was found before judging was given up is wrong all the same.
      let failures = explainer.failures
      guard let reason = explainer.evaluator.stopped else { return failures.isEmpty ? .accepted : .refused(failures) }
      let refusal = failure(reason, instance, failures.isEmpty ? "not judged" : "not judged to the end")
      return failures.isEmpty ? .notJudged(refusal) : .refused(failures + [refusal])
    }
  }

  private func failure(_ reason: Evaluator.Stop, _ instance: JSON, _ words: String) -> SchemaFailure {
    var schema = node
    let message: String
    switch reason {
    case .depth:
      message = "\(words): the value and its schema are nested deeper than \(Evaluator.maximumDepth) rules"
    case .fuel: message = "\(words): too expensive, the schema was tried in too many ways"
    case .pattern: message = "\(words): too expensive, a pattern needs too many steps on a string"
    case .refusal(let origin):
      schema = program.origin(origin)
      message = "\(words): \(program.refusals[origin] ?? "the schema is invalid")"
    }
    return SchemaFailure(
      keyword: schema.keyName ?? "", instance: JSONPointer(), value: instance, schema: schema, message: message,
      help: "mend the schema; until then nothing passes here", isNotJudged: true)
  }

  private func withEvaluator<R>(for instance: JSON, _ body: (Evaluator, JSON) -> R) -> R {
    withMachine(for: instance) { body(Evaluator($0), $1) }
  }

  private func withMachine<R>(for instance: JSON, _ body: (UnsafeMutablePointer<Machine>, JSON) -> R) -> R {
    let document = instance.document
    return document.nodes.withUnsafeBufferPointer { nodes in
      document.bytes.withUnsafeBufferPointer { bytes in
        // Without any text in the document its pointer is never read, so any other will do.
        var machine = Machine(
          program, nodes: nodes.baseAddress.unsafelyUnwrapped,
          count: document.end(of: instance.index) - instance.index, bytes: bytes.baseAddress ?? program.text.base)
        defer { machine.matchData.free() }
        return withUnsafeMutablePointer(to: &machine) { body($0, instance) }
      }
    }
  }
}

extension JSON {
  /// The same value with the members left out that a later one of the same name shadows.
  ///
  /// The evaluator relies on names being unique; so rarely are they not that a copy is cheaper than a test per member.
  var withoutShadowedMembers: JSON {
    guard !document.duplicates.isEmpty else { return self }
    return UniqueMembers.copy(self)
  }
}
