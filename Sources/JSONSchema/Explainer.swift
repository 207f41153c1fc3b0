import SourceText

/// Finds out all that is wrong with a value that a program has refused.
///
/// It walks the same program as the evaluator and asks it about all that is no mere sum of its parts. What is one, the
/// members of an object or the parts of `allOf`, it takes apart at once. Of all the children of a value only the
/// largest is taken apart unasked, so no node is asked about more often than the logarithm of their number.
struct Explainer {
  let program: Program
  let evaluator: Evaluator
  /// Failures that are put into words.
  let limit: Int
  /// Failures beyond the limit that are counted at most.
  let countLimit: Int

  var failures: [SchemaFailure] = []
  /// What was not judged, and why.
  var remarks: [SchemaFailure] = []
  /// Failures beyond the limit.
  var untold = 0
  /// What may still be done, as the evaluator counts it; taking a block apart costs as much as running some, and more the
  /// more children the value has.
  var fuel: Int
  /// Whether something was left alone since it would have cost too much.
  var isSpent = false
  /// Why the evaluator could not answer the last question.
  var lastStop: Evaluator.Stop?
  /// What the present value is to the one around it.
  var role = Role.value
  /// Choices around the present one.
  var choiceDepth = 0
  /// Of a scout, which finds no words: how far off the value is as yet, and where it set out.
  var distance: (sum: Int, start: Int)?

  var path: [Step] = []
  var trace: [TracedSchema] = []
  var told: Set<Told> = []
  var outcomes: [Visit: Outcome] = [:]
  private var depth = 0
  /// Schemas that were entered, where failures tell the way.
  private var entries = 0
  private var pending: [Task] = []

  /// Schemas inside each other that are taken apart before the rest is put off; a thread's stack must hold them all.
  private static let maximumDepth = 150
  private static let costOfBlock = 16

  /// One step down into the value.
  enum Step {
    case key(String)
    case position(Int)
  }

  /// What the value at hand is.
  enum Role { case value, member, name }

  /// What is known about a value and a part of its schema.
  enum Outcome {
    case fits, fails, unknown

    /// Of two parts that must both fit.
    func and(_ other: Outcome) -> Outcome {
      self == .fails || other == .fails ? .fails : self == .unknown || other == .unknown ? .unknown : .fits
    }
  }

  /// A subschema that a value is known to break, to be taken apart later.
  private struct Task {
    let branch: Branch
    let value: JSON
    let path: [Step]
    let trace: [TracedSchema]
    let role: Role
    let choiceDepth: Int
    let reference: String?
  }

  struct Visit: Hashable {
    let start: UInt32
    let end: UInt32
    let value: Int
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

  /// - Parameters:
  ///   - counts: Whether failures beyond the limit are counted.
  ///   - size: The nodes of the value.
  init(_ evaluator: Evaluator, limit: Int, counts: Bool, size: Int) {
    program = evaluator.program
    self.evaluator = evaluator
    self.limit = limit
    countLimit = counts ? 1_000 : 0
    fuel = Evaluator.baseFuel + 200 * size
  }

  /// Whether failures must tell the way through the schemas.
  var traces: Bool { !program.schemas.isEmpty && distance == nil }
  /// Whether there is nothing more to be looked for.
  var isFull: Bool { isSpent || (failures.count >= limit && untold >= countLimit) }

  /// Takes the whole schema apart.
  mutating func run(_ root: Branch, _ value: JSON) {
    explain(root, value)
    var next = 0
    while next < pending.count, !isFull {
      let task = pending[next]
      (path, trace, role, choiceDepth) = (task.path, task.trace, task.role, task.choiceDepth)
      explain(task.branch, task.value, via: task.reference)
      next += 1
    }
    (path, trace, role, choiceDepth) = ([], [], .value, 0)
  }

