extension ResolvedSchema {
  /// Whether the schema has `oneOf`, `anyOf` or `discriminator`.
  package var hasAlternatives: Bool { has(.oneOf, .anyOf, .discriminator) }

  /// The name of the alternative that a value is: the value of the discriminator, else the name of the only branch that
  /// accepts it. A branch has the name of the schema that it refers to, or its title.
  package func branchName(of value: JSON) -> String? {
    for part in parts {
      if let property = part[.discriminator]?["propertyName"]?.string, let tag = value[property]?.string { return tag }
      for keyword in [Keyword.oneOf, .anyOf] {
        let branches = part.elements(of: keyword)
        if branches.count > 1, let name = name(of: value, among: branches) { return name }
      }
    }
    return nil
  }

  private func name(of value: JSON, among branches: [JSON]) -> String? {
    guard let library else { return nil }
    let accepting = branches.filter { library.schema(at: $0, direction: .response).accepts(value) }
    guard accepting.count == 1 else { return nil }
    return accepting[0]["$ref"]?.string.flatMap(BranchTags.name) ?? accepting[0]["title"]?.string
  }
}
