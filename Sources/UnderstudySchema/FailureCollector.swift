/// Finds all failures of a value that a program has refused.
///
/// It walks the same program as the evaluator. It enters keywords whose result is the sum of their parts, such as
/// members of an object or parts of `allOf`, and asks the evaluator about all others. It enters the largest child of a
/// value without asking, so that the evaluator sees each node only a logarithmic number of times.
struct FailureCollector {
  let program: Program
  var metered: MeteredEvaluator
  var log: FailureLog
  var path = FailurePath()
  /// The number of enclosing choices.
  var choiceDepth = 0
  /// The distance of the value from its schema so far; `nil` while failures are collected.
  private var distance: (sum: Int, start: Int)?
  private var outcomes: [Visit: Outcome] = [:]
  private var depth = 0
  /// The number of schemas that were entered, if failures show the path.
  private var entries = 0
  private var pending: [Task] = []

  /// The deepest nesting of schemas that fits on a thread's stack; deeper ones wait.
  private static let maximumDepth = 150
  private static let costOfBlock = 16

  typealias Outcome = MeteredEvaluator.Outcome

  /// A subschema that a value breaks, to be explained later.
  private struct Task {
    let branch: Branch
    let value: JSON
    let path: FailurePath
    let choiceDepth: Int
    let reference: String?
  }

  private struct Visit: Hashable {
    let start: UInt32
    let end: UInt32
    let value: Int
  }

  /// A failure without its location.
  struct KeywordFailure {
    var keyword: String
    var message: String
    var help: String?
    /// The keyword's node, if it differs from that of the instruction.
    var schema: JSON?

    init(_ keyword: String, _ message: String, at schema: JSON? = nil, help: String? = nil) {
      self.keyword = keyword
      self.message = message
      self.help = help
      self.schema = schema
    }
  }

  /// - Parameters:
  ///   - counts: Whether to count failures beyond the limit.
  ///   - size: The number of nodes in the value.
  init(_ evaluator: Evaluator, limit: Int, counts: Bool, size: Int) {
    program = evaluator.program
    metered = MeteredEvaluator(evaluator, fuel: Evaluator.baseFuel + 200 * size)
    log = FailureLog(limit: limit, counts: counts)
  }

  var evaluator: Evaluator { metered.evaluator }
  /// Whether failures show the path through the schemas.
  var traces: Bool { !program.schemas.isEmpty && distance == nil }
  /// Whether the collector measures the distance of the value from its schema instead of collecting failures.
  var isMeasuring: Bool { distance != nil }
  /// Whether the collector is done.
  var isFull: Bool { metered.isSpent || log.isFull }

  mutating func ask(keepsMarks: Bool = false, _ question: (Evaluator) -> Bool) -> Outcome {
    metered.ask(keepsMarks: keepsMarks, question)
  }

  /// The node of the keyword's value, or the schema for an instruction of several keywords.
  func origin(_ instruction: Instruction) -> JSON { program.origin(instruction.origin) }

  /// Explains the whole schema.
  mutating func run(_ root: Branch, _ value: JSON) {
    explain(root, value)
    var next = 0
    while next < pending.count, !isFull {
      let task = pending[next]
      (path, choiceDepth) = (task.path, task.choiceDepth)
      explain(task.branch, task.value, via: task.reference)
      next += 1
    }
    (path, choiceDepth) = (FailurePath(), 0)
  }

  /// Collects the failures of a value by a subschema.
  ///
  /// - Parameter reference: The keyword that led here, if it was a reference.
  @discardableResult
  mutating func explain(_ branch: Branch, _ value: JSON, via reference: String? = nil) -> Outcome {
    if branch.wholeStart == branch.end { return .fits }
    if isFull { return .unknown }
    let visit = Visit(start: branch.wholeStart, end: branch.end, value: value.index)
    // Each failure is reported once.
    if !traces, let known = outcomes[visit] { return known }
    guard metered.fuel > Self.costOfBlock else {
      metered.isSpent = true
      return .unknown
    }
    if depth >= Self.maximumDepth || evaluator.isOutOfStack { return putOff(branch, value, via: reference) }
    metered.fuel -= Self.costOfBlock
    depth += 1
    let isTraced = enter(branch, via: reference)
    let outcome = explainAll(branch, value)
    if isTraced { path.trace.removeLast() }
    depth -= 1
    if !traces { outcomes[visit] = outcome }
    return outcome
  }

