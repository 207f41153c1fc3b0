package import SourceText

/// Makes values that fit a schema, and values that miss it by one keyword.
///
/// A value is drafted from the keywords, then judged by the validator that judges everything else; a draft that
/// it rejects is never shown. The same seed and schema give the same bytes on every machine. Seed `0` gives plain
/// values with their optional properties; any other seed varies values, branches and what is left out.
package struct SampleGenerator: Sendable {
  let schemas: SchemaLibrary
  let seed: String

  package init(schemas: SchemaLibrary, seed: String) {
    self.schemas = schemas
    self.seed = seed
  }

  /// A value that the schema accepts; `nil` when none was found (see `conflict`).
  package func sample(of schema: JSON, direction: Direction) -> JSON? {
    attempt(schema, direction: direction).value
  }

  /// Why no value was found; `nil` when there is one.
  package func conflict(of schema: JSON, direction: Direction = .either) -> SampleConflict? {
    attempt(schema, direction: direction).conflict
  }

  /// Whether there is nothing that a value could break.
  package func acceptsEverything(_ schema: JSON, direction: Direction) -> Bool {
    schemas.schema(at: schema, direction: direction).acceptsEverything
  }

  func sampling(
    of schema: JSON, direction: Direction, strategy: Strategy, effort: SampleEffort = SampleEffort()
  ) -> Sampling {
    let start = Dice.hash(schema.pointer.description, onto: Dice.hash(seed))
    return Sampling(
      schemas: schemas, direction: direction, strategy: strategy, effort: effort, start: start, isPlain: seed == "0")
  }

  /// A value that the schema accepts, or why none was found.
  package func attempt(
    _ schema: JSON, direction: Direction
  ) -> (value: JSON?, conflict: SampleConflict?) {
    let judge = schemas.schema(at: schema, direction: direction)
    let effort = SampleEffort()
    var conflict: SampleConflict?
    for strategy in Strategy.inOrder where conflict == nil || effort.hasMore {
      effort.beginAttempt()
      var sampling = sampling(of: schema, direction: direction, strategy: strategy, effort: effort)
      if let value = sampling.value([schema], .root) {
        if effort.accepts(value, judge) { return (value, nil) }
        let reason =
          effort.isJudgingTooCostly
          ? "judging a value takes too many steps" : "every value that was tried breaks another keyword"
        conflict = conflict ?? SampleConflict(reason: reason, schema: schema)
        continue
      }
      conflict = conflict ?? sampling.conflict
      // A keyword that is ignored for its value excludes nothing; those that the proof rests on are not ignored.
      if let proof = sampling.conflict, proof.isProof, !strategy.keepsHidden, judge.problems.allSatisfy(proof.names) {
        return (nil, proof)
      }
    }
    conflict?.isProof = false
    // What makes the judge refuse everything stands before what the drafts ran into.
    let problem = judge.problems.first { $0.severity == .error || $0.rule == .patternTooLarge }
    return (
      nil,
      problem.map { SampleConflict(reason: $0.message, schema: schema, isProof: true) } ?? conflict
        ?? SampleConflict(reason: "it takes too many steps", schema: schema)
    )
  }
}

/// How a draft is made; the later ones trade beauty for the chance to fit.
struct Strategy: Sendable {
  /// Examples and defaults are taken where they fit.
  var usesExamples = true
  /// Optional properties are filled in.
  var fillsOptional = true
  /// Every part is judged on its own, so that one that cannot fit is left out or made again.
  var judgesParts = false
  /// Keywords beside `$ref` count (they do since draft 2019-09, and do no harm before, mostly).
  var readsBesideReference = true
  /// Required properties of the other direction are kept: JSON Schema itself knows no direction.
  var keepsHidden = false
  /// Chosen at random even where the seed asks for plain values.
  var rolls = false

  static let inOrder: [Strategy] = [
    Strategy(),
    Strategy(judgesParts: true),
    Strategy(fillsOptional: false, judgesParts: true),
    Strategy(usesExamples: false, judgesParts: true, keepsHidden: true),
    Strategy(usesExamples: false, fillsOptional: false, judgesParts: true, readsBesideReference: false),
    Strategy(usesExamples: false, judgesParts: true, readsBesideReference: false, keepsHidden: true, rolls: true),
    Strategy(usesExamples: false, fillsOptional: false, judgesParts: true, keepsHidden: true, rolls: true),
  ]
}
