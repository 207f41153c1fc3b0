/// `anyOf`, `oneOf` and `not`.
extension Compiler {
  mutating func compileChoices(_ schema: SchemaContext) {
    compileChoice(.anyOf, .anyOf, schema)
    compileChoice(.oneOf, .oneOf, schema)
    if let node = schema[.not] {
      emit(.not, .any, inPlace(node, of: schema), at: node, in: schema)
    }
  }

  private mutating func compileChoice(
    _ keyword: Keyword, _ operation: Instruction.Operation, _ schema: SchemaContext
  ) {
    guard let node = schema[keyword] else { return }
    guard node.isArray, node.count > 0 else { return reportWrongValue(keyword, "an array of one schema or more", node) }
    let blocks = node.elements.map { inPlaceBlock(place(of: $0, in: schema), of: schema) }
    let first = builder.branches(blocks)
    var flags = schema.markFlags
    if schema.present.contains(.discriminator) { flags.insert(.discriminates) }
    // The schema, since messages want to know what stands beside the list.
    emit(operation, .any, first, UInt32(blocks.count), flags: flags, at: schema.index, in: schema)
  }
}

/// Text for people about the branches of an `anyOf` or `oneOf`; made when a value is refused.
private struct ChoiceNotes {
  /// A branch's name: that of the component it refers to, its title, or none.
  let names: [String?]
  /// The property that names the branch, and the branch of each of its values.
  let discriminator: (property: String, branches: [String: Int])?

  /// How to name the branches, and which one a discriminator means (OpenAPI 3.1.1, 4.8.25).
  init(_ list: JSON, discriminator: JSON?) {
    let references = list.elements.map { $0["$ref"]?.string }
    let names = list.elements.map { branch in
      (branch["$ref"]?.string).flatMap { JSONPointer(fragment: URIReference($0).fragment ?? "")?.tokens.last }
        ?? branch["title"]?.string
    }
    self.names = names
    guard let discriminator, let property = discriminator["propertyName"]?.string else {
      self.discriminator = nil
      return
    }
    var branches: [String: Int] = [:]
    for (position, reference) in references.enumerated() where reference != nil {
      if let name = names[position] { branches[name] = position }
    }
    if let mapping = discriminator["mapping"] {
      for member in mapping.members {
        guard let target = member.value.string else { continue }
        // A value that could be both is a name first.
        if let position = branches[target] ?? references.firstIndex(of: target) { branches[member.name] = position }
      }
    }
    self.discriminator = (property, branches)
  }
}

extension Evaluator {
  func anyOf(_ instruction: Instruction, _ index: Int) -> Bool {
    var isAccepted = false
    for position in 0..<instruction.b {
      let mark = markCount
      if apply(instruction.a + position, index) {
        // The notes of every branch that fits are wanted.
        guard instruction.flags.contains(.marks) else { return true }
        isAccepted = true
      } else {
        forget(downTo: mark)
      }
    }
    return isAccepted
  }

  func oneOf(_ instruction: Instruction, _ index: Int) -> Bool {
    var isAccepted = false
    for position in 0..<instruction.b {
      let mark = markCount
      if apply(instruction.a + position, index) {
        if isAccepted { return false }
        isAccepted = true
      } else {
        forget(downTo: mark)
      }
    }
    return isAccepted
  }

  func not(_ branch: UInt32, _ index: Int) -> Bool {
    let mark = markCount
    let isAccepted = apply(branch, index)
    forget(downTo: mark)
    return !isAccepted
  }
}

