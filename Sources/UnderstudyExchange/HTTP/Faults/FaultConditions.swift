/// The conditions of a response that is chosen from outside: `@20%`, `@after:3@10s..30s`.
package struct FaultConditions: Sendable, Hashable {
  /// The conditions as they were written, each after an `@`.
  package let text: String
  /// All must hold.
  private let conditions: [FaultCondition]

  /// - Throws: The problem of the first condition that cannot be read.
  package init(_ text: String) throws(TextProblem) {
    self.text = text
    var conditions: [FaultCondition] = []
    for part in text.split(separator: "@", omittingEmptySubsequences: false).dropFirst() {
      conditions.append(try FaultConditionReader(text: text).read(part))
    }
    self.conditions = conditions
  }

  /// Splits `500@20%` before its conditions; `nil` for a string without readable conditions, such as a name with an `@`.
  package static func split(_ text: String) -> (rest: String, conditions: FaultConditions)? {
    for index in text.indices where text[index] == "@" && index > text.startIndex {
      if let conditions = try? FaultConditions(String(text[index...])) { return (String(text[..<index]), conditions) }
    }
    return nil
  }

  /// Whether all hold for a request, by the arguments that `FaultPlan.outcome(seed:key:turn:elapsed:)` takes.
  package func hold(seed: String, key: String, turn: Int, elapsed: Duration) -> Bool {
    var random = SeededGenerator(state: StableHash.of([seed, key, String(turn)]), isPlain: false, ordinal: 0)
    return conditions.allSatisfy { $0.holds(turn: turn, elapsed: elapsed, &random) }
  }
}

extension FaultConditions: Codable {
  /// Reads the text of conditions; throws a `DecodingError` with the problem of the text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(TextProblem) {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
