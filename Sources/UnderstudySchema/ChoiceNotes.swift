/// The names of the branches of an `anyOf` or `oneOf`, for messages about a refused value.
struct ChoiceNotes {
  /// The name of each branch: that of the component it refers to, its title, or none.
  private let names: [String?]
  /// The property that names the branch.
  let property: String?
  private let branchTags: BranchTags

  /// Reads the names of the branches, and the discriminator (OpenAPI 3.1.1, 4.8.25).
  init(_ list: JSON, discriminator: JSON?) {
    branchTags = BranchTags(list.elements, mapping: discriminator?["mapping"])
    names = zip(branchTags.names, list.elements).map { $0 ?? $1["title"]?.string }
    property = discriminator?["propertyName"]?.string
  }

  /// The branch that a value of the property selects.
  func branch(of tag: String) -> Int? { branchTags.branches[tag] }

  /// All values that select a branch.
  var tags: [String] { branchTags.branches.keys.sorted() }

  /// The name of a branch for messages.
  func name(of branch: Int) -> String {
    if branch < names.count, let name = names[branch] { return Wording.name(name) }
    return "number \(branch + 1)"
  }
}
