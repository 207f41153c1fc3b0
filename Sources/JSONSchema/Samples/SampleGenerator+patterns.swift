extension SampleGenerator {
  /// A text that a pattern is found in; `nil` when none was made.
  package func sample(matching pattern: Pattern) -> String? {
    guard let sampler = PatternSampler(pattern.text) else { return nil }
    let effort = SampleEffort()
    let start = Dice.hash(pattern.text, onto: Dice.hash(seed))
    for turn in 0..<8 {
      var dice = Dice(state: Dice.hash(turn, onto: start), isPlain: seed == "0" && turn == 0, ordinal: 0)
      // Longer ones come later: a lookahead may need room.
      guard let text = effort.match(of: sampler, atLeast: turn * 3, atMost: 200, &dice) else { continue }
      if pattern.matches(text) == .yes { return text }
    }
    return nil
  }
}