  /// Adds the schema of a branch to the path; returns whether it has one.
  @inline(never)
  private mutating func enter(_ branch: Branch, via reference: String?) -> Bool {
    guard traces, let schema = program.schemas[branch.wholeStart] else { return false }
    entries += 1
    path.enter(schema, via: reference, entry: entries)
    return true
  }

  /// Asks whether the value fits, and explains the schema later: the nesting may exceed the stack.
  @inline(never)
  private mutating func putOff(_ branch: Branch, _ value: JSON, via reference: String?) -> Outcome {
    let answer = ask { $0.apply(branch, value.index) }
    if answer == .unknown { doubt(value, at: origin(program.code.base[Int(branch.wholeStart)])) }
    guard answer == .fails else { return answer }
    if let (sum, start) = distance {
      distance = (sum + 1, start)
    } else if pending.count < log.capacity {
      pending.append(Task(branch: branch, value: value, path: path, choiceDepth: choiceDepth, reference: reference))
    } else {
      log.omit()
    }
    return .fails
  }

  private mutating func explainAll(_ branch: Branch, _ value: JSON) -> Outcome {
    let mark = evaluator.markCount
    let kind = JSONTypeSet(value.kind)
    let wantsMarks = program.code.base[Int(branch.end) - 1].isUnevaluated
    var outcome = Outcome.fits
    for position in branch.wholeStart..<branch.end {
      let instruction = program.code.base[Int(position)]
      if instruction.applies.isDisjoint(with: kind) { continue }
      // Failed keywords evaluate no children, which would cause a second failure here.
      if instruction.isUnevaluated, outcome != .fits { continue }
      let one =
        instruction.isCompound
        ? explainCompound(instruction, value, branch, mark) : explainSimple(position, instruction, value)
      outcome = outcome.and(one)
      if isFull { break }
      if wantsMarks, outcome == .fits, !instruction.isUnevaluated {
        _ = ask(keepsMarks: true) { $0.run(position, position + 1, value.index, mark: mark) }
      }
    }
    evaluator.forget(downTo: mark)
    return outcome
  }

  /// Explains an instruction that consists of subschemas.
  private mutating func explainCompound(
    _ instruction: Instruction, _ value: JSON, _ branch: Branch, _ mark: Int
  ) -> Outcome {
    // The explanation visits all children, valid or not, and a block may have many such instructions.
    guard metered.pays(value.count) else { return .unknown }
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

  /// Asks the evaluator about an instruction without subschemas.
  @inline(never)
  private mutating func explainSimple(_ position: UInt32, _ instruction: Instruction, _ value: JSON) -> Outcome {
    let mark = evaluator.markCount
    let answer = ask { $0.run(position, position + 1, value.index, mark: mark) }
    switch answer {
    case .fits: break
    case .fails:
      if instruction.operation == .dependentRequired {
        explainDependentRequired(instruction, value)
      } else if reports(instruction.operation) {
        add(words(instruction, value), instruction, value)
      }
    case .unknown: doubt(value, at: origin(instruction))
    }
    return answer
  }

  private mutating func words(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
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
    default: KeywordFailure(origin(instruction).keyName ?? "", "does not fit the schema")
    }
  }
}

// MARK: - The path into the value

extension FailureCollector {
  /// Explains a subschema of a child, unless the child fits.
  ///
  /// - Parameter isLargest: Whether to explain without asking first: asking about the largest child on every level
  ///   evaluates nearly the whole value each time.
  mutating func explainChild(
    _ step: FailurePath.Step, _ branch: Branch, _ child: JSON, isLargest: Bool = false,
    as role: FailurePath.Role = .value
  ) -> Outcome {
    if branch.wholeStart == branch.end { return .fits }
    let answer = isLargest ? .unknown : ask { $0.apply(branch, child.index) }
    if answer == .fits { return .fits }
    let outer = path.role
    path.role = outer == .name ? .name : role
    path.steps.append(step)
    let found = explain(branch, child)
    // Every value that the evaluator refuses needs a failure.
    if answer == .fails, found == .fits {
      addWhole(child, at: origin(program.code.base[Int(branch.wholeStart)]))
    }
    path.steps.removeLast()
    path.role = outer
    return answer == .fails ? .fails : found
  }

