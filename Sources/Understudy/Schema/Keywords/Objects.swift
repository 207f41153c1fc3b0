/// `properties`, `patternProperties`, `additionalProperties` and `required` as one instruction, and the object bounds.
extension Compiler {
  mutating func compileObjects(_ schema: SchemaContext) {
    if let bound = bound(.minProperties, in: schema), bound > 0, let node = schema[.minProperties] {
      emit(.minProperties, .object, bound, at: node, in: schema)
    }
    if let bound = bound(.maxProperties, in: schema), let node = schema[.maxProperties] {
      emit(.maxProperties, .object, bound, at: node, in: schema)
    }
    compileMembers(schema)
    if let node = schema[.propertyNames] {
      emit(.propertyNames, .object, child(node, of: schema), at: node, in: schema)
    }
  }

  private mutating func compileMembers(_ schema: SchemaContext) {
    let properties = object(.properties, in: schema)
    let required = names(.required, in: schema)
    let additional = schema.position(of: .additionalProperties)
    let table = builder.table(
      for: max(properties.count, required.count), maximum: properties.count + required.count)
    let firstEntry = builder.entries.count
    for key in properties {
      let entry = ProgramBuilder.Entry(isRequired: false, block: childBlock(key + 1, of: schema))
      // Of duplicate names the last is read.
      if let known = add(key, hash: schema.document.nodes[key].hash, to: table, from: firstEntry, in: schema) {
        builder.entries[known] = entry
      } else {
        builder.entries.append(entry)
      }
    }
    var requiredCount: UInt32 = 0
    for name in required {
      let known = add(name, hash: nil, to: table, from: firstEntry, in: schema)
      if known == nil { builder.entries.append(ProgramBuilder.Entry(isRequired: false, block: nil)) }
      let entry = known ?? builder.entries.count - 1
      let property = builder.entries[entry].block.map { builder.blocks[Int($0)].place.node }
      guard !builder.entries[entry].isRequired, !isExempt(name, property, in: schema) else { continue }
      builder.entries[entry].isRequired = true
      requiredCount += 1
    }
    let patterns = compilePatternProperties(schema)
    guard builder.entries.count > firstEntry || !patterns.isEmpty || additional != nil else { return }
    let plan = ObjectPlan(
      names: table, entries: UInt32(firstEntry), requiredCount: requiredCount,
      patterns: UInt32(builder.patternEntries.count), patternCount: UInt32(patterns.count),
      additional: additional.map { builder.branch(childBlock($0, of: schema)) } ?? 0,
      hasAdditional: additional != nil, marks: schema.marks)
    builder.patternEntries.append(contentsOf: patterns)
    builder.objects.append(plan)
    emit(.members, .object, UInt32(builder.objects.count - 1), at: schema.index, in: schema)
  }

  /// Adds a name, of which the hash may be known, for the next entry; the entry it has when it is there already.
  private mutating func add(
    _ name: Int, hash: UInt32?, to table: NameTable, from firstEntry: Int, in schema: SchemaContext
  ) -> Int? {
    schema.document.withBytes(of: name) { bytes in
      let next = builder.entries.count - firstEntry
      return builder.add(bytes, hash: hash ?? JSONDocument.hash(bytes), next, to: table).map { firstEntry + $0 }
    }
  }

  /// The keys in an object of schemas.
  private mutating func object(_ keyword: Keyword, in schema: SchemaContext) -> SchemaContext.Children {
    guard let node = schema.position(of: keyword) else { return schema.noChildren }
    if schema.kind(of: node) != .object { reportWrongValue(keyword, "an object", schema.json(node)) }
    return schema.keys(of: node)
  }

  /// The elements of an array of names.
  private mutating func names(_ keyword: Keyword, in schema: SchemaContext) -> SchemaContext.Children {
    guard let node = schema.position(of: keyword) else { return schema.noChildren }
    let names = schema.elements(of: node)
    guard schema.kind(of: node) == .array, names.allSatisfy({ schema.kind(of: $0) == .string }) else {
      reportWrongValue(keyword, "an array of names", schema.json(node))
      return schema.noChildren
    }
    return names
  }

  private mutating func compilePatternProperties(_ schema: SchemaContext) -> [ObjectPlan.PatternEntry] {
    var patterns: [ObjectPlan.PatternEntry] = []
    for node in object(.patternProperties, in: schema) {
      let key = schema.json(node)
      guard let pattern = pattern(key.text, at: key) else { continue }
      let branch = builder.branch(childBlock(node + 1, of: schema))
      patterns.append(ObjectPlan.PatternEntry(pattern: pattern, branch: branch))
    }
    return patterns
  }
}

extension Evaluator {
  func members(_ id: UInt32, _ index: Int) -> Bool {
    let plan = objects + Int(id)
    let count = nodes[index].count
    guard count >= plan.pointee.requiredCount else { return false }
    if count > 15 { charge(Int(count >> 4)) }
    let mark = plan.pointee.marks ? markCount : 0
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
    if plan.pointee.marks { joinNotes(of: index, since: mark) }
    return required == plan.pointee.requiredCount
  }

  func propertyNames(_ branch: UInt32, _ index: Int) -> Bool {
    charge(Int(nodes[index].count >> 4))
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
    let schema = origin(instruction)
    for member in value.members {
      explain(member, plan, schema, in: value)
      if isFull { return }
    }
    let required = requiredNames(plan, schema)
    for node in required where value.key(node.text) == nil {
      let name = node.text
      let declared = Set(declaredNames(schema) + required.map(\.text))
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

  /// The nodes of the names that must be there; the program alone knows which of them need not.
  func requiredNames(_ plan: ObjectPlan, _ schema: JSON) -> [JSON] {
    var seen: Set<Int> = []
    return schema["required"]?.elements.filter { node in
      guard let position = position(of: node, plan), program.entries.base[position].isRequired else { return false }
      return seen.insert(position).inserted
    } ?? []
  }

  /// The names in `properties`.
  func declaredNames(_ schema: JSON) -> [String] {
    schema["properties"]?.members.map(\.name) ?? []
  }

  /// The entry of a name.
  private func position(of name: JSON, _ plan: ObjectPlan) -> Int? {
    name.document.withBytes(of: name.index) { bytes in
      evaluator.find(plan.names, JSONDocument.hash(bytes), bytes).map { Int(plan.entries) + $0 }
    }
  }

  private mutating func explain(_ member: JSON.Member, _ plan: ObjectPlan, _ schema: JSON, in object: JSON) {
    var isKnown = false
    if let position = position(of: member.key, plan), case let entry = program.entries.base[position], entry.isDeclared
    {
      isKnown = true
      step(into: .key(member.name)) { $0.explain(entry.branch, member.value) }
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
    let names = declaredNames(schema)
    let free = names.filter { object.key($0) == nil }
    let allowed = names.isEmpty ? "no properties are" : Wording.list(names, limit: 8) + " are"
    step(into: .key(member.name)) {
      $0.add(
        Finding(
          "additionalProperties", "the property `\(member.name)` is not declared, and no others may be there",
          at: schema["additionalProperties"] ?? object,
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
