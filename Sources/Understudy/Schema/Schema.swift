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

  /// All that is wrong with a value, up to a limit; empty exactly when the value is accepted.
  ///
  /// - Parameter tellsMore: Whether a word at the end says that there are more.
  package func failures(_ instance: JSON, limit: Int = 100, tellsMore: Bool = false) -> [SchemaFailure] {
    switch verdict(instance, limit: limit, counts: tellsMore) {
    case .accepted: []
    case .refused(let failures): tellsMore ? failures : failures.filter { $0.kind != .more }
    case .notJudged(let reason): [reason]
    }
  }

  /// What the schema says about a value, with failures up to a limit, and a word about those beyond it.
  ///
  /// The evaluator alone decides. What explaining costs comes out of a tank of its own, so that it can cut the list of
  /// failures short, but never turn a refusal into a doubt. Where the evaluator gave up, a failure that can be proved
  /// all the same refuses the value.
  ///
  /// - Parameter counts: Whether failures beyond the limit are counted.
  package func verdict(_ instance: JSON, limit: Int = 100, counts: Bool = true) -> Verdict {
    withEvaluator(for: instance.withoutShadowedMembers) { evaluator, instance in
      let fits = evaluator.apply(root, instance.index)
      let stop = evaluator.stopped
      if fits, stop == nil { return .accepted }
      let size = instance.document.end(of: instance.index) - instance.index
      var explainer = Explainer(evaluator, limit: max(limit, 1), counts: counts, size: size)
      explainer.run(root, instance)
      if let stop, explainer.failures.isEmpty {
        return .notJudged(explainer.remarks.first ?? explainer.remark(stop, instance, at: node))
      }
      if explainer.failures.isEmpty { explainer.addWhole(root, instance, at: node) }
      return .refused(
        explainer.failures + explainer.remarks + (explainer.closing(instance, at: node).map { [$0] } ?? []))
    }
  }

  private func withEvaluator<R>(for instance: JSON, _ body: (Evaluator, JSON) -> R) -> R {
    let document = instance.document
    return document.nodes.withUnsafeBufferPointer { nodes in
      document.bytes.withUnsafeBufferPointer { bytes in
        // Without any text in the document its pointer is never read, so any other will do.
        var machine = Machine(
          program, nodes: nodes.baseAddress.unsafelyUnwrapped,
          count: document.end(of: instance.index) - instance.index, bytes: bytes.baseAddress ?? program.text.base)
        defer { machine.matchData.free() }
        return withUnsafeMutablePointer(to: &machine) { body(Evaluator($0), instance) }
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