  /// The node of the largest child; `nil` if all children are small.
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

  mutating func step(into step: FailurePath.Step, _ body: (inout FailureCollector) -> Void) {
    path.steps.append(step)
    body(&self)
    path.steps.removeLast()
  }
}

// MARK: - Collecting

extension FailureCollector {
  /// Counts a failure; returns whether to collect it.
  ///
  /// - Parameter isMissing: Whether the failure is a missing property.
  mutating func reports(_ operation: Instruction.Operation, isMissing: Bool = false) -> Bool {
    guard let (sum, start) = distance else { return log.admits() }
    distance?.sum = sum + BranchScore.weight(of: operation, depth: path.steps.count - start, isMissing: isMissing)
    return false
  }

  mutating func add(_ failure: KeywordFailure, _ instruction: Instruction, _ value: JSON) {
    let isName = path.role == .name && failure.keyword != "false"
    log.append(
      SchemaFailure(
        keyword: failure.keyword, instance: path.instance, value: value, schema: failure.schema ?? origin(instruction),
        message: isName ? "the name of the property: \(failure.message)" : failure.message, help: failure.help,
        trace: path.trace), isUnique: !traces)
  }

  /// Adds a failure that was not explained.
  mutating func addWhole(_ value: JSON, at schema: JSON) {
    guard reports(.fail) else { return }
    log.append(
      SchemaFailure(
        keyword: schema.keyName ?? "", instance: path.instance, value: value, schema: schema,
        message: "does not fit the schema, found \(Wording.found(value)); its failures were not collected",
        help: "validate this part of the value separately", trace: path.trace))
  }

  /// The failures of one branch, without adding them to the log.
  mutating func collect(_ branch: Branch, _ value: JSON) -> (outcome: Outcome, failures: [SchemaFailure]) {
    let before = log.exchange([])
    choiceDepth += 1
    let outcome = explain(branch, value)
    choiceDepth -= 1
    return (outcome, log.exchange(before))
  }

  /// The distance of a value from a subschema: the weight of its failures.
  mutating func distance(_ branch: Branch, _ value: JSON) -> Int {
    var scout = self
    scout.log = log.emptied
    scout.outcomes = [:]
    scout.distance = (0, path.steps.count)
    // A small share of the fuel, so that nested levels have enough.
    let share = min(metered.fuel / 64, 4_000)
    scout.metered.fuel = share
    scout.metered.isSpent = false
    scout.explain(branch, value)
    metered.fuel -= share - max(0, scout.metered.fuel)
    return scout.distance?.sum ?? 0
  }

  /// Adds a remark that the last question had no answer, near the part that caused it.
  mutating func doubt(_ value: JSON, at schema: JSON) {
    guard distance == nil, let stop = metered.lastStop, log.hasRoomForRemarks else { return }
    log.remark(remark(stop, value, at: schema))
  }

  /// Adds remarks about a subschema without an answer, but not its failures, which prove nothing.
  mutating func doubt(_ branch: Branch, _ value: JSON, _ instruction: Instruction) {
    guard distance == nil else { return }
    let known = log.remarks.count
    var other = self
    _ = other.log.exchange([])
    other.explain(branch, value)
    metered.fuel = min(metered.fuel, other.metered.fuel)
    log.takeRemarks(of: other.log)
    if log.remarks.count == known { doubt(value, at: origin(instruction)) }
  }

  func remark(_ stop: Evaluator.Stop, _ value: JSON, at schema: JSON) -> SchemaFailure {
    let reason = StopReason(stop, value, at: schema, program)
    return SchemaFailure(
      keyword: reason.schema.keyName ?? "", instance: path.instance, value: value, schema: reason.schema,
      message: SchemaFailure.notValidatedStart + reason.text, help: reason.help, kind: .notValidated, trace: path.trace)
  }
}

extension Instruction {
  /// Whether it consists of subschemas that the collector enters.
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
