/// Failures of `anyOf` and `oneOf`: if all branches refuse a value, only the nearest is explained.
extension FailureCollector {
  /// A choice and the value that it applies to.
  private struct Choice {
    let instruction: Instruction
    let value: JSON
    let branches: [Branch]
    let keyword: String
    /// The list of branches.
    let list: JSON
    private let discriminator: JSON?

    init(_ instruction: Instruction, _ value: JSON, _ program: Program) {
      self.instruction = instruction
      self.value = value
      branches = (0..<Int(instruction.b)).map { program.branches.base[Int(instruction.a) + $0] }
      keyword = instruction.operation == .anyOf ? "anyOf" : "oneOf"
      let schema = program.origin(instruction.origin)
      list = schema[keyword] ?? schema
      let discriminates = instruction.flags.contains(.discriminates)
      discriminator = discriminates ? schema["discriminator"] : nil
    }

    /// The names of the branches, which not every choice needs.
    func notes() -> ChoiceNotes { ChoiceNotes(list, discriminator: discriminator) }
  }

  /// The most members of one value to read, for all branches together.
  private static let readMembers = 200_000
  /// The most branches to compare by their failures.
  private static let compared = 8

  private var reader: BranchReader { BranchReader(evaluator) }

  mutating func explainChoice(_ instruction: Instruction, _ value: JSON) -> Outcome {
    let outer = path.role
    if path.role == .member { path.role = .value }
    defer { path.role = outer }
    let choice = Choice(instruction, value, program)
    let scores = scores(choice)
    let open = choice.branches.indices.filter { scores[$0].distance == 0 }
    // A single branch that may fit is explained without asking first.
    if open.count == 1, let only = open.first, !traces, !isMeasuring, case let notes = choice.notes(),
      mayMean(only, choice, notes)
    {
      let (outcome, inner) = collect(choice.branches[only], value)
      if outcome == .fails { report(inner, of: only, choice, notes) }
      return outcome
    }
    return explainOpen(open, scores, choice)
  }

  private func mayMean(_ branch: Int, _ choice: Choice, _ notes: ChoiceNotes) -> Bool {
    switch BranchTag(choice.branches, notes, choice.value, reader) {
    case .branch(let meant): meant == branch
    case .unknown: false
    case nil: true
    }
  }

  /// - Parameter open: The branches that may fit.
  private mutating func explainOpen(_ open: [Int], _ scores: [BranchScore], _ choice: Choice) -> Outcome {
    let (instruction, value) = (choice.instruction, choice.value)
    var fitting: [Int] = []
    var doubtful: Int?
    for position in open {
      switch ask({ $0.apply(choice.branches[position], value.index) }) {
      case .fits: fitting.append(position)
      case .fails: break
      case .unknown: doubtful = doubtful ?? position
      }
      if instruction.operation == .anyOf, !fitting.isEmpty { return .fits }
      if metered.isSpent { return .unknown }
    }
    if fitting.count > 1 {
      if reports(instruction.operation) { add(tooMany(fitting, choice), instruction, value) }
      return .fails
    }
    if let doubtful {
      doubt(choice.branches[doubtful], value, instruction)
      return .unknown
    }
    if !fitting.isEmpty { return .fits }
    refuse(scores, choice)
    return .fails
  }

  /// Reports why no branch fits.
  private mutating func refuse(_ scores: [BranchScore], _ choice: Choice) {
    let (instruction, value) = (choice.instruction, choice.value)
    if isMeasuring {
      _ = reports(instruction.operation)
      return
    }
    if let message = oneSentence(choice) {
      if reports(instruction.operation) {
        add(KeywordFailure(choice.keyword, message, at: choice.list), instruction, value)
      }
      // A trace covers all branches.
      if traces { explainAll(choice, from: nil) }
      return
    }
    let notes = choice.notes()
    var meant: Int?
    switch BranchTag(choice.branches, notes, value, reader) {
    case .unknown(let property, let allowed):
      if let member = value.member(named: property) {
        refuse(member, allowed, choice)
        return
      }
    case .branch(let branch): meant = branch
    case nil: break
    }
    let nearest = meant ?? nearest(scores, choice)
    if traces {
      if reports(instruction.operation) { add(summary(nearest, choice, notes), instruction, value) }
      explainAll(choice, from: nearest)
    } else {
      report(collect(choice.branches[nearest], value).failures, of: nearest, choice, notes)
    }
  }

  /// Reports a member whose value no branch allows.
  private mutating func refuse(_ member: JSON.Member, _ allowed: [JSON], _ choice: Choice) {
    if reports(choice.instruction.operation) {
      let expected = Wording.values(allowed, of: allowed.count)
      let finding = KeywordFailure(
        choice.keyword, "expected \(Wording.name(member.name)) to be \(expected), found \(Wording.found(member.value))",
        at: choice.list, help: slip(member.value, allowed.prefix(Self.comparedValues)))
      if traces {
        add(finding, choice.instruction, choice.value)
      } else {
        step(into: .key(member.name)) { $0.add(finding, choice.instruction, member.value) }
      }
    }
    if traces { explainAll(choice, from: nil) }
  }

