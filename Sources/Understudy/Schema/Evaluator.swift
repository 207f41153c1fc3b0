/// Runs a program over one document; the hot path of every verdict.
///
/// One word wide, so that it travels in a register through all the calls; what it works with is the `Machine` behind it.
/// A value that fits costs neither an allocation nor a reference count.
struct Evaluator {
  /// Blocks inside each other; a thread's stack must hold them all.
  static let maximumDepth = 3_000
  /// Blocks that may run in all: this many, and `fuelPerNode` more for each node of the instance.
  static let baseFuel = 1_000_000
  static let fuelPerNode = 500

  private let machine: UnsafeMutablePointer<Machine>

  /// The machine must outlive the evaluator.
  init(_ machine: UnsafeMutablePointer<Machine>) { self.machine = machine }

  /// Why judging was given up; the value counts as refused.
  enum Stop: Sendable {
    case depth
    case fuel
    case pattern
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

  /// `mark`: how many notes there were when the schema was entered.
  ///
  /// Never copied into its callers: they would all need the stack of everything that an instruction can do.
  @inline(never)
  func run(_ start: UInt32, _ end: UInt32, _ index: Int, mark: Int) -> Bool {
    machine.pointee.depth &+= 1
    machine.pointee.fuel &-= 1
    defer { machine.pointee.depth &-= 1 }
    guard machine.pointee.depth <= Self.maximumDepth, machine.pointee.fuel > 0 else { return exhausted() }
    let node = nodes[index]
    let kind = Kinds(node.kind)
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
    case .types: admits(Kinds(rawValue: UInt8(truncatingIfNeeded: instruction.a)), index)
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
    case .anyOf: anyOf(instruction, index)
    case .oneOf: oneOf(instruction, index)
    case .not: not(instruction.a, index)
    case .condition: condition(instruction.a, index)
    case .unevaluatedItems, .unevaluatedProperties: unevaluated(instruction, index, mark: mark)
    }
  }
}

// MARK: - Giving up

extension Evaluator {
  func stop(_ reason: Stop) {
    if machine.pointee.stopped == nil { machine.pointee.stopped = reason }
    // Nothing more is run, and a `not` outside cannot turn the refusal around.
    machine.pointee.fuel = 0
  }

  @inline(never)
  private func exhausted() -> Bool {
    stop(machine.pointee.depth > Self.maximumDepth ? .depth : .fuel)
    return false
  }

  @inline(never)
  private func refuse(_ origin: UInt32) -> Bool {
    stop(.refusal(origin))
    return false
  }
}

// MARK: - Reading the instance

extension Evaluator {
  @inline(__always)
  func text(of node: JSONDocument.Node) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + Int(node.offset), count: Int(node.count))
  }

  /// The node behind a value: its next sibling, or whatever follows its parent.
  @inline(__always)
  func end(of index: Int) -> Int {
    let node = nodes[index]
    return node.kind.rawValue >= JSON.Kind.array.rawValue ? Int(node.offset) : index + 1
  }
}

// MARK: - The machine

extension Evaluator {
  @inline(__always) var program: Program { machine.pointee.program }
  @inline(__always) var stopped: Stop? { machine.pointee.stopped }
  @inline(__always) var nodes: UnsafePointer<JSONDocument.Node> { machine.pointee.nodes }
  @inline(__always) var bytes: UnsafePointer<UInt8> { machine.pointee.bytes }
  @inline(__always) var code: UnsafePointer<Instruction> { machine.pointee.code }
  @inline(__always) var branches: UnsafePointer<Branch> { machine.pointee.branches }
  @inline(__always) var objects: UnsafePointer<ObjectPlan> { machine.pointee.objects }
  @inline(__always) var entries: UnsafePointer<ObjectPlan.Entry> { machine.pointee.entries }
  @inline(__always) var patternEntries: UnsafePointer<ObjectPlan.PatternEntry> { machine.pointee.patternEntries }
  @inline(__always) var slots: UnsafePointer<NameTable.Slot> { machine.pointee.slots }
  @inline(__always) var enumerations: UnsafePointer<Enumeration> { machine.pointee.enumerations }
  @inline(__always) var numbers: UnsafePointer<NumberOperand> { machine.pointee.numbers }
  @inline(__always) var matchers: UnsafePointer<PatternMatcher> { machine.pointee.matchers }
  @inline(__always) var programText: UnsafePointer<UInt8> { machine.pointee.text }

  @inline(__always)
  func match(_ pattern: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> PatternMatch {
    matchers[Int(pattern)].matches(text, using: &machine.pointee.matchData)
  }

  /// Blocks that are open around the present one.
  var depth: Int { machine.pointee.depth }

  /// Blocks that may still run.
  var fuel: Int {
    get { machine.pointee.fuel }
    nonmutating set { machine.pointee.fuel = newValue }
  }

  /// How many children have been noted as evaluated, for `unevaluated*`.
  @inline(__always) var markCount: Int { machine.pointee.marked.count }

  /// The notes from a mark on.
  func marks(since mark: Int) -> [UInt32] { Array(machine.pointee.marked[mark...]) }

  @inline(never)
  func note(_ child: Int) { machine.pointee.marked.append(UInt32(truncatingIfNeeded: child)) }

  @inline(__always)
  func forget(downTo mark: Int) {
    if machine.pointee.marked.count > mark { cut(downTo: mark) }
  }

  @inline(never)
  private func cut(downTo mark: Int) { machine.pointee.marked.removeLast(machine.pointee.marked.count - mark) }
}
