/// Runs a program over one document; the hot path of every validation.
///
/// One word wide, so that it stays in a register through all calls; its data is the `EvaluationState` that it points
/// to. A value that fits costs no allocation and no reference count.
struct Evaluator {
  /// The deepest nesting of blocks.
  static let maximumDepth = 3_000
  /// Every so many nested blocks the evaluator checks the remaining stack; a power of two.
  private static let stackCheckInterval = 16
  /// The fuel for any value, about a second's work. A unit pays for one block, or for work that takes as long.
  static let baseFuel = 20_000_000
  /// Additional fuel for each node of the value, and for each byte of its text.
  static let fuelPerNode = 100
  static let fuelPerByte = 1

  private let state: UnsafeMutablePointer<EvaluationState>

  /// The state must outlive the evaluator.
  init(_ state: UnsafeMutablePointer<EvaluationState>) { self.state = state }

  /// The reason why an evaluation was abandoned; the value counts as refused.
  enum Stop: Sendable {
    case depth
    /// The thread has too small a stack.
    case stack
    case fuel
    case pattern
    /// A number has too many digits to be divided by one that has many.
    case digits
    case refusal(UInt32)
  }

  @inline(__always)
  func apply(_ branch: Branch, _ index: Int) -> Bool {
    guard admits(branch.kinds, index) else { return false }
    return branch.start == branch.end || run(branch.start, branch.end, index)
  }

  @inline(__always)
  func apply(_ branch: UInt32, _ index: Int) -> Bool { apply(branches[Int(branch)], index) }

  /// Whether the value at `index` fits all instructions of a range.
  func run(_ start: UInt32, _ end: UInt32, _ index: Int) -> Bool {
    run(start, end, index, mark: markCount)
  }

  /// - Parameter mark: The number of notes at the start of the schema.
  ///
  /// Never inlined: its callers would all need the stack for every kind of instruction.
  @inline(never)
  func run(_ start: UInt32, _ end: UInt32, _ index: Int, mark: Int) -> Bool {
    state.pointee.depth &+= 1
    state.pointee.fuel &-= 1
    defer { state.pointee.depth &-= 1 }
    if state.pointee.depth & (Self.stackCheckInterval - 1) == 0 || state.pointee.fuel <= 0, isExhausted() {
      return false
    }
    let node = nodes[index]
    let kind = JSONTypeSet(node.kind)
    var position = Int(start)
    let end = Int(end)
    while position < end {
      let instruction = code[position]
      position += 1
      if instruction.applies.isDisjoint(with: kind) { continue }
      guard step(instruction, node, index, mark: mark) else { return false }
    }
    return true
  }

  @inline(__always)
  private func step(
    _ instruction: Instruction, _ node: JSONDocument.Node, _ index: Int, mark: Int
  ) -> Bool {
    switch instruction.operation {
    case .fail: false
    case .refuse: node.count < instruction.a || refuse(instruction.origin)
    case .types: admits(JSONTypeSet(rawValue: UInt8(truncatingIfNeeded: instruction.a)), index)
    case .enumeration: isEnumerated(instruction.a, index)
    case .minimum: order(index, instruction.a) >= 0
    case .maximum: order(index, instruction.a) <= 0
    case .exclusiveMinimum: order(index, instruction.a) > 0
    case .exclusiveMaximum: order(index, instruction.a) < 0
    case .multipleOf: isMultiple(index, instruction.a)
    case .minLength: isLength(of: node, atLeast: instruction.a)
    case .maxLength: isLength(of: node, atMost: instruction.a)
    case .pattern: isMatch(instruction.a, node)
    case .format: isFormatted(instruction, node)
    case .content: isContent(instruction.a, node)
    case .minItems, .minProperties: node.count >= instruction.a
    case .maxItems, .maxProperties: node.count <= instruction.a
    case .uniqueItems: isUnique(index)
    case .prefixItems: prefixItems(instruction, index)
    case .items: items(instruction, index)
    case .contains: contains(instruction.a, index)
    case .members: members(instruction.a, index)
    case .propertyNames: propertyNames(instruction.a, index)
    case .dependentRequired: dependentRequired(instruction.a, index)
    case .dependentSchemas: dependentSchemas(instruction.a, index)
    case .call: run(instruction.a, instruction.b, index)
    case .anyOf, .oneOf: choice(instruction, index)
    case .not: not(instruction.a, index)
    case .condition: condition(instruction.a, index)
    case .unevaluatedItems, .unevaluatedProperties: unevaluated(instruction, index, mark: mark)
    }
  }
}