  /// Takes a subschema apart: tells what in it the value breaks.
  ///
  /// - Parameter reference: The keyword that led here, if it was a reference.
  @discardableResult
  mutating func explain(_ branch: Branch, _ value: JSON, via reference: String? = nil) -> Outcome {
    if branch.wholeStart == branch.end { return .fits }
    if isFull { return .unknown }
    let visit = Visit(start: branch.wholeStart, end: branch.end, value: value.index)
    // What was told once need not be told again, nor looked for.
    if !traces, let known = outcomes[visit] { return known }
    guard fuel > Self.costOfBlock else {
      isSpent = true
      return .unknown
    }
    if depth >= Self.maximumDepth || evaluator.isOutOfStack { return putOff(branch, value, via: reference) }
    fuel -= Self.costOfBlock
    depth += 1
    let isTraced = enter(branch, value, via: reference)
    let outcome = explainAll(branch, value)
    if isTraced { trace.removeLast() }
    depth -= 1
    if !traces { outcomes[visit] = outcome }
    return outcome
  }

  /// Notes the schema that is entered; whether there is one.
  @inline(never)
  private mutating func enter(_ branch: Branch, _ value: JSON, via reference: String?) -> Bool {
    guard traces, let schema = program.schemas[branch.wholeStart] else { return false }
    let outer = trace.last
    let step: [String] =
      if let reference { [reference] } else if let outer {
        Array(schema.pointer.tokens.dropFirst(outer.schema.pointer.tokens.count))
      } else { [] }
    let route = JSONPointer((outer?.route.tokens ?? []) + step)
    entries += 1
    trace.append(TracedSchema(schema: schema, route: route, instance: JSONPointer(tokens), entry: entries))
    return true
  }

  /// Asks whether the value fits, and leaves it for later why not: values and schemas may be nested deeper than a stack.
  @inline(never)
  private mutating func putOff(_ branch: Branch, _ value: JSON, via reference: String?) -> Outcome {
    let answer = ask { $0.apply(branch, value.index) }
    if answer == .unknown { doubt(value, at: origin(program.code.base[Int(branch.wholeStart)])) }
    guard answer == .fails else { return answer }
    if let (sum, start) = distance {
      distance = (sum + 1, start)
    } else if pending.count < limit + countLimit {
      pending.append(
        Task(
          branch: branch, value: value, path: path, trace: trace, role: role, choiceDepth: choiceDepth,
          reference: reference))
    } else {
      untold += 1
    }
    return .fails
  }

  private mutating func explainAll(_ branch: Branch, _ value: JSON) -> Outcome {
    let mark = evaluator.markCount
    let kind = Kinds(value.kind)
    let wantsMarks = program.code.base[Int(branch.end) - 1].isUnevaluated
    var outcome = Outcome.fits
    for position in branch.wholeStart..<branch.end {
      let instruction = program.code.base[Int(position)]
      if instruction.applies.isDisjoint(with: kind) { continue }
      // What failed has evaluated nothing; to complain about that as well would only be noise.
      if instruction.isUnevaluated, outcome != .fits { continue }
      let one =
        instruction.isCompound
        ? takeApart(instruction, value, branch, mark) : explainSimple(position, instruction, value)
      outcome = outcome.and(one)
      if isFull { break }
      if wantsMarks, outcome == .fits, !instruction.isUnevaluated {
        _ = ask(keepsMarks: true) { $0.run(position, position + 1, value.index, mark: mark) }
      }
    }
    evaluator.forget(downTo: mark)
    return outcome
  }

  /// What consists of subschemas.
  private mutating func takeApart(_ instruction: Instruction, _ value: JSON, _ branch: Branch, _ mark: Int) -> Outcome {
    // All children are walked by, whatever is wrong with them, and a block may have any number of such instructions.
    if value.isObject || value.isArray { fuel -= value.count }
    guard fuel > 0 else {
      isSpent = true
      return .unknown
    }
    switch instruction.operation {
    case .prefixItems, .items: return explainItems(instruction, value)
    case .members: return explainMembers(instruction, value)
    case .propertyNames: return explainPropertyNames(instruction, value)
    case .dependentSchemas: return explainDependentSchemas(instruction, value)
    case .call:
      // The origin is the reference itself, or a part of `allOf`.
      let reference = traces && origin(instruction).isString ? origin(instruction).keyName : nil
      let target = Branch(start: instruction.a, end: instruction.b, kinds: .any, isFalse: false)
      return explain(target, value, via: reference)
    case .anyOf, .oneOf: return explainChoice(instruction, value)
    case .condition: return explainCondition(instruction, value)
    default: return explainUnevaluated(instruction, value, branch, mark)
    }
  }

