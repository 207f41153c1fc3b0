/// Finds the single keyword that a value breaks among its failures.
struct InvalidCause {
  /// The steps for another validation of the value.
  let price: Int
  let attempt: SampleAttempt

  private static let choices: Set<String> = ["oneOf", "anyOf"]

  /// The common keyword and location of all failures; two missing properties are two causes.
  func only(of failures: [SchemaFailure]) -> (keyword: String, instance: JSONPointer)? {
    // A choice fails because of a keyword in one of its branches; any other choice is another cause.
    let choices = failures.filter { Self.choices.contains($0.keyword) }
    let others = failures.filter { !Self.choices.contains($0.keyword) }
    let causes = others.isEmpty ? failures : others
    guard let first = causes.first, !causes.contains(where: \.isNotValidated) else { return nil }
    if causes.allSatisfy({ $0.instance == first.instance && $0.message == first.message }) {
      let isOne = choices.allSatisfy { choice in causes.contains { breaks($0, choice) } }
      return isOne ? (first.keyword, first.instance) : nil
    }
    // A value that fits no branch breaks the choice, with any number of failures in the nearest branch.
    guard let choice = failures.first, Self.choices.contains(choice.keyword),
      causes.allSatisfy({ $0.instance == choice.instance && breaks($0, choice) })
    else { return nil }
    return (choice.keyword, choice.instance)
  }

  /// Whether a choice fails because of the cause, which is the choice itself or is in one of its branches.
  private func breaks(_ cause: SchemaFailure, _ choice: SchemaFailure) -> Bool {
    let list = choice.schema
    // Usually the positions in the document suffice.
    if ([list] + list.elements.compactMap(attempt.reader.target)).contains(where: { $0.surrounds(cause.schema) }) {
      return true
    }
    // Further references may lead to it.
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
