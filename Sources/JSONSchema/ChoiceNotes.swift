/// Text for people about the branches of an `anyOf` or `oneOf`; made when a value is refused.
struct ChoiceNotes {
  /// A branch's name: that of the component it refers to, its title, or none.
  private let names: [String?]
  /// The property that names the branch.
  let property: String?
  private let branchTags: BranchTags

  /// How to name the branches, and which one a discriminator means (OpenAPI 3.1.1, 4.8.25).
  init(_ list: JSON, discriminator: JSON?) {
    branchTags = BranchTags(list.elements, mapping: discriminator?["mapping"])
    names = zip(branchTags.names, list.elements).map { $0 ?? $1["title"]?.string }
    property = discriminator?["propertyName"]?.string
  }

  /// The branch that a value of the property means.
  func branch(of tag: String) -> Int? { branchTags.branches[tag] }

  /// All values that mean a branch.
  var tags: [String] { branchTags.branches.keys.sorted() }

  /// The name of a branch for messages.
  func name(of branch: Int) -> String {
    if branch < names.count, let name = names[branch] { return Wording.name(name) }
    return "number \(branch + 1)"
  }
}
