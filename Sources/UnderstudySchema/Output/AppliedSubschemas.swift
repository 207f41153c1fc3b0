/// The subschemas that the keywords of one schema applied to a value, and the annotations of these keywords (Core
/// 2020-12, 10 and 11).
struct AppliedSubschemas {
  /// The results by keyword.
  private(set) var applied: [Keyword: Applied] = [:]
  private let evaluator: Evaluator
  private let library: SchemaLibrary
  private let application: AnnotationCollector.Application
  private let reading: SchemaReading
  private let entered: EnteredSchemas
  /// The number of parts of `allOf` so far.
  private var conjuncts = 0

  /// The result of one keyword.
  struct Applied {
    /// The keyword's own annotation: the properties or elements that it reached.
    var annotation: JSON?
    var parts: [Part] = []
  }

  /// A subschema and the value that it applies to.
  struct Part {
    var branch: Branch
    var schema: JSON
    var value: JSON
    /// The path from the keyword, and from the value: ends of JSON pointers.
    var route = ""
    var step = ""
    /// Whether it is outside of the keyword's value.
    var isReferenced = false
  }

  init(
    _ application: AnnotationCollector.Application, _ reading: SchemaReading, _ entered: EnteredSchemas,
    _ evaluator: Evaluator, _ library: SchemaLibrary
  ) {
    self.evaluator = evaluator
    self.library = library
    self.application = application
    self.reading = reading
    self.entered = entered
    let kind = JSONTypeSet(value.kind)
    if reading.dialect.has(.annotates) { addEmptyNames(kind) }
    for position in application.branch.wholeStart..<application.branch.end {
      let instruction = program.code.base[Int(position)]
      // An `if` alone asserts nothing, but annotates.
      guard instruction.operation == .condition || !instruction.applies.isDisjoint(with: kind) else { continue }
      switch instruction.operation {
      case .members: addMembers(instruction)
      case .prefixItems, .items: addItems(instruction)
      case .contains: addContains(instruction)
      case .dependentSchemas: addDependency(instruction)
      case .call: addCall(instruction)
      case .anyOf: addChoice(.anyOf, instruction)
      case .oneOf: addChoice(.oneOf, instruction)
      case .condition: addCondition(instruction)
      case .unevaluatedItems, .unevaluatedProperties: addUnevaluated(instruction, at: position)
      // The value does not fit the schema under `not`, names of properties have no location to annotate, and all other
      // instructions apply no subschemas.
      default: continue
      }
    }
  }

  private var program: Program { evaluator.program }
  private var value: JSON { application.value }

  private func origin(_ instruction: Instruction) -> JSON { program.origin(instruction.origin) }

  private func branch(_ number: UInt32) -> Branch { program.branches.base[Int(number)] }

  /// A part with the schema of its branch in the program, or `schema` for one that accepts everything.
  private func part(
    _ branch: Branch, _ schema: @autoclosure () -> JSON?, _ value: JSON, route: String = "", step: String = ""
  ) -> Part? {
    let known = branch.wholeStart < branch.end ? program.schemas[branch.wholeStart] : nil
    // `true` has no annotations.
    guard let schema = known ?? schema(), schema.isObject else { return nil }
    return Part(branch: branch, schema: schema, value: value, route: route, step: step)
  }
}

// MARK: - Objects

extension AppliedSubschemas {
  /// Annotates objects with empty sets of names for the keywords about names.
  private mutating func addEmptyNames(_ kind: JSONTypeSet) {
    guard kind == .object else { return }
    for keyword in [.properties, .patternProperties, .additionalProperties] as [Keyword] where reading[keyword] != nil {
      applied[keyword] = Applied(annotation: .array([]))
    }
  }

  private mutating func addMembers(_ instruction: Instruction) {
    let plan = program.objects.base[Int(instruction.a)]
    let patterns = plan.patternCount > 0 ? patterns(of: plan) : []
    var named: [Keyword: [JSON]] = [:]
    func add(_ keyword: Keyword, _ member: JSON.Member, _ part: Part?) {
      if named[keyword]?.last?.index != member.key.index { named[keyword, default: []].append(member.key) }
      if let part { applied[keyword, default: Applied()].parts.append(part) }
    }
    for member in value.members {
      let key = evaluator.nodes[member.key.index]
      let step = "/" + JSONPointer.escape(member.name)
      var isKnown = false
      if let found = evaluator.find(plan.names, key.hash, evaluator.text(of: key)),
        case let entry = program.entries.base[Int(plan.entries) + found], entry.isDeclared
      {
        isKnown = true
        add(
          .properties, member,
          part(entry.branch, reading[.properties]?[member.name], member.value, route: step, step: step))
      }
      for position in 0..<Int(plan.patternCount) {
        let entry = program.patternEntries.base[Int(plan.patterns) + position]
        guard evaluator.isMatch(entry.pattern, key), position < patterns.count else { continue }
        isKnown = true
        let route = "/" + JSONPointer.escape(patterns[position].name)
        add(
          .patternProperties, member,
          part(branch(entry.branch), patterns[position].value, member.value, route: route, step: step))
      }
      if !isKnown, plan.hasAdditional {
        add(
          .additionalProperties, member,
          part(branch(plan.additional), reading[.additionalProperties], member.value, step: step))
      }
    }
    guard reading.dialect.has(.annotates) else { return }
    for (keyword, keys) in named { applied[keyword, default: Applied()].annotation = .names(keys) }
  }

  /// The members of `patternProperties` that the program has.
  private func patterns(of plan: ObjectPlan) -> [JSON.Member] {
    let members = reading[.patternProperties].map { Array($0.members) } ?? []
    return members.count == plan.patternCount ? members : members.filter { (try? Pattern(ecma: $0.name)) != nil }
  }