  /// What the evaluator answers with one word.
  @inline(never)
  private mutating func explainSimple(_ position: UInt32, _ instruction: Instruction, _ value: JSON) -> Outcome {
    let mark = evaluator.markCount
    let answer = ask { $0.run(position, position + 1, value.index, mark: mark) }
    switch answer {
    case .fits: break
    case .fails:
      if instruction.operation == .dependentRequired {
        explainDependentRequired(instruction, value)
      } else if tells(instruction.operation) {
        add(words(instruction, value), instruction, value)
      }
    case .unknown: doubt(instruction, value)
    }
    return answer
  }

  private mutating func words(_ instruction: Instruction, _ value: JSON) -> Finding {
    switch instruction.operation {
    case .fail: falseFailure(instruction, value)
    case .types: typeFailure(instruction, value)
    case .enumeration: enumerationFailure(instruction, value)
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf: numberFailure(instruction, value)
    case .minLength, .maxLength: lengthFailure(instruction, value)
    case .pattern: patternFailure(instruction, value)
    case .format: formatFailure(instruction, value)
    case .content: contentFailure(instruction, value)
    case .minItems, .maxItems, .minProperties, .maxProperties: sizeFailure(instruction, value)
    case .uniqueItems: uniqueFailure(value)
    case .contains: containsFailure(instruction, value)
    case .not: notFailure(instruction, value)
    default: Finding(origin(instruction).keyName ?? "", "does not fit the schema here")
    }
  }

  private func falseFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    switch role {
    case .name:
      return Finding("false", "the property \(Wording.name(value.text)) must not be there, as no name is allowed")
    case .member:
      if case .key(let name) = path.last {
        return Finding("false", "the property \(Wording.name(name)) must not be there, found \(Wording.found(value))")
      }
    case .value: break
    }
    let found = "found \(Wording.found(value))"
    return switch origin(instruction).keyName {
    case "then": Finding("false", "nothing that fits `if` is allowed here, \(found)")
    case "else": Finding("false", "only what fits `if` is allowed here, \(found)")
    default: Finding("false", "nothing is allowed here, \(found)")
    }
  }
}

// MARK: - The way into the value

extension Explainer {
  /// Takes apart what a subschema says about a child, unless the child fits.
  ///
  /// - Parameter isLargest: Whether to save the question, since whoever asks about the largest child on every level
  ///   of a deep value asks about all of it each time.
  mutating func explainChild(
    _ step: Step, _ branch: Branch, _ child: JSON, isLargest: Bool = false, as role: Role = .value
  ) -> Outcome {
    if branch.wholeStart == branch.end { return .fits }
    let answer = isLargest ? .unknown : ask { $0.apply(branch, child.index) }
    if answer == .fits { return .fits }
    let outer = self.role
    self.role = outer == .name ? .name : role
    path.append(step)
    let found = explain(branch, child)
    // Nothing that the evaluator refuses may go without a word.
    if answer == .fails, found == .fits {
      addWhole(branch, child, at: origin(program.code.base[Int(branch.wholeStart)]))
    }
    path.removeLast()
    self.role = outer
    return answer == .fails ? .fails : found
  }

  /// The node of a child that holds more than all others, where that is much.
  func largestChild(of value: JSON) -> Int? {
    var largest: (index: Int, size: Int)?
    var child = value.index + 1
    for _ in 0..<value.count {
      if value.isObject { child += 1 }
      let end = evaluator.end(of: child)
      if end - child > max(largest?.size ?? 0, 32) { largest = (child, end - child) }
      child = end
    }
    return largest?.index
  }

  mutating func step(into step: Step, _ body: (inout Explainer) -> Void) {
    path.append(step)
    body(&self)
    path.removeLast()
  }

  /// The way from the judged value to the present one.
  var tokens: [String] {
    path.map { step in
      switch step {
      case .key(let name): name
      case .position(let position): String(position)
      }
    }
  }
}

extension Instruction {
  /// Whether it is made of subschemas that an explainer enters.
  fileprivate var isCompound: Bool {
    switch operation {
    case .prefixItems, .items, .members, .propertyNames, .dependentSchemas, .call, .anyOf, .oneOf, .condition,
      .unevaluatedItems, .unevaluatedProperties:
      true
    default: false
    }
  }

  fileprivate var isUnevaluated: Bool { operation == .unevaluatedItems || operation == .unevaluatedProperties }
}
