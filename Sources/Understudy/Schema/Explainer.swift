/// Finds out all that is wrong with a value that a program has refused.
///
/// It walks the same program as the evaluator, instruction by instruction, and asks the evaluator about each; so the two
/// cannot disagree. Only what fails is taken apart.
struct Explainer {
  let program: Program
  let evaluator: Evaluator
  let limit: Int
  private(set) var failures: [SchemaFailure] = []
  private(set) var path: [Step] = []
  private var trace: [TracedSchema] = []

  /// One step down into the value.
  enum Step {
    case key(String)
    case position(Int)
  }

  /// A failure without the place where it happened.
  struct Finding {
    var keyword: String
    var message: String
    var help: String?
    /// The keyword's node, where it is not that of the instruction.
    var schema: JSON?

    init(_ keyword: String, _ message: String, at schema: JSON? = nil, help: String? = nil) {
      self.keyword = keyword
      self.message = message
      self.help = help
      self.schema = schema
    }
  }

  init(_ evaluator: Evaluator, limit: Int) {
    program = evaluator.program
    self.evaluator = evaluator
    self.limit = limit
  }

  /// Whether failures must tell the way through the schemas.
  var traces: Bool { !program.schemas.isEmpty }
  var isFull: Bool { failures.count >= limit || evaluator.stopped != nil }

  /// - Parameter reference: The keyword that led here, if it was a reference.
  mutating func explain(_ branch: Branch, _ value: JSON, via reference: String? = nil) {
    guard let schema = program.schemas[branch.wholeStart] else { return explainAll(branch, value) }
    let outer = trace.last
    let step: [String] =
      if let reference { [reference] } else if let outer {
        Array(schema.pointer.tokens.dropFirst(outer.schema.pointer.tokens.count))
      } else { [] }
    let route = JSONPointer((outer?.route.tokens ?? []) + step)
    trace.append(TracedSchema(schema: schema, route: route, instance: JSONPointer(tokens)))
    explainAll(branch, value)
    trace.removeLast()
  }

  private mutating func explainAll(_ branch: Branch, _ value: JSON) {
    if evaluator.isOutOfStack { return }
    let mark = evaluator.markCount
    let kind = Kinds(value.kind)
    var hasFailed = false
    for position in branch.wholeStart..<branch.end {
      let instruction = program.code.base[Int(position)]
      if instruction.applies.isDisjoint(with: kind) { continue }
      let isUnevaluated =
        instruction.operation == .unevaluatedItems || instruction.operation == .unevaluatedProperties
      // What failed has evaluated nothing; to complain about that as well would only be noise.
      if isUnevaluated, hasFailed { continue }
      if evaluator.run(position, position + 1, value.index, mark: mark) { continue }
      if isFull { return }
      hasFailed = true
      explain(instruction, value, mark: mark)
      if isFull { return }
    }
  }

  private mutating func explain(_ instruction: Instruction, _ value: JSON, mark: Int) {
    switch instruction.operation {
    case .fail: add(falseFailure(instruction, value), instruction, value)
    case .refuse: break
    case .types: add(typeFailure(instruction, value), instruction, value)
    case .enumeration: add(enumerationFailure(instruction, value), instruction, value)
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf:
      add(numberFailure(instruction, value), instruction, value)
    case .minLength, .maxLength: add(lengthFailure(instruction, value), instruction, value)
    case .pattern: add(patternFailure(instruction, value), instruction, value)
    case .format: add(formatFailure(instruction, value), instruction, value)
    case .content: add(contentFailure(instruction, value), instruction, value)
    case .minItems, .maxItems, .minProperties, .maxProperties:
      add(sizeFailure(instruction, value), instruction, value)
    case .uniqueItems: add(uniqueFailure(value), instruction, value)
    case .prefixItems, .items: explainItems(instruction, value)
    case .contains: add(containsFailure(instruction, value), instruction, value)
    case .members: explainMembers(instruction, value)
    case .propertyNames: explainPropertyNames(instruction, value)
    case .dependentRequired: explainDependentRequired(instruction, value)
    case .dependentSchemas:
      let branch = program.dependencies.base[Int(instruction.a)].first
      explain(program.branches.base[Int(branch)], value)
    case .call:
      // The origin is the reference itself, or a part of `allOf`.
      let reference = origin(instruction).isString ? origin(instruction).keyName : nil
      explain(Branch(start: instruction.a, end: instruction.b, kinds: .any, isFalse: false), value, via: reference)
    case .anyOf, .oneOf: explainChoice(instruction, value)
    case .not: add(notFailure(instruction, value), instruction, value)
    case .condition: explainCondition(instruction, value)
    case .unevaluatedItems, .unevaluatedProperties: explainUnevaluated(instruction, value, mark: mark)
    }
  }

  private func falseFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    if case .key(let name) = path.last {
      return Finding("false", "the property `\(name)` must not be there, found \(Wording.found(value))")
    }
    return Finding("false", "nothing is allowed here, found \(Wording.found(value))")
  }
}

// MARK: - Collecting

extension Explainer {
  /// The keyword's value node, or the schema of an instruction that stands for several keywords.
  func origin(_ instruction: Instruction) -> JSON { program.origin(instruction.origin) }

  mutating func add(_ finding: Finding, _ instruction: Instruction, _ value: JSON) {
    var finding = finding
    finding.schema = finding.schema ?? origin(instruction)
    add(finding, value)
  }

  mutating func add(_ finding: Finding, _ value: JSON) {
    guard failures.count < limit else { return }
    failures.append(
      SchemaFailure(
        keyword: finding.keyword, instance: JSONPointer(tokens), value: value, schema: finding.schema ?? value,
        message: finding.message, help: finding.help, trace: trace))
  }

  /// The way from the judged value to the present one.
  private var tokens: [String] {
    path.map { step in
      switch step {
      case .key(let name): name
      case .position(let position): String(position)
      }
    }
  }

  mutating func append(_ more: [SchemaFailure]) { failures += more.prefix(max(0, limit - failures.count)) }

  /// What a branch alone has to complain about; nothing of it is kept.
  mutating func collect(_ branch: Branch, _ value: JSON) -> [SchemaFailure] {
    let before = failures
    let mark = evaluator.markCount
    failures = []
    explain(branch, value)
    evaluator.forget(downTo: mark)
    defer { failures = before }
    return failures
  }

  mutating func step(into step: Step, _ body: (inout Explainer) -> Void) {
    path.append(step)
    body(&self)
    path.removeLast()
  }
}
