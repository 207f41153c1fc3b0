/// `properties`, `patternProperties`, `additionalProperties` and `required` as one instruction, and the object bounds.
extension Compiler {
  mutating func compileObjects(_ schema: SchemaContext) {
    emitBound(.minProperties, of: .minProperties, .object, in: schema, trivial: 0)
    emitBound(.maxProperties, of: .maxProperties, .object, in: schema)
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

  /// Adds a name for the next entry; returns the entry of a known name.
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
      reportWrongValue(
        keyword, "an array of names", schema.json(node),
        help: schema.json(node).bool == nil
          ? nil : "list the names in the schema with `properties`: `required: [...]`")
      return schema.noChildren
    }
    return names
  }

  private mutating func compilePatternProperties(_ schema: SchemaContext) -> [ObjectPlan.PatternEntry] {
    var patterns: [ObjectPlan.PatternEntry] = []
    for node in object(.patternProperties, in: schema) {
      let key = schema.json(node)
      let pattern: UInt32
      do throws(BrokenPattern) {
        pattern = try self.pattern(key.text, at: key)
      } catch {
        // An object without members fits any pattern.
        emitRefusal(error.reason, for: .object, of: 1, at: key, in: schema)
        continue
      }
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
    if count > 15, !affords(Int(count >> 4)) { return false }
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
        guard affords(Int(plan.pointee.patternCount) >> 2) else { return false }
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
    guard affords(Int(nodes[index].count >> 4)) else { return false }
    var key = index + 1
    for _ in 0..<nodes[index].count {
      guard apply(branch, key) else { return false }
      key = end(of: key + 1)
    }
    return true
  }
}

extension Evaluator {
  /// The entry of a name.
  func position(of name: JSON, _ plan: ObjectPlan) -> Int? {
    name.document.withBytes(of: name.index) { bytes in
      find(plan.names, JSONDocument.hash(bytes), bytes).map { Int(plan.entries) + $0 }
    }
  }

  func position(of name: String, _ plan: ObjectPlan) -> Int? {
    var name = name
    return name.withUTF8 { bytes in
      bytes.isEmpty ? nil : find(plan.names, JSONDocument.hash(bytes), bytes).map { Int(plan.entries) + $0 }
    }
  }

  /// The nodes of the required names, without those that the program exempts.
  func requiredNames(_ plan: ObjectPlan, _ schema: JSON) -> [JSON] {
    var seen: Set<Int> = []
    return schema["required"]?.elements.filter { node in
      guard let position = position(of: node, plan), entries[position].isRequired else { return false }
      return seen.insert(position).inserted
    } ?? []
  }
}

extension FailureCollector {
  mutating func explainMembers(_ instruction: Instruction, _ value: JSON) -> Outcome {
    let plan = program.objects.base[Int(instruction.a)]
    let schema = origin(instruction)
    let largest = largestChild(of: value)
    let isClosed = plan.hasAdditional && program.branches.base[Int(plan.additional)].isFalse
    var outcome = Outcome.fits
    // The entries of present names.
    var present: Set<Int> = []
    if plan.requiredCount > 0 || isClosed {
      for member in value.members { if let entry = evaluator.position(of: member.key, plan) { present.insert(entry) } }
    }
    var declared: Declared?
    for member in value.members {
      let isLargest = member.value.index == largest
      guard let one = explain(member, plan, instruction, isLargest: isLargest) else {
        guard isClosed else { continue }
        outcome = .fails
        guard reports(.members) else {
          if isFull { return outcome }
          continue
        }
        declared = declared ?? Declared(schema, plan, present, self)
        let help = declared.flatMap { $0.help(for: member.name, suggests: log.suggests) }
        let finding = KeywordFailure(
          "additionalProperties",
          "the property \(Wording.name(member.name)) is not declared, and no others are allowed",
          at: schema["additionalProperties"], help: help)
        step(into: .key(member.name)) { $0.add(finding, instruction, member.value) }
        continue
      }
      outcome = outcome.and(one)
      if isFull { return outcome }
    }
    return plan.requiredCount > 0 && explainMissing(plan, instruction, present, value) ? .fails : outcome
  }

  /// The outcome for one member; `nil` if the schema only excludes it as undeclared.
  private mutating func explain(
    _ member: JSON.Member, _ plan: ObjectPlan, _ instruction: Instruction, isLargest: Bool
  ) -> Outcome? {
    var outcome: Outcome?
    if let position = evaluator.position(of: member.key, plan), case let entry = program.entries.base[position],
      entry.isDeclared
    {
      outcome = explain(member, entry.branch, isLargest)
    }
    for number in 0..<Int(plan.patternCount) {
      let entry = program.patternEntries.base[Int(plan.patterns) + number]
      switch ask({ $0.isMatch(entry.pattern, $0.nodes[member.key.index]) }) {
      case .fits:
        let one = explain(member, program.branches.base[Int(entry.branch)], isLargest)
        outcome = outcome?.and(one) ?? one
      case .fails: break
      case .unknown:
        let patterns = origin(instruction)["patternProperties"]
        doubt(member.key, at: patterns ?? origin(instruction))
        outcome = outcome?.and(.unknown) ?? .unknown
      }
    }
    if outcome == nil, plan.hasAdditional {
      let branch = program.branches.base[Int(plan.additional)]
      return branch.isFalse ? nil : explain(member, branch, isLargest)
    }
    return outcome ?? .fits
  }

