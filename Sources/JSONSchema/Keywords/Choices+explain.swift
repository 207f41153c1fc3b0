import SourceText

/// What is wrong with a value that `anyOf` or `oneOf` refuses: the nearest branch is found, and it alone taken apart.
extension Explainer {
  mutating func explainChoice(_ instruction: Instruction, _ value: JSON) -> Outcome {
    let outer = role
    if role == .member { role = .value }
    defer { role = outer }
    let branches = (0..<Int(instruction.b)).map { program.branches.base[Int(instruction.a) + $0] }
    let glances = glances(branches, value)
    let open = branches.indices.filter { glances[$0].distance == 0 }
    // One branch is left that may fit: whether it does shows when it is taken apart, and needs no question before.
    if open.count == 1, let only = open.first, !traces, distance == nil {
      let notes = notes(instruction)
      guard tag(branches, notes, value).map({ $0 == .branch(only) }) ?? true else {
        return explainOpen(open, branches, glances, instruction, value)
      }
      let (outcome, inner) = collect(branches[only], value)
      if outcome == .fails { tell(inner, of: only, notes, instruction, value) }
      return outcome
    }
    return explainOpen(open, branches, glances, instruction, value)
  }

  /// - Parameter open: The branches that may fit.
  private mutating func explainOpen(
    _ open: [Int], _ branches: [Branch], _ glances: [BranchGlance], _ instruction: Instruction, _ value: JSON
  ) -> Outcome {
    var fitting: [Int] = []
    var doubtful: Int?
    for position in open {
      switch ask({ $0.apply(branches[position], value.index) }) {
      case .fits: fitting.append(position)
      case .fails: break
      case .unknown: doubtful = doubtful ?? position
      }
      if instruction.operation == .anyOf, !fitting.isEmpty { return .fits }
      if isSpent { return .unknown }
    }
    if fitting.count > 1 {
      if tells(instruction.operation) { add(tooMany(fitting, instruction), instruction, value) }
      return .fails
    }
    if let doubtful {
      doubt(branches[doubtful], value, instruction)
      return .unknown
    }
    if !fitting.isEmpty { return .fits }
    refuse(branches, glances, instruction, value)
    return .fails
  }

  /// Tells why no branch fits.
  private mutating func refuse(
    _ branches: [Branch], _ glances: [BranchGlance], _ instruction: Instruction, _ value: JSON
  ) {
    if distance != nil {
      _ = tells(instruction.operation)
      return
    }
    let keyword = keyword(instruction)
    let list = list(instruction)
    let notes = notes(instruction)
    if let message = oneSentence(branches, value) {
      if tells(instruction.operation) { add(Finding(keyword, message, at: list), instruction, value) }
      // Whoever wants to see the way wants to see all of them.
      if traces { explainAll(branches, from: nil, value) }
      return
    }
    let tag = tag(branches, notes, value)
    if case .unknown(let property, let allowed) = tag, let member = value.member(named: property) {
      if tells(instruction.operation) {
        let expected = Wording.values(allowed, of: allowed.count)
        let finding = Finding(
          keyword, "expected \(Wording.name(property)) to be \(expected), found \(Wording.found(member.value))",
          at: list, help: slip(member.value, allowed.prefix(Self.comparedValues)))
        if traces {
          add(finding, instruction, value)
        } else {
          step(into: .key(property)) { $0.add(finding, instruction, member.value) }
        }
      }
      if traces { explainAll(branches, from: nil, value) }
      return
    }
    var meant: Int?
    if case .branch(let branch) = tag { meant = branch }
    let nearest = meant ?? nearest(branches, glances, value)
    if traces {
      if tells(instruction.operation) { add(summary(nearest, notes, instruction, value), instruction, value) }
      explainAll(branches, from: nearest, value)
    } else {
      tell(collect(branches[nearest], value).failures, of: nearest, notes, instruction, value)
    }
  }

  /// Choices around a choice that still say which branch is the nearest.
  private var toldChoices: Int { min(8, limit / 4) }

