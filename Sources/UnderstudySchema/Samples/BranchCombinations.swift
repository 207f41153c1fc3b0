/// The combinations of a branch of every choice and a type, without those that allow no type.
///
/// A walk through a tree: the last choice varies first, and the choices of a branch follow all others.
struct BranchCombinations {
  private let attempt: SampleAttempt
  private let base: SchemaIntersection
  private let place: SamplePlace
  /// One level for each choice, with the schemas before it.
  private var levels: [Level] = []
  /// The rank of the types in this pass: the most fitting type of each combination comes before the next one.
  private var rank = 0
  private var hasMoreTypes = false
  /// Whether all combinations were returned.
  private(set) var isDone = false
  private var hasBegun = false

  private struct Level {
    let schema: SchemaIntersection
    let order: [Int]
    var next = 0
  }

  init(_ attempt: SampleAttempt, _ base: SchemaIntersection, _ place: SamplePlace) {
    self.attempt = attempt
    self.base = base
    self.place = place
  }

  mutating func next() -> SchemaIntersection? {
    while !isDone, !attempt.budget.isSpent {
      if let found = walk() {
        let types = SampleTypes.of(found)
        hasMoreTypes = hasMoreTypes || types.count > rank + 1
        guard rank < types.count else { continue }
        var typed = found
        typed.type = types[rank]
        return typed
      }
      guard !attempt.budget.isSpent else { return nil }
      if hasMoreTypes {
        rank += 1
        hasMoreTypes = false
        hasBegun = false
      } else {
        isDone = true
      }
    }
    return nil
  }

  /// The next combination of branches; `nil` at the end.
  private mutating func walk() -> SchemaIntersection? {
    if !hasBegun {
      hasBegun = true
      guard !base.choices.isEmpty else { return base }
      levels = [level(base)]
    }
    while let level = levels.last, !attempt.budget.isSpent {
      guard level.next < level.order.count else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      let position = levels.count - 1
      var schema = level.schema
      // A level uses memory until its last branch is tried.
      attempt.budget.spend(2 + schema.parts.count / 2)
      schema.take(level.order[level.next], of: schema.choices[position], attempt.reader)
      guard !schema.isImpossible, schema.allowed?.isEmpty != true else { continue }
      if position + 1 == schema.choices.count { return schema }
      levels.append(self.level(schema))
    }
    return nil
  }

  private func level(_ schema: SchemaIntersection) -> Level {
    let choice = schema.choices[levels.count]
    attempt.budget.spend(choice.branches.count)
    return Level(schema: schema, order: order(of: choice, salt: levels.count))
  }

  /// The branches in the order of attempts.
  private func order(of choice: SchemaIntersection.Choice, salt: Int) -> [Int] {
    var random = attempt.random(at: place.salted(salt))
    let count = choice.branches.count
    let first = random.number(below: count)
    let turned = (0..<count).map { ($0 + first) % count }
    let ranks = choice.branches.map(rank)
    return turned.enumerated().sorted { (ranks[$0.element], $0.offset) < (ranks[$1.element], $1.offset) }.map(\.element)
  }

  /// The rank of a branch: recursive branches and `null` come last.
  private func rank(_ branch: [JSON]) -> Int {
    attempt.budget.spend(branch.count)
    var rank = 0
    for schema in branch {
      if schema["type"]?.string == "null" { rank += 1 }
      if let target = attempt.reader.target(of: schema), place.around.contains(target.id) { rank += 2 }
      if place.depth >= SampleAttempt.optionalDepth { rank += 3 * attempt.recursion.height(schema, limit: 5) }
    }
    return rank
  }
}