  private mutating func explain(_ member: JSON.Member, _ branch: Branch, _ isLargest: Bool) -> Outcome {
    // Most members have an empty schema, so their names are not needed.
    branch.wholeStart == branch.end
      ? .fits : explainChild(.key(member.name), branch, member.value, isLargest: isLargest, as: .member)
  }

  /// Reports the missing required properties; returns whether there are any.
  private mutating func explainMissing(
    _ plan: ObjectPlan, _ instruction: Instruction, _ present: Set<Int>, _ value: JSON
  ) -> Bool {
    var isMissing = false
    var undeclared: [String]?
    for node in evaluator.requiredNames(plan, origin(instruction)) {
      guard let entry = evaluator.position(of: node, plan), !present.contains(entry) else { continue }
      isMissing = true
      guard reports(.members, isMissing: true) else {
        if isFull { break }
        continue
      }
      let name = node.text
      if log.suggests, undeclared == nil { undeclared = self.undeclaredNames(in: value, plan) }
      let near = log.suggests ? Self.near(name, undeclared ?? []) : nil
      add(
        KeywordFailure(
          "required", "the property \(Wording.name(name)) is missing", at: node,
          help: near.map { "a similar property exists: \(Wording.name($0))" }), instruction, value)
    }
    return isMissing
  }

  /// The most names to compare with a wrong or missing one, and the most members to search for them.
  private static let (candidates, searched) = (100, 10_000)

  private static func near(_ name: String, _ undeclared: [String]) -> String? {
    guard name.utf8.count <= 200 else { return nil }
    // `birthDate` for `birth` has too many edits for a typing error, but probably means the same.
    return Suggestion.nearest(to: name, among: undeclared)
      ?? undeclared.first { name.utf8.count >= 3 && $0.utf8.starts(with: name.utf8) }
  }

  /// Some of the names in a value that the schema does not declare.
  private func undeclaredNames(in value: JSON, _ plan: ObjectPlan) -> [String] {
    let undeclared = value.members.prefix(Self.searched).lazy.filter { evaluator.position(of: $0.key, plan) == nil }
    return undeclared.prefix(Self.candidates).map(\.name)
  }

  /// The names in `properties`, for messages about undeclared ones.
  private struct Declared {
    let all: String
    /// Some of those that the object does not have.
    let free: [String]

    init(_ schema: JSON, _ plan: ObjectPlan, _ present: Set<Int>, _ collector: FailureCollector) {
      let count = schema["properties"]?.count ?? 0
      let names = schema.members(of: "properties").prefix(Wording.shownNames).map(\.name)
        .map { VisibleText.line(VisibleText.shortened($0, to: 120)) }
      all = count == 0 ? "no properties are declared" : "\(Wording.list(names, of: count)) are declared"
      let keys = schema["properties"]?.members.prefix(FailureCollector.searched).lazy.map(\.key)
      free =
        keys?.filter { key in collector.evaluator.position(of: key, plan).map { !present.contains($0) } ?? false }
        .prefix(FailureCollector.candidates).map(\.text) ?? []
    }

    func help(for name: String, suggests: Bool) -> String {
      let isSuggested = suggests && name.utf8.count <= 200
      return (isSuggested ? Suggestion.phrase(for: name, among: free) : nil) ?? all
    }
  }

  func sizeFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let limit = Int(instruction.a)
    let (keyword, bound, noun) =
      switch instruction.operation {
      case .minProperties: ("minProperties", "at least", "property")
      case .maxProperties: ("maxProperties", "at most", "property")
      case .minItems: ("minItems", "at least", "element")
      default: ("maxItems", "at most", "element")
      }
    return KeywordFailure(keyword, "expected \(bound) \(Wording.count(limit, noun)), found \(value.count)")
  }

  mutating func explainPropertyNames(_ instruction: Instruction, _ value: JSON) -> Outcome {
    let branch = program.branches.base[Int(instruction.a)]
    var outcome = Outcome.fits
    for member in value.members {
      if ask({ $0.apply(branch, member.key.index) }) == .fits { continue }
      outcome = outcome.and(explainChild(.key(member.name), branch, member.key, as: .name))
      if isFull { break }
    }
    return outcome
  }
}
