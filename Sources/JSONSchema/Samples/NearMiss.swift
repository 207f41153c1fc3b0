package import SourceText

/// A value that breaks exactly one keyword at one place.
package struct NearMiss: Sendable {
  package var value: JSON
  /// The keyword that is broken: `minLength`, `required`, `additionalProperties`.
  package var keyword: String
  /// The way to the value that breaks it.
  package var instance: JSONPointer
}

extension SampleGenerator {
  /// No more are made; a reader wants one of each, not all that are thinkable.
  package static let maximumNearMisses = 500

  /// Values that miss the schema by one keyword each, in document order of the sample they are made from.
  ///
  /// Where the schema has alternatives, the choice around the broken keyword fails too; it is not counted.
  package func nearMisses(
    of schema: JSON, direction: Direction, limit: Int = maximumNearMisses
  ) -> [NearMiss] {
    guard let whole = sample(of: schema, direction: direction) else { return [] }
    let judge = schemas.schema(at: schema, direction: direction)
    let effort = SampleEffort()
    var sampling = sampling(
      of: schema, direction: direction, strategy: Strategy(usesExamples: false, fillsOptional: false), effort: effort)
    // What judging the whole costs, every failure costs at least.
    _ = effort.accepts(whole, judge)
    let price = SampleEffort.whole - effort.left
    var misses: [NearMiss] = []
    var seen: Set<String> = []
    var pending = [(value: whole, schemas: [schema], pointer: JSONPointer())]
    while let (value, origins, pointer) = pending.popLast(), misses.count < limit, !effort.isSpent {
      let conjunction = sampling.conjunction(of: origins, matching: value)
      for attempt in sampling.misses(of: value, conjunction) where !effort.isSpent {
        effort.spend(price)
        let candidate = whole.replacing(pointer.tokens[...], with: attempt.value)
        guard let (keyword, instance) = sampling.onlyCause(judge.failures(candidate), price) else { continue }
        guard seen.insert("\(keyword) \(instance) \(attempt.tag)").inserted else { continue }
        misses.append(NearMiss(value: candidate, keyword: keyword, instance: instance))
      }
      guard pointer.tokens.count < Sampling.maximumDepth else { continue }
      pending += sampling.children(of: value, conjunction).reversed().map { ($0.value, $0.schemas, pointer + $0.token) }
    }
    return misses
  }
}

extension Sampling {
  private static let choices: Set<String> = ["oneOf", "anyOf"]

  /// The one keyword and place that all failures agree on; two missing properties are two things.
  ///
  /// - Parameter price: What it costs to judge a value once more.
  fileprivate func onlyCause(_ failures: [SchemaFailure], _ price: Int) -> (String, JSONPointer)? {
    // An alternative fails because of what stands deeper in it; one beside the cause fails by itself.
    let choices = failures.filter { Self.choices.contains($0.keyword) }
    let others = failures.filter { !Self.choices.contains($0.keyword) }
    let causes = others.isEmpty ? failures : others
    guard let first = causes.first, !causes.contains(where: \.isNotJudged) else { return nil }
    if causes.allSatisfy({ $0.instance == first.instance && $0.message == first.message }) {
      let isOne = choices.allSatisfy { choice in causes.contains { breaks($0, choice, price) } }
      return isOne ? (first.keyword, first.instance) : nil
    }
    // A value that no branch has a use for breaks the choice, however many keywords of the nearest branch it breaks.
    guard let choice = failures.first, Self.choices.contains(choice.keyword),
      causes.allSatisfy({ $0.instance == choice.instance && breaks($0, choice, price) })
    else { return nil }
    return (choice.keyword, choice.instance)
  }

  /// Whether a choice fails because of the cause, which is the choice itself, or stands in one of its branches.
  private func breaks(_ cause: SchemaFailure, _ choice: SchemaFailure, _ price: Int) -> Bool {
    let list = choice.schema
    // Most often a look at the places is enough.
    if ([list] + list.elements.compactMap(target)).contains(where: { $0.surrounds(cause.schema) }) { return true }
    // Behind more references it may stand anywhere.
    return list.elements.contains { branch in
      guard !effort.isSpent else { return false }
      effort.spend(price)
      return judge(of: branch).failures(choice.value).contains {
        $0.keyword == cause.keyword && SchemaSpot($0.schema) == SchemaSpot(cause.schema)
      }
    }
  }
}

extension Sampling {
  /// The conjunction with the branches that the value takes.
  func conjunction(of origins: [JSON], matching value: JSON) -> Conjunction {
    var conjunction = conjunction(of: origins)
    var position = 0
    while position < conjunction.choices.count, !effort.isSpent {
      let branches = conjunction.choices[position].branches
      if let taken = branches.first(where: { accepts(value, $0) }) { add(taken, to: &conjunction) }
      position += 1
    }
    return conjunction
  }

  /// The members or elements of a value with the schemas that apply to them; of an array the first element.
  func children(of value: JSON, _ conjunction: Conjunction) -> [(value: JSON, schemas: [JSON], token: String)] {
    let elements = value.elements.prefix(1).map { ($0, elementSchemas(conjunction, at: 0), "0") }
    let members = value.members.map { ($0.value, propertySchemas(conjunction, $0.name), $0.name) }
    return (elements + members).filter { !$0.1.isEmpty }
  }
}

extension JSON {
  /// Whether another node is this one, or a part of it.
  fileprivate func surrounds(_ other: JSON) -> Bool {
    other.document === document && (index..<document.end(of: index)).contains(other.index)
  }

  /// The document with another value in one place.
  func replacing(_ way: ArraySlice<String>, with value: JSON) -> JSON {
    guard let token = way.first else { return value }
    let rest = way.dropFirst()
    if isArray {
      return .array(elements.enumerated().map { String($0) == token ? $1.replacing(rest, with: value) : $1 })
    }
    return .object(
      members.map { ($0.name, $0.key.isString(token) ? $0.value.replacing(rest, with: value) : $0.value) })
  }
}
