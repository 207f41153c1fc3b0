/// A compiled schema.
package final class Schema: Sendable {
  private let node: JSON
  private let program: Program
  private let root: Branch
  /// The problems of the schema itself; where they prevent validation, no value is accepted.
  package let problems: [Diagnostic]

  /// - Parameter position: Which of the program's roots it is.
  init(_ node: JSON, program: Program, root position: Int = 0, problems: [Diagnostic]) {
    self.node = node
    self.program = program
    root = program.roots[position]
    self.problems = problems
  }

  /// The result of a validation.
  package enum Verdict: Sendable {
    /// It fits.
    case accepted
    /// It does not fit; there is at least one failure.
    case refused([SchemaFailure])
    /// Unknown, as a part of the schema is invalid or validation costs too much; the failure has the reason.
    case notValidated(SchemaFailure)
  }

  /// Whether a value fits.
  package func accepts(_ instance: JSON) -> Bool { accepts(instance, fuel: nil) }

  /// The same within a cost; `fuel` is in units of `Evaluator.baseFuel`.
  package func accepts(_ instance: JSON, fuel: Int?) -> Bool {
    withEvaluator(for: instance.withoutShadowedMembers, fuel) { evaluator, instance in
      evaluator.apply(root, instance.index) && evaluator.stopped == nil
    }
  }

  /// Whether a value fits, as far as that is found out in so many steps; `nil` where they, or the limits of every validating,
  /// do not reach. Counts down the steps that were taken.
  func accepts(_ instance: JSON, steps: inout Int) -> Bool? {
    withEvaluator(for: instance.withoutShadowedMembers, nil) { evaluator, instance in
      let granted = min(evaluator.fuel, max(steps, 1))
      evaluator.refuel(granted)
      let fits = evaluator.apply(root, instance.index)
      switch evaluator.stopped {
      case nil: steps -= granted - evaluator.fuel
      case .fuel: steps -= granted
      case .depth, .stack, .digits: steps -= Evaluator.maximumDepth
      case .pattern: steps -= Self.stepsOfCostlyPattern
      // More steps would change nothing: the schema is broken where it meets this value.
      case .refusal:
        steps -= Evaluator.maximumDepth
        return false
      }
      return evaluator.stopped == nil ? fits : nil
    }
  }

  /// An abandoned search for a pattern counts as this.
  private static let stepsOfCostlyPattern = 200_000

  /// The size of the program: a measure for the cost of compiling it.
  var size: Int { program.code.count + program.entries.count }

  /// Whether there is nothing that a value could break.
  var acceptsEverything: Bool { root.kinds == .any && root.start == root.end }

  /// All that is wrong with a value, up to a limit; empty exactly when the value is accepted.
  ///
  /// - Parameter tellsMore: Whether a message at the end counts further failures.
  package func failures(_ instance: JSON, limit: Int = 100, tellsMore: Bool = false) -> [SchemaFailure] {
    switch verdict(instance, limit: limit, counts: tellsMore) {
    case .accepted: []
    case .refused(let failures): tellsMore ? failures : failures.filter { $0.kind != .more }
    case .notValidated(let reason): [reason]
    }
  }

  /// The result for a value, with failures up to a limit, and a closing message about those beyond it.
  ///
  /// The evaluator alone decides. What explaining costs comes out of a tank of its own, so that it can cut the list of
  /// failures short, but never turn a refusal into a doubt. Where the evaluator gave up, a failure that can be proved
  /// all the same refuses the value.
  ///
  /// - Parameters:
  ///   - counts: Whether failures beyond the limit are counted.
  ///   - fuel: What validation may cost, and the collection of failures again, in units of `Evaluator.baseFuel`; the usual bounds when left out.
  package func verdict(_ instance: JSON, limit: Int = 100, counts: Bool = true, fuel: Int? = nil) -> Verdict {
    withEvaluator(for: instance.withoutShadowedMembers, fuel) { evaluator, instance in
      let fits = evaluator.apply(root, instance.index)
      let stop = evaluator.stopped
      if fits, stop == nil { return .accepted }
      let size = instance.document.end(of: instance.index) - instance.index
      var collector = FailureCollector(evaluator, limit: max(limit, 1), counts: counts, size: size)
      collector.metered.fuel = fuel ?? collector.metered.fuel
      collector.run(root, instance)
      if let stop, collector.log.failures.isEmpty {
        return .notValidated(collector.log.remarks.first ?? collector.remark(stop, instance, at: node))
      }
      if collector.log.failures.isEmpty { collector.addWhole(instance, at: node) }
      let closing = collector.log.closing(instance, at: node, isSpent: collector.metered.isSpent)
      return .refused(collector.log.failures + collector.log.remarks + (closing.map { [$0] } ?? []))
    }
  }

  /// The annotations of a value that fits the schema; none for any other value (Core 2020-12, 7.7.1.2).
  ///
  /// - Parameters:
  ///   - output: That of the schema, which must come from a library that traces.
  ///   - limit: The most that is collected, in bytes of output.
  package func annotations(
    of instance: JSON, for output: SchemaOutput, limit: Int = AnnotationCollector.limit
  ) -> Annotations {
    withEvaluator(for: instance.withoutShadowedMembers, nil) { evaluator, instance in
      guard evaluator.apply(root, instance.index), evaluator.stopped == nil else { return Annotations() }
      evaluator.forget(downTo: 0)
      var collector = AnnotationCollector(evaluator, for: output, limit: limit)
      collector.collect(root, node, instance)
      var annotations = collector.annotations
      if let stop = evaluator.stopped {
        let reason = StopReason(stop, instance, at: node, evaluator.program)
        annotations.gap = "not all annotations are listed: " + reason.text
      }
      return annotations
    }
  }

  private func withEvaluator<R>(for instance: JSON, _ fuel: Int?, _ body: (Evaluator, JSON) -> R) -> R {
    let document = instance.document
    return document.nodes.withUnsafeBufferPointer { nodes in
      document.bytes.withUnsafeBufferPointer { bytes in
        let count = document.end(of: instance.index) - instance.index
        let sizeFuel = Evaluator.fuelPerNode * count + Evaluator.fuelPerByte * bytes.count
        // Without any text in the document its pointer is never read, so any other will do.
        var state = EvaluationState(
          program, nodes: nodes.baseAddress.unsafelyUnwrapped, count: count,
          bytes: bytes.baseAddress ?? program.text.base, fuel: fuel ?? Evaluator.baseFuel + sizeFuel)
        defer { state.free() }
        return withUnsafeMutablePointer(to: &state) { body(Evaluator($0), instance) }
      }
    }
  }
}

extension JSON {
  /// The same value with the members left out that a later one of the same name shadows.
  ///
  /// The evaluator relies on names being unique; so rarely are they not that a copy is cheaper than a test per member.
  package var withoutShadowedMembers: JSON {
    guard !document.duplicates.isEmpty else { return self }
    return UniqueMembers.copy(self)
  }
}
