/// The values of a discriminator property that distinguish the branches of a choice (OpenAPI 3.1.1, 4.8.25).
struct BranchTags {
  /// The name of the schema that each branch refers to.
  let names: [String?]
  /// The branch of each value.
  let branches: [String: Int]
  private let mapped: [Int: String]

  init(_ list: some Sequence<JSON>, mapping: JSON?) {
    let references = list.map { $0["$ref"]?.string }
    names = references.map { $0.flatMap(Self.name) }
    var named: [String: Int] = [:]
    for (position, name) in names.enumerated() { if let name { named[name] = named[name] ?? position } }
    var branches = named
    var mapped: [Int: String] = [:]
    for entry in mapping.map({ Array($0.members) }) ?? [] {
      guard let target = entry.value.string else { continue }
      // A target that could be a name or a reference is a name first.
      guard
        let position = named[target] ?? references.firstIndex(of: target) ?? Self.name(target).flatMap({ named[$0] })
      else { continue }
      branches[entry.name] = position
      mapped[position] = mapped[position] ?? entry.name
    }
    self.branches = branches
    self.mapped = mapped
  }

  /// The value of a branch: the one that is mapped to it, else its name.
  func preferred(for branch: Int) -> String? { mapped[branch] ?? names[branch] }

  /// The name of a schema by a reference to it: `Dog` for `#/components/schemas/Dog` and for `models/Dog.yaml`.
  static func name(_ reference: String) -> String? {
    if let fragment = URIReference(reference).fragment { return JSONPointer(fragment: fragment)?.tokens.last }
    guard let last = reference.split(separator: "/").last.map(String.init) else { return nil }
    for suffix in [".json", ".yaml", ".yml"] where last.hasSuffix(suffix) { return String(last.dropLast(suffix.count)) }
    return last
  }

  /// The value that a mapping gives to the schema of a name.
  static func tag(of name: String, mapping: JSON?) -> String? {
    mapping?.members.first { $0.value.string.flatMap(Self.name) == name }?.name
  }
}