  /// Tells what is wrong with a branch, and before it that it is the nearest.
  private mutating func tell(
    _ inner: [SchemaFailure], of branch: Int, _ notes: ChoiceNotes, _ instruction: Instruction, _ value: JSON
  ) {
    // The innermost choice and the cause count most, so a long way to them is told by its first steps alone.
    // Without any, the cause has been put off, and comes last.
    let hasChoice = inner.isEmpty || inner.contains { $0.keyword == "oneOf" || $0.keyword == "anyOf" }
    let isPassedOver = choiceDepth >= toldChoices && hasChoice
    if !isPassedOver, tells(instruction.operation) {
      add(summary(branch, notes, instruction, value), instruction, value)
    }
    append(inner)
  }

  private func summary(
    _ branch: Int, _ notes: ChoiceNotes, _ instruction: Instruction, _ value: JSON
  ) -> Finding {
    Finding(
      keyword(instruction), "fits none of \(instruction.b) alternatives; the nearest is \(notes.name(of: branch))",
      at: list(instruction), help: unknownTag(notes, value, instruction))
  }

  /// All branches in their order, but the one that counts most has been looked at before the room is used up.
  private mutating func explainAll(_ branches: [Branch], from first: Int?, _ value: JSON) {
    var found: [Int: [SchemaFailure]] = [:]
    var count = 0
    for branch in [first].compactMap(\.self) + branches.indices.filter({ $0 != first }) {
      if isSpent || failures.count + count >= limit { break }
      // What comes after this choice may be more telling than what its other branches say.
      let reserve = branch == first ? 0 : fuel / 2
      fuel -= reserve
      let inner = collect(branches[branch], value).failures
      fuel += reserve
      found[branch] = inner
      count += inner.count
    }
    for branch in branches.indices { append(found[branch] ?? []) }
  }

  private func tooMany(_ fitting: [Int], _ instruction: Instruction) -> Finding {
    let notes = notes(instruction)
    let names = Wording.list(
      fitting.prefix(Wording.shownNames).map(notes.name), of: fitting.count, "and")
    return Finding(
      keyword(instruction),
      "expected exactly one of \(instruction.b) alternatives to fit, found \(fitting.count): \(names)",
      at: list(instruction), help: "make the alternatives exclude each other, or use anyOf")
  }
}

// MARK: - Which branch was meant

extension Explainer {
  /// Looks that are taken at members of one value, for all branches together.
  private static let looks = 200_000
  /// Branches that are compared by how many failures they have.
  private static let compared = 8

  private mutating func glances(_ branches: [Branch], _ value: JSON) -> [BranchGlance] {
    let memberLimit = max(1, Self.looks / max(1, branches.count))
    fuel -= branches.count * (1 + min(value.isObject ? value.count : 0, memberLimit))
    return branches.map { glance($0, value, memberLimit: memberLimit) }
  }

  /// The branch with the fewest failures among those that come nearest at a glance.
  private mutating func nearest(_ branches: [Branch], _ glances: [BranchGlance], _ value: JSON) -> Int {
    guard var best = branches.indices.first else { return 0 }
    for branch in branches.indices where glances[best].isFarther(than: glances[branch]) { best = branch }
    let near = branches.indices.filter { !glances[$0].isFarther(than: glances[best]) }
      .sorted { (glances[$0].others, $0) < (glances[$1].others, $1) }.prefix(Self.compared)
    guard near.count > 1 else { return best }
    var least = Int.max
    for branch in near {
      let distance = max(distance(branches[branch], value), glances[branch].distance)
      if distance < least { (best, least) = (branch, distance) }
    }
    return best
  }

  /// What a property that tells the branches apart says.
  enum Tag: Equatable {
    case branch(Int)
    /// It has none of the values that the branches fix it to.
    case unknown(property: String, allowed: [JSON])
  }

