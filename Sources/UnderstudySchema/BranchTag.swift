/// The branch that a property of the value selects: a discriminator, or a property that each branch for objects fixes
/// by `const` or `enum`.
enum BranchTag {
  case branch(Int)
  /// No branch allows the value of the property.
  case unknown(property: String, allowed: [JSON])

  init?(_ branches: [Branch], _ notes: ChoiceNotes, _ value: JSON, _ reader: BranchReader) {
    guard value.isObject else { return nil }
    let objects = branches.indices.filter { branches[$0].kinds.contains(.object) }
    let properties = notes.property.map { [$0] } ?? objects.first.map { reader.names(branches[$0]) } ?? []
    for property in properties {
      guard let tag = value.member(named: property)?.value, tag.isSimple else { continue }
      var allowed: [JSON] = []
      var accepting: [Int] = []
      var isFixed = objects.count > 1
      for branch in objects {
        guard let values = reader.fixedValues(branches[branch], property) else {
          isFixed = false
          break
        }
        if values.contains(tag) { accepting.append(branch) }
        for value in values
        where value.isSimple && allowed.count < FailureCollector.comparedValues && !allowed.contains(value) {
          allowed.append(value)
        }
      }
      if isFixed, accepting.count <= 1 {
        self = accepting.first.map { .branch($0) } ?? .unknown(property: property, allowed: allowed)
        return
      }
      if notes.property != nil, let branch = tag.string.flatMap(notes.branch), branch < branches.count {
        self = .branch(branch)
        return
      }
    }
    return nil
  }
}
