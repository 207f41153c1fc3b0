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
    let (value, conflict) = attempt(schema, direction: direction)
    return value == nil ? conflict ?? SampleConflict(reason: "no value was found that fits", schema: schema) : nil
  }

  func sampling(of schema: JSON, direction: Direction, strategy: Strategy) -> Sampling {
    let start = Dice.hash(schema.pointer.description, onto: Dice.hash(seed))
    return Sampling(schemas: schemas, direction: direction, strategy: strategy, start: start, isPlain: seed == "0")
  }

  private func attempt(_ schema: JSON, direction: Direction) -> (value: JSON?, conflict: SampleConflict?) {
    let judge = schemas.schema(at: schema, direction: direction)
    var conflict: SampleConflict?
    for strategy in Strategy.inOrder {
      var sampling = sampling(of: schema, direction: direction, strategy: strategy)
      let value = sampling.value([schema], Place(name: "", depth: 0, ordinal: 0, salt: 0))
      if let value, judge.accepts(value) { return (value, nil) }
      conflict = conflict ?? sampling.conflicts.first
      if value != nil, conflict == nil {
        conflict = SampleConflict(reason: "every value that was tried breaks another keyword", schema: schema)
      }
    }
    // What makes the judge refuse everything stands before what the drafts ran into.
    let problem = judge.problems.first { $0.severity == .error || $0.rule == .patternTooLarge }
    return (nil, problem.map { SampleConflict(reason: $0.message, schema: schema) } ?? conflict)
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
