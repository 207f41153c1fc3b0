/// Texts that match the patterns of a schema, and texts composed of such matches.
struct PatternedTexts {
  private let budget: GenerationBudget
  private let samplers: [PatternSampler]
  private let format: String?
  private let natural: String
  private let lengths: ClosedRange<Int>

  init(
    _ attempt: SampleAttempt, _ schema: SchemaIntersection, patterns: [String], _ natural: String,
    _ lengths: ClosedRange<Int>
  ) {
    budget = attempt.budget
    samplers = patterns.compactMap { attempt.cache.sampler($0) }
    format = schema.format
    self.natural = natural
    self.lengths = lengths
  }

  /// The first result for the texts of a turn; later turns have longer texts.
  func first(_ turn: Int, _ random: inout SeededGenerator, where result: (String) -> JSON?) -> JSON? {
    // A lookahead may need room.
    let wanted = min(max(lengths.lowerBound, turn % 6 * 3), lengths.upperBound)
    let texts = samplers.compactMap { budget.match(of: $0, atLeast: wanted, atMost: lengths.upperBound, &random) }
    for text in texts.flatMap({ [$0, fit($0)] }) where text.unicodeScalars.count <= lengths.upperBound {
      if let value = result(text) { return value }
    }
    for text in joined(texts, turn, &random) + replaced(turn, &random)
    where lengths.contains(text.unicodeScalars.count) {
      if let value = result(text) { return value }
    }
    return nil
  }

  private func fit(_ text: String) -> String { SampleText.fit(text, lengths.lowerBound, lengths.upperBound) }

  /// Texts with parts of several patterns.
  private func joined(_ texts: [String], _ turn: Int, _ random: inout SeededGenerator) -> [String] {
    guard samplers.count > 1, samplers.count == texts.count else { return [] }
    // Without fillers: `[A-Z]` alone is one capital.
    let cores = samplers.compactMap { budget.match(of: $0, atLeast: 0, atMost: lengths.upperBound, &random) }
    return [fit(cores.joined())]
      + texts.map { base in
        var text = Array(base.unicodeScalars)
        var next = turn % 3
        for core in cores where core != base {
          for scalar in core.unicodeScalars where next < text.count {
            text[next] = scalar
            next += 1
          }
        }
        return String(String.UnicodeScalarView(text))
      }
  }

  /// Texts of the format with their start or end replaced by the match of a pattern.
  private func replaced(_ turn: Int, _ random: inout SeededGenerator) -> [String] {
    guard let format, turn < 4 else { return [] }
    let whole = ([natural] + FormatSamples.varied(format)).dropFirst(turn).first ?? natural
    let scalars = Array(whole.unicodeScalars)
    var texts: [String] = []
    for sampler in samplers {
      guard let core = budget.match(of: sampler, atLeast: 0, atMost: lengths.upperBound, &random) else { continue }
      for cut in 0...min(scalars.count, 40) where !budget.isSpent {
        budget.spend(on: core)
        texts.append(core + String(String.UnicodeScalarView(scalars[cut...])))
        texts.append(String(String.UnicodeScalarView(scalars.dropLast(cut))) + core)
      }
    }
    return texts
  }
}