  /// A discriminator, or a property that each branch for objects fixes by `const` or `enum`.
  private func tag(_ branches: [Branch], _ notes: ChoiceNotes, _ value: JSON) -> Tag? {
    guard value.isObject else { return nil }
    let objects = branches.indices.filter { branches[$0].kinds.contains(.object) }
    let properties = notes.property.map { [$0] } ?? objects.first.map { directNames(branches[$0]) } ?? []
    for property in properties {
      guard let tag = value.member(named: property)?.value, tag.isSimple else { continue }
      var allowed: [JSON] = []
      var accepting: [Int] = []
      var isFixed = objects.count > 1
      for branch in objects {
        guard let values = fixedValues(branches[branch], property) else {
          isFixed = false
          break
        }
        if values.contains(tag) { accepting.append(branch) }
        for value in values where value.isSimple && allowed.count < Self.comparedValues && !allowed.contains(value) {
          allowed.append(value)
        }
      }
      if isFixed {
        if accepting.count == 1 { return .branch(accepting[0]) }
        if accepting.isEmpty { return .unknown(property: property, allowed: allowed) }
      }
      if notes.property != nil, let branch = tag.string.flatMap(notes.branch), branch < branches.count {
        return .branch(branch)
      }
    }
    return nil
  }

  private func unknownTag(_ notes: ChoiceNotes, _ value: JSON, _ instruction: Instruction) -> String? {
    guard let property = notes.property, let tag = value[property]?.string, notes.branch(of: tag) == nil else {
      return nil
    }
    let branches = (0..<Int(instruction.b)).map { program.branches.base[Int(instruction.a) + $0] }
    // A branch that fixes the value to this one says more than the names do.
    if branches.contains(where: { fixedValues($0, property)?.contains { $0.isString(tag) } ?? false }) { return nil }
    let tags = notes.tags
    guard !tags.isEmpty else { return nil }
    let known = tags.prefix(Wording.shownNames)
    let meant = tag.utf8.count <= 200 ? Suggestion.phrase(for: tag, among: tags.prefix(Self.comparedValues)) : nil
    return "\(Wording.name(property)) is \(Wording.quote(value[property] ?? value)), which names no alternative; "
      + (meant ?? "known are \(Wording.list(Array(known), of: tags.count))")
  }

  /// One sentence for all branches, where each refuses the value for a reason of the same kind.
  private func oneSentence(_ branches: [Branch], _ value: JSON) -> String? {
    guard !branches.isEmpty else { return "no alternative is given" }
    if let kinds = typesOnly(branches, value) {
      return "expected \(Wording.list(kinds.names)), found \(Wording.found(value))"
    }
    guard let names = missingOnly(branches, value) else { return nil }
    let list = Wording.list(names.prefix(Wording.shownNames).map(Wording.name), of: names.count)
    return "expected one of the properties \(list)"
  }

  /// The allowed kinds, when the value's own type is what every branch refuses.
  private func typesOnly(_ branches: [Branch], _ value: JSON) -> Kinds? {
    var kinds: Kinds = []
    for branch in branches {
      guard branch.kinds != .any, !evaluator.admits(branch.kinds, value.index) else { return nil }
      kinds.formUnion(branch.kinds)
    }
    return kinds
  }

  /// The names, when each branch asks for nothing but one property that is not there.
  private func missingOnly(_ branches: [Branch], _ value: JSON) -> [String]? {
    guard value.isObject else { return nil }
    var names: [String] = []
    for branch in branches {
      guard branch.end == branch.start + 1, case let instruction = program.code.base[Int(branch.start)],
        instruction.operation == .members
      else { return nil }
      let plan = program.objects.base[Int(instruction.a)]
      let required = requiredNames(plan, origin(instruction))
      guard declaredNames(origin(instruction), limit: 1).isEmpty, plan.patternCount == 0, !plan.hasAdditional,
        required.count == 1
      else { return nil }
      names.append(required[0].text)
    }
    return names
  }

  private func keyword(_ instruction: Instruction) -> String { instruction.operation == .anyOf ? "anyOf" : "oneOf" }

  private func list(_ instruction: Instruction) -> JSON {
    let schema = origin(instruction)
    return schema[keyword(instruction)] ?? schema
  }

  private func notes(_ instruction: Instruction) -> ChoiceNotes {
    let discriminates = instruction.flags.contains(.discriminates)
    return ChoiceNotes(list(instruction), discriminator: discriminates ? origin(instruction)["discriminator"] : nil)
  }
}

extension JSON {
  fileprivate func member(named name: String) -> Member? {
    var name = name
    return name.withUTF8 { member(utf8: $0) }
  }
}
