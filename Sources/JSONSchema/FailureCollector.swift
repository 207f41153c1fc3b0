/// Finds all failures of a value that a program has refused.
///
/// It walks the same program as the evaluator. It takes apart at once the keywords whose result is the sum of their parts,
/// the members of an object or the parts of `allOf`, and asks the evaluator about all others. Of all the children of a
/// value only the largest is taken apart without a question, so no node is asked about more often than the logarithm of
/// their number.
struct FailureCollector {
  let program: Program
  var metered: MeteredEvaluator
  var log: FailureLog
  var path = FailurePath()
  /// Choices around the present one.
  var choiceDepth = 0
  /// The distance of the value from its schema so far, where only that is measured and no failure is put into words.
  private var distance: (sum: Int, start: Int)?
  private var outcomes: [Visit: Outcome] = [:]
  private var depth = 0
  /// Schemas that were entered, where failures show the path.
  private var entries = 0
  private var pending: [Task] = []

  /// Schemas inside each other that are taken apart before the rest is put off; a thread's stack must hold them all.
  private static let maximumDepth = 150
  private static let costOfBlock = 16

  typealias Outcome = MeteredEvaluator.Outcome

  /// A subschema that a value is known to break, to be taken apart later.
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
    metered = MeteredEvaluator(evaluator, fuel: Evaluator.baseFuel + 200 * size)
    log = FailureLog(limit: limit, counts: counts)
  }

  var evaluator: Evaluator { metered.evaluator }
  /// Whether failures show the path through the schemas.
  var traces: Bool { !program.schemas.isEmpty && distance == nil }
  /// Whether only the distance of the value from its schema is measured.
  var isMeasuring: Bool { distance != nil }
  /// Whether there is nothing more to be looked for.
  var isFull: Bool { metered.isSpent || log.isFull }

  mutating func ask(keepsMarks: Bool = false, _ question: (Evaluator) -> Bool) -> Outcome {
    metered.ask(keepsMarks: keepsMarks, question)
  }

  /// The keyword's value node, or the schema of an instruction that stands for several keywords.
  func origin(_ instruction: Instruction) -> JSON { program.origin(instruction.origin) }

  /// Takes the whole schema apart.
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

  /// Takes a subschema apart and collects the failures of the value.
  ///
  /// - Parameter reference: The keyword that led here, if it was a reference.
  @discardableResult
  mutating func explain(_ branch: Branch, _ value: JSON, via reference: String? = nil) -> Outcome {
    if branch.wholeStart == branch.end { return .fits }
    if isFull { return .unknown }
    let visit = Visit(start: branch.wholeStart, end: branch.end, value: value.index)
    // A failure that was reported once need not be reported again, nor looked for.
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

  /// Notes the schema that is entered; whether there is one.
  @inline(never)
  private mutating func enter(_ branch: Branch, via reference: String?) -> Bool {
    guard traces, let schema = program.schemas[branch.wholeStart] else { return false }
    entries += 1
    path.enter(schema, via: reference, entry: entries)
    return true
  }

  /// Asks whether the value fits, and takes the schema apart later: values and schemas may be nested deeper than a stack.
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
      // Failed keywords have evaluated nothing; a second failure for that would be noise.
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

  /// Takes apart an instruction that consists of subschemas.
  private mutating func takeApart(_ instruction: Instruction, _ value: JSON, _ branch: Branch, _ mark: Int) -> Outcome {
    // All children are visited, valid or not, and a block may have any number of such instructions.
    if value.isObject || value.isArray { metered.fuel -= value.count }
    guard metered.fuel > 0 else {
      metered.isSpent = true
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

  /// Asks the evaluator about an instruction that has no parts.
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
}

// MARK: - The path into the value

extension FailureCollector {
  /// Takes apart a subschema of a child, unless the child fits.
  ///
  /// - Parameter isLargest: Whether to save the question, since a question about the largest child on every level of a deep
  ///   value is about nearly all of it each time.
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
    // Every refusal of the evaluator must have a failure.
    if answer == .fails, found == .fits {
      addWhole(child, at: origin(program.code.base[Int(branch.wholeStart)]))
    }
    path.steps.removeLast()
    path.role = outer
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

  mutating func step(into step: FailurePath.Step, _ body: (inout FailureCollector) -> Void) {
    path.steps.append(step)
    body(&self)
    path.steps.removeLast()
  }
}

// MARK: - Collecting

extension FailureCollector {
  /// Counts a failure; whether it is to be put into words as well.
  ///
  /// - Parameter isMissing: Whether it is a property that is missing.
  mutating func reports(_ operation: Instruction.Operation, isMissing: Bool = false) -> Bool {
    guard let (sum, start) = distance else { return log.admits() }
    distance?.sum = sum + BranchScore.weight(of: operation, depth: path.steps.count - start, isMissing: isMissing)
    return false
  }

  mutating func add(_ finding: Finding, _ instruction: Instruction, _ value: JSON) {
    let isName = path.role == .name && finding.keyword != "false"
    log.append(
      SchemaFailure(
        keyword: finding.keyword, instance: path.instance, value: value, schema: finding.schema ?? origin(instruction),
        message: isName ? "the name of the property: \(finding.message)" : finding.message, help: finding.help,
        trace: path.trace), isUnique: !traces)
  }

  /// A failure that was not taken apart.
  mutating func addWhole(_ value: JSON, at schema: JSON) {
    guard reports(.fail) else { return }
    log.append(
      SchemaFailure(
        keyword: schema.keyName ?? "", instance: path.instance, value: value, schema: schema,
        message: "does not fit the schema, found \(Wording.found(value)); the reasons were not collected",
        help: "validate this part of the value by itself", trace: path.trace))
  }

  /// The failures of one branch, which are not kept.
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
    // A small share of the fuel, so that as much is left for every level below.
    let share = min(metered.fuel / 64, 4_000)
    scout.metered.fuel = share
    scout.metered.isSpent = false
    scout.explain(branch, value)
    metered.fuel -= share - max(0, scout.metered.fuel)
    return scout.distance?.sum ?? 0
  }

  /// Notes that the last question had no answer, as near as possible to the part that caused it.
  mutating func doubt(_ value: JSON, at schema: JSON) {
    guard distance == nil, let stop = metered.lastStop, log.hasRoomForRemarks else { return }
    log.remark(remark(stop, value, at: schema))
  }

  /// Notes why a subschema had no answer, but none of the failures in it: they prove nothing here.
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
      message: "not validated: " + reason.text, help: reason.help, kind: .notValidated, trace: path.trace)
  }
}

extension Instruction {
  /// Whether it is made of subschemas that an collector enters.
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