// MARK: - Limits

extension Evaluator {
  func stop(_ reason: Stop) {
    if state.pointee.stopped == nil {
      state.pointee.stopped = reason
      state.pointee.leftAtStop = max(fuel, 0)
      switch reason {
      case .fuel, .pattern, .digits: state.pointee.ranShort = true
      case .depth, .stack, .refusal: break
      }
    }
    // Without fuel no block runs, and an enclosing `not` cannot invert the result.
    state.pointee.fuel = 0
  }

  /// Pays for work beside that of blocks. Without fuel the evaluation stops at the next block or call of `affords`.
  @inline(__always)
  func charge(_ cost: Int) { state.pointee.fuel &-= cost }

  /// Pays for work that many instructions of one block can repeat: loops over children, comparisons, long texts.
  /// Returns whether there was enough fuel.
  @inline(__always)
  func affords(_ cost: Int) -> Bool {
    charge(cost)
    return hasFuel || !isExhausted()
  }

  /// Prepares for another evaluation after any result of the last.
  func refuel(_ fuel: Int) {
    state.pointee.spentBefore = spent
    state.pointee.filling = fuel
    state.pointee.stopped = nil
    state.pointee.fuel = fuel
  }

  @inline(never)
  private func isExhausted() -> Bool {
    if state.pointee.fuel <= 0 {
      stop(.fuel)
      return true
    }
    if state.pointee.depth > Self.maximumDepth {
      stop(.depth)
      return true
    }
    return isOutOfStack
  }

  /// Whether the thread's stack is nearly used up; then the evaluation stops.
  ///
  /// Every recursion by the depth of a value checks this. The check is cheap while little of the stack is used.
  var isOutOfStack: Bool { isOutOfStack(for: 0) }

  /// - Parameter bytes: The bytes of stack that the caller needs, beside those of any instruction.
  @inline(never)
  func isOutOfStack(for bytes: Int) -> Bool {
    let position = ThreadStack.position
    // The state is on the stack, at the start of the evaluation.
    let used = Int(bitPattern: UInt(bitPattern: state) &- position)
    if used >= 0, used + bytes < Self.uncheckedStack { return false }
    if state.pointee.stackLimit == 0 { state.pointee.stackLimit = ThreadStack.end + Self.reservedStack }
    guard position < state.pointee.stackLimit + UInt(bytes) else { return false }
    stop(.stack)
    return true
  }

  /// Bytes that an evaluation may use without a check; the smallest stacks have them.
  private static let uncheckedStack = 24 << 10
  /// Bytes for the calls of instructions, and for blocks until the next check; compiled patterns need most.
  private static let reservedStack: UInt = 80 << 10

  @inline(never)
  private func refuse(_ origin: UInt32) -> Bool {
    stop(.refusal(origin))
    return false
  }
}

// MARK: - Nested choices

extension Evaluator {
  /// Whether this choice is nested so deep, and so many choices were made, that caching its result pays off.
  @inline(__always)
  func enterChoice() -> Bool {
    state.pointee.choices.level &+= 1
    guard state.pointee.choices.level >= ResultCache.depth else { return false }
    state.pointee.choices.made &+= 1
    return state.pointee.choices.made > state.pointee.count
  }

  @inline(__always)
  func leaveChoice() { state.pointee.choices.level &-= 1 }

  @inline(never)
  func verdict(of choice: UInt32, on index: Int) -> Bool? { state.pointee.choices.verdict(of: choice, on: index) }

  @inline(never)
  func remember(_ verdict: Bool, of choice: UInt32, on index: Int) {
    state.pointee.choices.remember(verdict, of: choice, on: index, nodes: state.pointee.count)
  }
}

// MARK: - Reading the instance

extension Evaluator {
  @inline(__always)
  func text(of node: JSONDocument.Node) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + Int(node.offset), count: Int(node.count))
  }

  /// The node after a value: its next sibling, or the node that follows its parent.
  @inline(__always)
  func end(of index: Int) -> Int {
    let node = nodes[index]
    return node.kind.rawValue >= JSON.Kind.array.rawValue ? Int(node.offset) : index + 1
  }
}

// MARK: - The state