extension Explainer {
  mutating func explainChoice(_ instruction: Instruction, _ value: JSON) {
    let count = Int(instruction.b)
    let branches = (0..<count).map { program.branches.base[Int(instruction.a) + $0] }
    let keyword = instruction.operation == .anyOf ? "anyOf" : "oneOf"
    let schema = origin(instruction)
    let list = schema[keyword] ?? schema
    let notes = ChoiceNotes(
      list, discriminator: instruction.flags.contains(.discriminates) ? schema["discriminator"] : nil)
    let fitting = branches.indices.filter { evaluator.apply(branches[$0], value.index) }
    if fitting.count > 1 {
      let names = Wording.list(fitting.map { name(of: $0, notes) })
      add(
        Finding(
          keyword, "expected exactly one of \(count) alternatives to fit, found \(fitting.count): \(names)",
          at: list, help: "make the alternatives exclude each other, or use anyOf"), value)
      return
    }
    guard count > 0 else { return add(Finding(keyword, "no alternative is given", at: list), value) }
    if let kinds = typesOnly(branches, value) {
      let expected = Wording.list(kinds.names)
      let message = "expected \(expected), found \(Wording.found(value))"
      add(Finding(keyword, message, at: list), value)
    } else if let names = missingOnly(branches, value) {
      let message = "expected one of the properties \(Wording.list(names.map { "`\($0)`" }))"
      add(Finding(keyword, message, at: list), value)
    } else {
      let meant = meantBranch(notes, value)
      // Each is explained once: choices in choices would double the work with every level.
      let explained = traces ? Array(branches.indices) : meant.map { [$0] } ?? Array(branches.indices)
      var failures: [(branch: Int, failures: [SchemaFailure])] = []
      for branch in explained {
        failures.append((branch, collect(branches[branch], value)))
        if traces, failures.reduce(0, { $0 + $1.failures.count }) >= limit { break }
      }
      let nearest = meant ?? failures.min { distance($0.failures) < distance($1.failures) }?.branch ?? 0
      let message = "fits none of \(count) alternatives; the nearest is \(name(of: nearest, notes))"
      add(Finding(keyword, message, at: list, help: unknownDiscriminator(notes, value)), value)
      for (branch, failures) in failures where traces || branch == nearest { append(failures) }
      return
    }
    // Whoever wants to see the way wants to see all of them.
    if traces { for branch in branches { append(collect(branch, value)) } }
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
      guard declaredNames(origin(instruction)).isEmpty, !plan.hasAdditional, required.count == 1 else { return nil }
      names.append(required[0].text)
    }
    return names
  }

  private func name(of branch: Int, _ notes: ChoiceNotes) -> String {
    if branch < notes.names.count, let name = notes.names[branch] { return "`\(name)`" }
    return "number \(branch + 1)"
  }

  /// The branch that the discriminator names.
  private func meantBranch(_ notes: ChoiceNotes, _ value: JSON) -> Int? {
    guard let (property, known) = notes.discriminator, let tag = value[property]?.string else { return nil }
    return known[tag]
  }

  /// How far off a branch is: a wrong type of the value itself is farthest, then a wrong tag among its members.
  private func distance(_ failures: [SchemaFailure]) -> Int {
    failures.reduce(0) { sum, failure in
      let depth = failure.instance.tokens.count - path.count
      switch failure.keyword {
      case "type" where depth == 0: return sum + 10_000
      case "const" where depth <= 1, "enum" where depth <= 1: return sum + 100
      case "required": return sum + 3
      default: return sum + 1
      }
    }
  }

  private func unknownDiscriminator(_ notes: ChoiceNotes, _ value: JSON) -> String? {
    guard let (property, known) = notes.discriminator, let tag = value[property]?.string, known[tag] == nil else {
      return nil
    }
    return "`\(property)` is \"\(tag)\", which names no alternative; known are "
      + Wording.list(known.keys.sorted(), limit: 8)
  }

  func notFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    let schema = origin(instruction)
    if schema.count == 1, let names = schema["required"] {
      let list = names.elements.map { "`\($0.string ?? "")`" }
      let message =
        list.count == 1
        ? "the property \(list[0]) must not be there"
        : "the properties \(list.joined(separator: ", ")) must not be there together"
      return Finding("not", message)
    }
    return Finding(
      "not", "expected a value that does not fit \(Wording.summary(schema)), found \(Wording.found(value))")
  }
}
