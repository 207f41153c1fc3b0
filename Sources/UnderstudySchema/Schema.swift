/// A compiled schema.
package final class Schema: Sendable {
  private let node: JSON
  private let source: ProgramSource
  /// The program of the source, if it stays.
  private let kept: Program?
  private let position: Int
  /// The size of the program of this schema alone, a measure of the cost of compiling it.
  let size: Int
  /// The problems of the schema itself; values that need a broken part are not accepted.
  package let problems: [Diagnostic]
  private let library: SchemaLibrary

  init(_ node: JSON, _ place: SchemaLibrary.ProgramPlace, in library: SchemaLibrary) {
    self.node = node
    source = place.source
    kept = place.source.kept
    position = place.root
    size = place.size
    problems = place.problems
    self.library = library
  }

  private var program: Program {
    kept ?? source.program(withRoot: position) ?? library.compileAgain(source, withRoot: position)
  }

  /// Whether a value is valid.
  package func accepts(_ instance: JSON, within budget: WorkBudget? = nil) -> Bool {
    accepts(instance, fuel: nil, within: budget)
  }

  /// Whether a value is valid within a cost, in units of `Evaluator.baseFuel`.
  package func accepts(_ instance: JSON, fuel: Int?, within budget: WorkBudget? = nil) -> Bool {
    withEvaluator(for: instance.withoutShadowedMembers, fuel, budget) { evaluator, root, instance in
      evaluator.apply(root, instance.index) && evaluator.stopped == nil
    }
  }

  /// Whether a value is valid; `nil` if a number of steps or another limit does not suffice. Subtracts the steps taken.
  func accepts(_ instance: JSON, steps: inout Int, within budget: WorkBudget?) -> Bool? {
    withEvaluator(for: instance.withoutShadowedMembers, nil, budget) { evaluator, root, instance in
      let granted = min(evaluator.fuel, max(steps, 1))
      evaluator.refuel(granted)
      let fits = evaluator.apply(root, instance.index)
      switch evaluator.stopped {
      case nil: steps -= granted - evaluator.fuel
      case .fuel: steps -= granted
      case .depth, .stack, .digits: steps -= Evaluator.maximumDepth
      case .pattern: steps -= Self.stepsOfCostlyPattern
      // More steps do not help: the value needs a broken part of the schema.
      case .refusal:
        steps -= Evaluator.maximumDepth
        return false
      }
      return evaluator.stopped == nil ? fits : nil
    }
  }

  /// The steps of an abandoned search for a pattern.
  private static let stepsOfCostlyPattern = 200_000

  /// Whether the schema accepts every value.
  var acceptsEverything: Bool {
    let root = program.roots[position]
    return root.kinds == .any && root.start == root.end
  }

  /// The failures of a value, up to a limit; empty if and only if the value is valid.
  ///
  /// - Parameter countsMore: Whether a closing message counts further failures.
  package func failures(
    _ instance: JSON, limit: Int = 100, countsMore: Bool = false, within budget: WorkBudget? = nil
  ) -> [SchemaFailure] {
    switch verdict(instance, limit: limit, counts: countsMore, within: budget) {
    case .accepted: []
    case .refused(let failures): countsMore ? failures : failures.filter { $0.kind != .more }
    case .notValidated(let reason): [reason]
    }
  }

  /// The result for a value, with failures up to a limit, and a closing message about those beyond it.
  ///
  /// The evaluator alone decides. Collecting failures has its own fuel, so that it may shorten the list of failures but
  /// not change the result. If the evaluator stopped, a proven failure still refuses the value.
  ///
  /// - Parameters:
  ///   - counts: Whether to count failures beyond the limit.
  ///   - fuel: The cost of validation, and of collecting failures, in units of `Evaluator.baseFuel`; `nil` for the
  ///     usual limits.
  ///   - budget: Pays for both.
  package func verdict(
    _ instance: JSON, limit: Int = 100, counts: Bool = true, fuel: Int? = nil, within budget: WorkBudget? = nil
  ) -> SchemaVerdict {
    withEvaluator(for: instance.withoutShadowedMembers, fuel, budget) { evaluator, root, instance in
      let fits = evaluator.apply(root, instance.index)
      let stop = evaluator.stopped
      if fits, stop == nil { return .accepted }
      let size = instance.document.end(of: instance.index) - instance.index
      var collector = FailureCollector(evaluator, limit: max(limit, 1), counts: counts, size: size)
      collector.metered.fuel = fuel ?? collector.metered.fuel
      Self.run(&collector, root, instance, within: budget)
      if let stop, collector.log.failures.isEmpty {
        return .notValidated(collector.log.remarks.first ?? collector.remark(stop, instance, at: node))
      }
      if collector.log.failures.isEmpty { collector.addWhole(instance, at: node) }
      let closing = collector.log.closing(instance, at: node, isSpent: collector.metered.isSpent)
      return .refused(collector.log.failures + collector.log.remarks + (closing.map { [$0] } ?? []))
    }
  }

  /// Collects failures within a budget, of which the evaluation has not taken its part yet.
  private static func run(
    _ collector: inout FailureCollector, _ root: Branch, _ instance: JSON, within budget: WorkBudget?
  ) {
    let evaluator = collector.evaluator
    let (own, before) = (collector.metered.fuel, evaluator.spent)
    let granted = budget.map { max($0.grant(own + before) - before, 0) } ?? own
    collector.metered.fuel = granted
    collector.run(root, instance)
    // The questions that the collector asked are work of the evaluator.
    evaluator.addWork(max(0, granted - max(collector.metered.fuel, 0) - (evaluator.spent - before)))
    if granted < own, collector.metered.isSpent { budget?.take(0, isShort: true) }
  }

  /// The annotations of a valid value; none for others (Core 2020-12, 7.7.1.2).
  ///
  /// - Parameters:
  ///   - output: The output of the schema, which must be from a library that traces.
  ///   - limit: The most bytes of output.
  package func annotations(
    of instance: JSON, for output: SchemaOutput, limit: Int = AnnotationCollector.limit
  ) -> Annotations {
    withEvaluator(for: instance.withoutShadowedMembers, nil, nil) { evaluator, root, instance in
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

  private func withEvaluator<R>(
    for instance: JSON, _ fuel: Int?, _ budget: WorkBudget?, _ body: (Evaluator, Branch, JSON) -> R
  ) -> R {
    // A program that stays is used without counting one more reference to it.
    if let kept { return Self.withEvaluator(of: kept, kept.roots[position], for: instance, fuel, budget, body) }
    let program = program
    return Self.withEvaluator(of: program, program.roots[position], for: instance, fuel, budget, body)
  }

  private static func withEvaluator<R>(
    of program: Program, _ root: Branch, for instance: JSON, _ fuel: Int?, _ budget: WorkBudget?,
    _ body: (Evaluator, Branch, JSON) -> R
  ) -> R {
    let document = instance.document
    return document.nodes.withUnsafeBufferPointer { nodes in
      document.bytes.withUnsafeBufferPointer { bytes in
        let count = document.end(of: instance.index) - instance.index
        let sizeFuel = Evaluator.fuelPerNode * count + Evaluator.fuelPerByte * bytes.count
        let wanted = fuel ?? Evaluator.baseFuel + sizeFuel
        let granted = budget?.grant(wanted) ?? wanted
        // The pointer is not read in a document without text.
        var state = EvaluationState(
          program, nodes: nodes.baseAddress.unsafelyUnwrapped, count: count,
          bytes: bytes.baseAddress ?? program.text.base, fuel: granted)
        defer {
          budget?.take(state.spent, isShort: state.ranShort && granted < wanted)
          state.free()
          withExtendedLifetime(program) {}
        }
        return withUnsafeMutablePointer(to: &state) { body(Evaluator($0), root, instance) }
      }
    }
  }
}

/// The result of a validation.
package enum SchemaVerdict: Sendable {
  /// The value is valid.
  case accepted
  /// The value is invalid, with at least one failure.
  case refused([SchemaFailure])
  /// Unknown, because a part of the schema is broken or validation costs too much; the failure has the reason.
  case notValidated(SchemaFailure)
}

extension JSON {
  /// The same value without members that a later one of the same name shadows.
  ///
  /// The evaluator needs unique names. Duplicates are so rare that a copy is cheaper than a test for each member.
  package var withoutShadowedMembers: JSON {
    document.duplicates.isEmpty ? self : UniqueMembers.copy(self)
  }
}
