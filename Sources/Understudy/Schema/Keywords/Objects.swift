/// `properties`, `patternProperties`, `additionalProperties` and `required` as one instruction, and the object bounds.
extension Compiler {
  mutating func compileObjects(_ schema: inout SchemaContext) {
    if let bound = bound(.minProperties, in: schema), bound > 0, let node = schema[.minProperties] {
      emit(.minProperties, .object, bound, at: node, in: &schema)
    }
    if let bound = bound(.maxProperties, in: schema), let node = schema[.maxProperties] {
      emit(.maxProperties, .object, bound, at: node, in: &schema)
    }
    compileMembers(&schema)
    if let node = schema[.propertyNames] {
      emit(.propertyNames, .object, child(node, of: schema), at: node, in: &schema)
    }
  }

  private mutating func compileMembers(_ schema: inout SchemaContext) {
    var notes = ObjectNotes(
      required: schema[.required], additional: schema[.additionalProperties], properties: schema[.properties])
    var names = NameList()
    var entries: [ProgramBuilder.Entry] = []
    for member in members(of: .properties, in: schema) {
      let entry = ProgramBuilder.Entry(isRequired: false, block: childBlock(member.value, of: schema))
      // Of duplicate names the last is read.
      if let known = names.position(of: builder.name(member.key), in: builder.text) {
        entries[known] = entry
        continue
      }
      entries.append(entry)
    }
    for node in requiredNames(in: schema) where !isExempt(node, in: schema) {
      if let known = names.position(of: builder.name(node), in: builder.text) {
        guard !entries[known].isRequired else { continue }
        entries[known].isRequired = true
      } else {
        entries.append(ProgramBuilder.Entry(isRequired: true, block: nil))
      }
      notes.requiredNames.append(node)
    }
    let patterns = compilePatternProperties(schema)
    let additional = schema[.additionalProperties]
    guard !entries.isEmpty || !patterns.isEmpty || additional != nil else { return }
    let plan = ObjectPlan(
      names: builder.table(names.references), entries: UInt32(builder.entries.count),
      requiredCount: UInt32(entries.count { $0.isRequired }), patterns: UInt32(builder.patternEntries.count),
      patternCount: UInt32(patterns.count), additional: additional.map { child($0, of: schema) } ?? 0,
      hasAdditional: additional != nil, marks: schema.marks)
    builder.entries += entries
    builder.patternEntries += patterns
    builder.objects.append(plan)
    builder.objectNotes.append(notes)
    emit(.members, .object, UInt32(builder.objects.count - 1), at: schema.node, in: &schema)
  }

  private mutating func members(of keyword: Keyword, in schema: SchemaContext) -> [JSON.Member] {
    guard let node = schema[keyword] else { return [] }
    if !node.isObject { reportWrongValue(keyword, "an object", node) }
    return Array(node.members)
  }

  private mutating func requiredNames(in schema: SchemaContext) -> [JSON] {
    guard let node = schema[.required] else { return [] }
    guard node.isArray, node.elements.allSatisfy(\.isString) else {
      reportWrongValue(.required, "an array of names", node)
      return []
    }
    return Array(node.elements)
  }

  private mutating func compilePatternProperties(_ schema: SchemaContext) -> [ObjectPlan.PatternEntry] {
    var patterns: [ObjectPlan.PatternEntry] = []
    for member in members(of: .patternProperties, in: schema) {
      guard let pattern = pattern(member.name, at: member.key) else { continue }
      patterns.append(ObjectPlan.PatternEntry(pattern: pattern, branch: child(member.value, of: schema)))
    }
    return patterns
  }
}

extension Evaluator {
  func members(_ id: UInt32, _ index: Int) -> Bool {
    let plan = objects + Int(id)
    let count = nodes[index].count
    guard count >= plan.pointee.requiredCount else { return false }
    var required: UInt32 = 0
    var key = index + 1
    for _ in 0..<count {
      let node = nodes[key]
      let value = key + 1
      var isKnown = false
      let name = text(of: node)
      if let position = find(plan.pointee.names, node.hash, name) {
        let entry = entries + (Int(plan.pointee.entries) + position)
        if entry.pointee.isRequired { required &+= 1 }
        if entry.pointee.isDeclared {
          guard apply(entry.pointee.branch, value) else { return false }
          isKnown = true
        }
      }
      if plan.pointee.patternCount > 0 {
        let first = patternEntries + Int(plan.pointee.patterns)
        for position in 0..<Int(plan.pointee.patternCount) where isMatch(first[position].pattern, name) {
          guard apply(first[position].branch, value) else { return false }
          isKnown = true
        }
      }
      if !isKnown, plan.pointee.hasAdditional {
        guard apply(plan.pointee.additional, value) else { return false }
        isKnown = true
      }
      if isKnown, plan.pointee.marks { note(value) }
      key = end(of: value)
    }
    return required == plan.pointee.requiredCount
  }