  private mutating func addDependency(_ instruction: Instruction) {
    let schema = origin(instruction)
    let dependency = program.dependencies.base[Int(instruction.a)]
    let bytes = UnsafeBufferPointer(
      start: program.text.base + Int(dependency.nameOffset), count: Int(dependency.nameLength))
    guard value.member(utf8: bytes) != nil else { return }
    let isOld = reading[.dependencies].map { $0.index..<$0.document.end(of: $0.index) ~= schema.index } ?? false
    let route = "/" + JSONPointer.escape(String(decoding: bytes, as: UTF8.self))
    guard let part = part(branch(dependency.first), schema, value, route: route) else { return }
    applied[isOld ? .dependencies : .dependentSchemas, default: Applied()].parts.append(part)
  }
}

// MARK: - Arrays

extension AppliedSubschemas {
  private mutating func addItems(_ instruction: Instruction) {
    let schema = origin(instruction)
    let listed = Int(instruction.b)
    guard let keyword = reading.keyword(at: schema, among: [.prefixItems, .items, .additionalItems]) else { return }
    var found = Applied()
    var reached: Int?
    let parts = instruction.operation == .prefixItems ? Array(schema.elements) : nil
    for (position, element) in value.elements.enumerated() {
      if let parts {
        guard position < min(listed, parts.count) else { break }
        let branch = branch(instruction.a + UInt32(position))
        if let part = part(branch, parts[position], element, route: "/\(position)", step: "/\(position)") {
          found.parts.append(part)
        }
      } else {
        guard position >= listed else { continue }
        if let part = part(branch(instruction.a), schema, element, step: "/\(position)") { found.parts.append(part) }
      }
      reached = position
    }
    // Without any element the keyword does not annotate (10.3.1.1, 10.3.1.2).
    guard let reached else { return }
    if reading.dialect.has(.annotates) {
      found.annotation = reached + 1 == value.count ? true : JSON(integerLiteral: reached)
    }
    applied[keyword] = found
  }

  private mutating func addContains(_ instruction: Instruction) {
    let plan = program.contains.base[Int(instruction.a)]
    var found = Applied()
    var positions: [JSON] = []
    for (position, element) in value.elements.enumerated() where evaluator.apply(plan.branch, element.index) {
      positions.append(JSON(integerLiteral: position))
      if let part = part(branch(plan.branch), origin(instruction), element, step: "/\(position)") {
        found.parts.append(part)
      }
    }
    // From 2020-12 on it annotates, for `unevaluatedItems` (10.3.1.3).
    if reading.dialect.has(.containsEvaluates) { found.annotation = .array(positions) }
    applied[.contains] = found
  }
}

// MARK: - The value itself

extension AppliedSubschemas {
  private mutating func addCall(_ instruction: Instruction) {
    let origin = origin(instruction)
    let branch = Branch(start: instruction.a, end: instruction.b, kinds: .any, isFalse: false)
    if let keyword = reading.keyword(at: origin, among: [.ref, .dynamicRef, .recursiveRef]) {
      guard
        var part = part(
          branch, library.target(of: keyword, in: application.schema, through: entered.path(to: application)), value)
      else { return }
      part.isReferenced = true
      applied[keyword] = Applied(parts: [part])
    } else {
      if let part = part(branch, origin, value, route: "/\(conjuncts)") {
        applied[.allOf, default: Applied()].parts.append(part)
      }
      conjuncts += 1
    }
  }

  private mutating func addChoice(_ keyword: Keyword, _ instruction: Instruction) {
    guard let list = reading[keyword] else { return }
    var found = Applied()
    for (position, schema) in list.elements.enumerated() where position < Int(instruction.b) {
      let branch = branch(instruction.a + UInt32(position))
      guard evaluator.apply(branch, value.index), let part = part(branch, schema, value, route: "/\(position)") else {
        continue
      }
      found.parts.append(part)
    }
    applied[keyword] = found
  }

  private mutating func addCondition(_ instruction: Instruction) {
    let isMet = evaluator.apply(instruction.a, value.index)
    let keywords: [(Keyword, UInt32)] = isMet ? [(.if, 0), (.then, 1)] : [(.else, 2)]
    for (keyword, offset) in keywords {
      guard let schema = reading[keyword], let part = part(branch(instruction.a + offset), schema, value) else {
        continue
      }
      applied[keyword] = Applied(parts: [part])
    }
  }

  private mutating func addUnevaluated(_ instruction: Instruction, at position: UInt32) {
    let mark = evaluator.markCount
    for earlier in application.branch.wholeStart..<position {
      guard evaluator.run(earlier, earlier + 1, value.index, mark: mark) else { return }
    }
    let left = Set(evaluator.unevaluatedChildren(of: value.index, since: mark))
    evaluator.forget(downTo: mark)
    let (branch, schema) = (branch(instruction.a), origin(instruction))
    var found = Applied()
    var keys: [JSON] = []
    for member in value.members where left.contains(member.value.index) {
      keys.append(member.key)
      let step = "/" + JSONPointer.escape(member.name)
      if let part = part(branch, schema, member.value, step: step) { found.parts.append(part) }
    }
    for (position, element) in value.elements.enumerated() where left.contains(element.index) {
      if let part = part(branch, schema, element, step: "/\(position)") { found.parts.append(part) }
    }
    if value.isObject {
      found.annotation = .names(keys)
    } else if !left.isEmpty {
      found.annotation = true
    }
    applied[value.isObject ? .unevaluatedProperties : .unevaluatedItems] = found
  }
}

extension JSON {
  /// The names of some keys as an array of strings.
  fileprivate static func names(_ keys: [JSON]) -> JSON { .array(keys.lazy.map { .string($0.text) }) }
}