extension Evaluator {
  @inline(__always) var program: Program { state.pointee.program }
  @inline(__always) var stopped: Stop? { state.pointee.stopped }
  @inline(__always) var hasFuel: Bool { state.pointee.fuel > 0 }
  @inline(__always) var nodes: UnsafePointer<JSONDocument.Node> { state.pointee.nodes }
  @inline(__always) var bytes: UnsafePointer<UInt8> { state.pointee.bytes }
  @inline(__always) var code: UnsafePointer<Instruction> { state.pointee.code }
  @inline(__always) var branches: UnsafePointer<Branch> { state.pointee.branches }
  @inline(__always) var objects: UnsafePointer<ObjectPlan> { state.pointee.objects }
  @inline(__always) var entries: UnsafePointer<ObjectPlan.Entry> { state.pointee.entries }
  @inline(__always) var patternEntries: UnsafePointer<ObjectPlan.PatternEntry> { state.pointee.patternEntries }
  @inline(__always) var slots: UnsafePointer<NameTable.Slot> { state.pointee.slots }
  @inline(__always) var enumerations: UnsafePointer<Enumeration> { state.pointee.enumerations }
  @inline(__always) var constants: UnsafePointer<Constant> { state.pointee.constants }
  @inline(__always) var numbers: UnsafePointer<NumberOperand> { state.pointee.numbers }
  @inline(__always) var matchers: UnsafePointer<PatternMatcher> { state.pointee.matchers }
  @inline(__always) var programText: UnsafePointer<UInt8> { state.pointee.text }

  /// Whether a pattern matches a text; the evaluation stops if that costs too much.
  @inline(never)
  func isMatch(_ pattern: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    matchers[Int(pattern)].matchesSoon(text, using: &state.pointee.patternMemory, fuel: &state.pointee.fuel)
      ?? isLaterMatch(pattern, text)
  }

  @inline(never)
  private func isLaterMatch(_ pattern: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch program.patterns[Int(pattern)].matchesLater(
      text, using: &state.pointee.patternMemory, fuel: &state.pointee.fuel)
    {
    case .yes: return true
    case .no: return false
    case .tooExpensive:
      stop(.pattern)
      return false
    }
  }

  /// The number of enclosing blocks.
  var depth: Int { state.pointee.depth }

  /// All work so far.
  var spent: Int { state.pointee.spent }

  /// Counts work that was not paid for by the fuel of an evaluation.
  func addWork(_ cost: Int) { state.pointee.spentBefore += cost }

  /// The remaining fuel; see `charge`.
  var fuel: Int {
    get { state.pointee.fuel }
    nonmutating set { state.pointee.fuel = newValue }
  }

  /// The number of notes about evaluated children, for `unevaluated*`.
  @inline(__always) var markCount: Int { state.pointee.marked.count }

  /// The notes after a mark.
  func marks(since mark: Int) -> ArraySlice<UInt32> { state.pointee.marked[mark...] }

  /// Notes that a child is evaluated.
  func note(_ child: Int) { note(UInt32(truncatingIfNeeded: child)) }

  /// Notes in one entry that all children of a value are evaluated.
  func noteAll(of index: Int) { note(noteOfAll(of: index)) }

  /// Replaces the notes since a mark by one, if they cover all members of an object.
  @inline(never)
  func joinNotes(of object: Int, since mark: Int) {
    let count = Int(nodes[object].count)
    guard count > 1, markCount - mark == count else { return }
    var value = object + 2
    for note in marks(since: mark) {
      guard Int(note) == value else { return }
      value = end(of: value) + 1
    }
    forget(downTo: mark)
    noteAll(of: object)
  }

  /// The note for all children of a value: larger than the number of any node.
  func noteOfAll(of index: Int) -> UInt32 { 1 << 31 | UInt32(truncatingIfNeeded: index) }

  @inline(never)
  private func note(_ note: UInt32) {
    charge(Self.costOfNote)
    state.pointee.marked.append(note)
  }

  /// More than the time: notes also take memory until the end of the object or array.
  private static let costOfNote = 4

  @inline(__always)
  func forget(downTo mark: Int) {
    if state.pointee.marked.count > mark { cut(downTo: mark) }
  }

  @inline(never)
  private func cut(downTo mark: Int) { state.pointee.marked.removeLast(state.pointee.marked.count - mark) }
}
