/// `if`, `then`, `else`, and the dependencies on a property: `dependencies`, `dependentRequired`, `dependentSchemas`.
extension Compiler {
  mutating func compileConditions(_ schema: SchemaContext) {
    if let node = schema[.if], case let matters = schema[.then] != nil || schema[.else] != nil || schema.marks,
      matters || traces
    {
      // Without an effect it only annotates, and must not count as a loop of calls.
      let condition =
        matters ? inPlaceBlock(place(of: node, in: schema), of: schema) : childBlock(node.index, of: schema)
      let outcomes = [schema[.then], schema[.else]].map { $0.map { conditionalBlock($0, of: schema) } }
      let first = builder.branches([condition] + outcomes)
      emit(.condition, matters ? .any : [], first, at: node, in: schema)
    }
    var required: [JSON.Member] = []
    var schemas: [JSON.Member] = []
    for member in members(of: .dependencies, in: schema) {
      if member.value.isArray { required.append(member) } else { schemas.append(member) }
    }
    compileDependentRequired(.dependencies, required, schema)
    compileDependentRequired(.dependentRequired, members(of: .dependentRequired, in: schema), schema)
    compileDependentSchemas(schemas + members(of: .dependentSchemas, in: schema), schema)
  }

  private mutating func members(of keyword: Keyword, in schema: SchemaContext) -> [JSON.Member] {
    guard let node = schema[keyword] else { return [] }
    if !node.isObject { reportWrongValue(keyword, "an object", node) }
    return Array(node.members)
  }

  private mutating func compileDependentRequired(
    _ keyword: Keyword, _ list: [JSON.Member], _ schema: SchemaContext
  ) {
    for member in list {
      let (key, names) = (member.key, member.value)
      guard names.isArray, names.elements.allSatisfy(\.isString) else {
        reportWrongValue(keyword, "an array of names for each property", names)
        continue
      }
      let first = UInt32(builder.names.count)
      for name in names.elements { builder.names.append(builder.name(name)) }
      addDependency(on: key, first: first, count: UInt32(builder.names.count) - first)
      emit(
        .dependentRequired, .object, UInt32(builder.dependencies.count - 1), at: names, in: schema)
    }
  }

  private mutating func compileDependentSchemas(_ list: [JSON.Member], _ schema: SchemaContext) {
    for member in list {
      let (key, node) = (member.key, member.value)
      let branch = builder.branch(conditionalBlock(node, of: schema))
      addDependency(on: key, first: branch, count: 1)
      emit(.dependentSchemas, .object, UInt32(builder.dependencies.count - 1), at: node, in: schema)
    }
  }

  private mutating func addDependency(on key: JSON, first: UInt32, count: UInt32) {
    let name = builder.name(key)
    builder.dependencies.append(
      Dependency(nameOffset: name.offset, nameLength: name.length, nameHash: name.hash, first: first, count: count))
  }
}

extension Evaluator {
  func condition(_ first: UInt32, _ index: Int) -> Bool {
    let mark = markCount
    if apply(first, index) { return apply(first + 1, index) }
    forget(downTo: mark)
    return apply(first + 2, index)
  }

  func dependentRequired(_ id: UInt32, _ index: Int) -> Bool {
    let dependency = program.dependencies.base[Int(id)]
    guard hasMember(index, dependency.nameHash, dependency.nameOffset, dependency.nameLength) else { return true }
    for position in 0..<Int(dependency.count) {
      let name = program.names.base[Int(dependency.first) + position]
      guard hasMember(index, name.hash, name.offset, name.length) else { return false }
    }
    return true
  }

  func dependentSchemas(_ id: UInt32, _ index: Int) -> Bool {
    let dependency = program.dependencies.base[Int(id)]
    guard hasMember(index, dependency.nameHash, dependency.nameOffset, dependency.nameLength) else { return true }
    return apply(dependency.first, index)
  }

  private func hasMember(_ index: Int, _ hash: UInt32, _ offset: UInt32, _ length: UInt32) -> Bool {
    guard affords(Int(nodes[index].count >> 4)) else { return false }
    var key = index + 1
    for _ in 0..<nodes[index].count {
      let node = nodes[key]
      if node.hash == hash, node.count == length,
        utf8Equals(programText + Int(offset), bytes + Int(node.offset), Int(length))
      {
        return true
      }
      key = end(of: key + 1)
    }
    return false
  }
}

extension FailureCollector {
  mutating func explainCondition(_ instruction: Instruction, _ value: JSON) -> Outcome {
    let outer = path.role
    if path.role == .member { path.role = .value }
    defer { path.role = outer }
    let condition = program.branches.base[Int(instruction.a)]
    switch ask({ $0.apply(condition, value.index) }) {
    case .fits: return explain(program.branches.base[Int(instruction.a) + 1], value)
    case .fails: return explain(program.branches.base[Int(instruction.a) + 2], value)
    case .unknown:
      doubt(condition, value, instruction)
      return .unknown
    }
  }

  mutating func explainDependentSchemas(_ instruction: Instruction, _ value: JSON) -> Outcome {
    let dependency = program.dependencies.base[Int(instruction.a)]
    let answer = ask { $0.dependentSchemas(instruction.a, value.index) }
    return answer == .fits ? .fits : explain(program.branches.base[Int(dependency.first)], value)
  }

  mutating func explainDependentRequired(_ instruction: Instruction, _ value: JSON) {
    let names = origin(instruction)
    let way = names.pointer.tokens
    let key = Wording.name(way.last ?? "")
    // Up to draft 7 the keyword is `dependencies`.
    let keyword = way.dropLast().last ?? ""
    for name in names.elements {
      if isFull { return }
      guard let text = name.string, value.key(text) == nil, reports(.dependentRequired, isMissing: true) else {
        continue
      }
      let message = "the property \(Wording.name(text)) is missing; \(key) requires it"
      add(KeywordFailure(keyword, message, at: name), instruction, value)
    }
  }
}