  /// Reports that a branch is the nearest, and its failures.
  private mutating func report(
    _ inner: [SchemaFailure], of branch: Int, _ choice: Choice, _ notes: ChoiceNotes
  ) {
    // The innermost choice and the cause matter most, so only the first of many enclosing choices are reported.
    // Without failures, the cause is explained later.
    let hasChoice = inner.isEmpty || inner.contains { $0.keyword == "oneOf" || $0.keyword == "anyOf" }
    let isPassedOver = choiceDepth >= min(8, log.limit / 4) && hasChoice
    if !isPassedOver, reports(choice.instruction.operation) {
      add(summary(branch, choice, notes), choice.instruction, choice.value)
    }
    log.append(inner)
  }

  /// Explains all branches, the most important one first, and adds the failures in their order.
  private mutating func explainAll(_ choice: Choice, from first: Int?) {
    var found: [Int: [SchemaFailure]] = [:]
    var count = 0
    for branch in [first].compactMap(\.self) + choice.branches.indices.filter({ $0 != first }) {
      if metered.isSpent || log.failures.count + count >= log.limit { break }
      // The keywords after this choice may matter more than its other branches.
      let reserve = branch == first ? 0 : metered.fuel / 2
      metered.fuel -= reserve
      let inner = collect(choice.branches[branch], choice.value).failures
      metered.fuel += reserve
      found[branch] = inner
      count += inner.count
    }
    for branch in choice.branches.indices { log.append(found[branch] ?? []) }
  }

  // MARK: - The nearest branch

  private mutating func scores(_ choice: Choice) -> [BranchScore] {
    let (branches, value) = (choice.branches, choice.value)
    let memberLimit = max(1, Self.readMembers / max(1, branches.count))
    metered.fuel -= branches.count * (1 + min(value.isObject ? value.count : 0, memberLimit))
    return branches.map { BranchScore($0, value, memberLimit: memberLimit, reader) }
  }

  /// The branch with the fewest failures among those with the best scores.
  private mutating func nearest(_ scores: [BranchScore], _ choice: Choice) -> Int {
    guard var best = scores.indices.first else { return 0 }
    for branch in scores.indices where scores[best].isFarther(than: scores[branch]) { best = branch }
    let near = scores.indices.filter { !scores[$0].isFarther(than: scores[best]) }
      .sorted { (scores[$0].others, $0) < (scores[$1].others, $1) }.prefix(Self.compared)
    guard near.count > 1 else { return best }
    var least = Int.max
    for branch in near {
      let distance = max(distance(choice.branches[branch], choice.value), scores[branch].distance)
      if distance < least { (best, least) = (branch, distance) }
    }
    return best
  }

  // MARK: - Words

  private func summary(_ branch: Int, _ choice: Choice, _ notes: ChoiceNotes) -> KeywordFailure {
    let (count, name) = (choice.branches.count, notes.name(of: branch))
    return KeywordFailure(
      choice.keyword, "fits none of \(count) alternatives; the nearest is \(name)", at: choice.list,
      help: unknownTag(choice, notes))
  }

  private func tooMany(_ fitting: [Int], _ choice: Choice) -> KeywordFailure {
    let names = fitting.prefix(Wording.shownNames).map(choice.notes().name)
    return KeywordFailure(
      choice.keyword,
      "expected exactly one of \(choice.branches.count) alternatives to fit, found \(fitting.count): "
        + Wording.list(names, of: fitting.count, "and"),
      at: choice.list, help: "make the alternatives exclude each other, or use anyOf")
  }

  /// One sentence for all branches, if each refuses the value for a reason of the same kind.
  private func oneSentence(_ choice: Choice) -> String? {
    guard !choice.branches.isEmpty else { return "expected an alternative, found an empty list" }
    if let kinds = reader.kindsAlone(choice.branches, choice.value) {
      return "expected \(Wording.list(kinds.names)), found \(Wording.found(choice.value))"
    }
    guard let names = reader.missingAlone(choice.branches, choice.value) else { return nil }
    let list = Wording.list(names.prefix(Wording.shownNames).map(Wording.name), of: names.count)
    return "expected one of the properties \(list)"
  }

  private func unknownTag(_ choice: Choice, _ notes: ChoiceNotes) -> String? {
    let value = choice.value
    guard let property = notes.property, let tag = value[property]?.string, notes.branch(of: tag) == nil else {
      return nil
    }
    // A branch that fixes this value explains more than the names.
    let isFixed = choice.branches.contains { branch in
      reader.fixedValues(branch, property)?.contains { $0.isString(tag) } ?? false
    }
    let tags = notes.tags
    guard !isFixed, !tags.isEmpty else { return nil }
    let known = tags.prefix(Wording.shownNames)
    let meant = tag.utf8.count <= 200 ? Suggestion.phrase(for: tag, among: tags.prefix(Self.comparedValues)) : nil
    return
      "\(Wording.name(property)) is \(Wording.quote(value[property] ?? value)), which does not name an alternative; "
      + (meant ?? "known names are \(Wording.list(Array(known), of: tags.count, "and"))")
  }
}