  func propertyNames(_ branch: UInt32, _ index: Int) -> Bool {
    var key = index + 1
    for _ in 0..<nodes[index].count {
      guard apply(branch, key) else { return false }
      key = end(of: key + 1)
    }
    return true
  }
}

extension Explainer {
  mutating func explainMembers(_ instruction: Instruction, _ value: JSON) {
    let plan = program.objects.base[Int(instruction.a)]
    let notes = program.objectNotes[Int(instruction.a)]
    for member in value.members {
      explain(member, plan, notes, in: value)
      if isFull { return }
    }
    for node in notes.requiredNames where value.key(node.text) == nil {
      let name = node.text
      let declared = Set(notes.propertyNames + notes.requiredNames.map(\.text))
      let strangers = value.members.map(\.name).filter { !declared.contains($0) }
      // `birthDate` for `birth`: too far apart to be a slip of the hand, and yet most likely the same thing.
      let near =
        Suggestion.nearest(to: name, among: strangers)
        ?? strangers.first { name.utf8.count >= 3 && $0.utf8.starts(with: name.utf8) }
      add(
        Finding(
          "required", "the property `\(name)` is missing", at: node,
          help: near.map { "`\($0)` is there instead; is it a slip of the hand?" }), value)
    }
  }

  private mutating func explain(_ member: JSON.Member, _ plan: ObjectPlan, _ notes: ObjectNotes, in object: JSON) {
    let name = member.key.document.withBytes(of: member.key.index) { bytes in
      evaluator.find(plan.names, JSONDocument.hash(bytes), bytes)
    }
    var isKnown = false
    if let name {
      let entry = program.entries.base[Int(plan.entries) + name]
      if entry.isDeclared {
        isKnown = true
        step(into: .key(member.name)) { $0.explain(entry.branch, member.value) }
      }
    }
    for position in 0..<Int(plan.patternCount) {
      let entry = program.patternEntries.base[Int(plan.patterns) + position]
      guard evaluator.isMatch(entry.pattern, evaluator.nodes[member.key.index]) else { continue }
      isKnown = true
      step(into: .key(member.name)) { $0.explain($0.program.branches.base[Int(entry.branch)], member.value) }
    }
    guard !isKnown, plan.hasAdditional else { return }
    let branch = program.branches.base[Int(plan.additional)]
    guard branch.isFalse else {
      return step(into: .key(member.name)) { $0.explain(branch, member.value) }
    }
    let names = notes.propertyNames
    let free = names.filter { object.key($0) == nil }
    let allowed = names.isEmpty ? "no properties are" : Wording.list(names, limit: 8) + " are"
    step(into: .key(member.name)) {
      $0.add(
        Finding(
          "additionalProperties", "the property `\(member.name)` is not declared, and no others may be there",
          at: notes.additional ?? object,
          help: Suggestion.phrase(for: member.name, among: free) ?? "\(allowed) declared"), member.value)
    }
  }

  func sizeFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    let limit = Int(instruction.a)
    switch instruction.operation {
    case .minProperties:
      return Finding("minProperties", "expected at least \(Wording.count(limit, "property")), found \(value.count)")
    case .maxProperties:
      return Finding("maxProperties", "expected at most \(Wording.count(limit, "property")), found \(value.count)")
    case .minItems:
      return Finding("minItems", "expected at least \(Wording.count(limit, "element")), found \(value.count)")
    default:
      return Finding("maxItems", "expected at most \(Wording.count(limit, "element")), found \(value.count)")
    }
  }

  mutating func explainPropertyNames(_ instruction: Instruction, _ value: JSON) {
    for member in value.members {
      step(into: .key(member.name)) { $0.explain($0.program.branches.base[Int(instruction.a)], member.key) }
    }
  }
}
