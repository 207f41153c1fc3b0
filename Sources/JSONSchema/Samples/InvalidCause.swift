/// Finds the one keyword that a value breaks among the failures of the validator.
struct InvalidCause {
  /// Steps for one more validation of the value.
  let price: Int
  let attempt: SampleAttempt

  private static let choices: Set<String> = ["oneOf", "anyOf"]

  /// The one keyword and place that all failures agree on; two missing properties are two causes.
  func only(of failures: [SchemaFailure]) -> (keyword: String, instance: JSONPointer)? {
    // A choice fails because of a keyword inside one of its branches; a choice beside the cause fails by itself.
    let choices = failures.filter { Self.choices.contains($0.keyword) }
    let others = failures.filter { !Self.choices.contains($0.keyword) }
    let causes = others.isEmpty ? failures : others
    guard let first = causes.first, !causes.contains(where: \.isNotValidated) else { return nil }
    if causes.allSatisfy({ $0.instance == first.instance && $0.message == first.message }) {
      let isOne = choices.allSatisfy { choice in causes.contains { breaks($0, choice) } }
      return isOne ? (first.keyword, first.instance) : nil
    }
    // A value that fits no branch breaks the choice, however many keywords of the nearest branch it breaks.
    guard let choice = failures.first, Self.choices.contains(choice.keyword),
      causes.allSatisfy({ $0.instance == choice.instance && breaks($0, choice) })
    else { return nil }
    return (choice.keyword, choice.instance)
  }

  /// Whether a choice fails because of the cause, which is the choice itself or stands in one of its branches.
  private func breaks(_ cause: SchemaFailure, _ choice: SchemaFailure) -> Bool {
    let list = choice.schema
    // Most often the positions in the document are enough.
    if ([list] + list.elements.compactMap(attempt.reader.target)).contains(where: { $0.surrounds(cause.schema) }) {
      return true
    }
    // Behind more references it may stand anywhere.
    return list.elements.contains { branch in
      guard !attempt.budget.isSpent else { return false }
      attempt.budget.spend(price)
      return attempt.validator.failures(of: choice.value, by: branch).contains {
        $0.keyword == cause.keyword && $0.schema.id == cause.schema.id
      }
    }
  }
}

extension JSON {
  /// Whether another node is this one, or a part of it.
  fileprivate func surrounds(_ other: JSON) -> Bool {
    other.document === document && (index..<document.end(of: index)).contains(other.index)
  }
}
