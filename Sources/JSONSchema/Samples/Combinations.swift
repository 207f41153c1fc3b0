/// The ways to take a branch of every choice and a type, one after the other; those that no type fits are left out.
///
/// A walk through a tree: the last choice varies first, and the choices that a branch brings along come after all others.
struct Combinations {
  private let base: Conjunction
  private let place: Place
  /// One level for each choice that is made, with the conjunction before it was.
  private var levels: [Level] = []
  /// Conjunctions are given out with their type of this rank: the most fitting type of all comes before the next.
  private var rank = 0
  private var hasMoreTypes = false
  /// Whether all of them were given out.
  private(set) var isDone = false
  private var hasBegun = false

  private struct Level {
    var conjunction: Conjunction
    var order: [Int]
    var next = 0
  }

  init(_ base: Conjunction, _ place: Place) {
    self.base = base
    self.place = place
  }

  mutating func next(_ sampling: Sampling) -> Conjunction? {
    while !isDone, !sampling.effort.isSpent {
      if let found = walk(sampling) {
        let types = sampling.types(of: found)
        hasMoreTypes = hasMoreTypes || types.count > rank + 1
        guard rank < types.count else { continue }
        var typed = found
        typed.type = types[rank]
        return typed
      }
      guard !sampling.effort.isSpent else { return nil }
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

  /// The next conjunction with a branch taken of each choice; `nil` at the end.
  private mutating func walk(_ sampling: Sampling) -> Conjunction? {
    if !hasBegun {
      hasBegun = true
      guard !base.choices.isEmpty else { return base }
      levels = [level(base, sampling)]
    }
    while let level = levels.last, !sampling.effort.isSpent {
      guard level.next < level.order.count else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      let position = levels.count - 1
      var conjunction = level.conjunction
      // What the level holds takes room until its last branch is tried.
      sampling.effort.spend(2 + conjunction.parts.count / 2)
      let choice = conjunction.choices[position]
      let taken = level.order[level.next]
      if let (property, names) = choice.discriminator, !names[taken].isEmpty {
        conjunction.named.append((property, names[taken]))
      }
      sampling.add(choice.branches[taken], to: &conjunction)
      guard !conjunction.isImpossible, conjunction.allowed?.isEmpty != true else { continue }
      if position + 1 == conjunction.choices.count { return conjunction }
      levels.append(self.level(conjunction, sampling))
    }
    return nil
  }

  private func level(_ conjunction: Conjunction, _ sampling: Sampling) -> Level {
    let choice = conjunction.choices[levels.count]
    sampling.effort.spend(choice.branches.count)
    return Level(conjunction: conjunction, order: sampling.order(of: choice, place, salt: levels.count))
  }
}
