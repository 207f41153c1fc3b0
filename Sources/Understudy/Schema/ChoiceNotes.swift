/// Text for people about the branches of an `anyOf` or `oneOf`; made when a value is refused.
struct ChoiceNotes {
  /// A branch's name: that of the component it refers to, its title, or none.
  private let names: [String?]
  /// The property that names the branch.
  let property: String?
  /// The branch of each name that a reference has.
  private var named: [String: Int] = [:]
  /// The branch of each value that the discriminator maps.
  private var mapped: [String: Int] = [:]

  /// How to name the branches, and which one a discriminator means (OpenAPI 3.1.1, 4.8.25).
  init(_ list: JSON, discriminator: JSON?) {
    let references = list.elements.map { $0["$ref"]?.string }
    names = list.elements.map { branch in
      (branch["$ref"]?.string).flatMap { JSONPointer(fragment: URIReference($0).fragment ?? "")?.tokens.last }
        ?? branch["title"]?.string
    }
    property = discriminator?["propertyName"]?.string
    guard property != nil else { return }
    var targets: [String: Int] = [:]
    for (position, reference) in references.enumerated() {
      guard let reference else { continue }
      targets[reference] = targets[reference] ?? position
      if let name = names[position] { named[name] = named[name] ?? position }
    }
    for member in discriminator?["mapping"].map({ Array($0.members) }) ?? [] {
      guard let target = member.value.string else { continue }
      // A target that could be both is a name first; what another value is mapped to is none.
      mapped[member.name] = named[target] ?? targets[target]
    }
  }

  /// The branch that a value of the property means.
  func branch(of tag: String) -> Int? { mapped[tag] ?? named[tag] }

  /// All values that mean a branch.
  var tags: [String] { Set(mapped.keys).union(named.keys).sorted() }

  /// What to call a branch.
  func name(of branch: Int) -> String {
    if branch < names.count, let name = names[branch] { return Wording.name(name) }
    return "number \(branch + 1)"
  }
}
