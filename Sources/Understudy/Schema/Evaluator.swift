/// Runs a program over one document; the hot path of every verdict.
///
/// It reads nodes, bytes and tables through pointers that `Schema` keeps alive around it, so that a value that fits
/// costs neither an allocation nor a reference count.
struct Evaluator {
  /// Blocks inside each other; a thread's stack must hold them all.
  static let maximumDepth = 3_000
  /// Blocks that may run in all: this many, and `fuelPerNode` more for each node of the instance.
  static let baseFuel = 1_000_000
  static let fuelPerNode = 500

  let program: Program
  let code: UnsafePointer<Instruction>
  let branches: UnsafePointer<Branch>
  let objects: UnsafePointer<ObjectPlan>
  let entries: UnsafePointer<ObjectPlan.Entry>
  let slots: UnsafePointer<NameTable.Slot>
  let matchers: UnsafePointer<PatternMatcher>
  let programText: UnsafePointer<UInt8>
  let nodes: UnsafePointer<JSONDocument.Node>
  let bytes: UnsafePointer<UInt8>
  /// Children that were evaluated, for `unevaluated*`.
  var marked: [UInt32] = []
  var matchData = PatternMatchData()
  private(set) var stopped: Stop?
  private var depth = 0
  private var fuel: Int

  /// Why judging was given up; the value counts as refused.
  enum Stop: Sendable {
    case depth
    case fuel
    case pattern
    case refusal(UInt32)
  }

  init(
    _ program: Program, nodes: UnsafePointer<JSONDocument.Node>, count: Int, bytes: UnsafePointer<UInt8>
  ) {
    self.program = program
    code = program.code.base
    branches = program.branches.base
    objects = program.objects.base
    entries = program.entries.base
    slots = program.slots.base
    matchers = program.matchers.base
    programText = program.text.base
    self.nodes = nodes
    self.bytes = bytes
    fuel = Self.baseFuel + Self.fuelPerNode * count
  }

  @inline(__always)
  mutating func apply(_ branch: Branch, _ index: Int) -> Bool {
    guard admits(branch.kinds, index) else { return false }
    return branch.start == branch.end || run(branch.start, branch.end, index)
  }

  @inline(__always)
  mutating func apply(_ branch: UInt32, _ index: Int) -> Bool { apply(branches[Int(branch)], index) }

  /// Whether the value at `index` fits all instructions of a range.
  mutating func run(_ start: UInt32, _ end: UInt32, _ index: Int) -> Bool {
    run(start, end, index, mark: marked.count)
  }

  /// `mark`: how many notes there were when the schema was entered.
  mutating func run(_ start: UInt32, _ end: UInt32, _ index: Int, mark: Int) -> Bool {
    depth += 1
    fuel -= 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth, fuel > 0 else { return exhausted() }
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
  private mutating func step(
    _ instruction: Instruction, _ node: JSONDocument.Node, _ index: Int, mark: Int
  ) -> Bool {
    switch instruction.operation {
    case .fail: false
    case .refuse: refuse(instruction.origin)
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
  mutating func stop(_ reason: Stop) {
    if stopped == nil { stopped = reason }
    // Nothing more is run, and a `not` outside cannot turn the refusal around.
    fuel = 0
  }

  @inline(never)
  private mutating func exhausted() -> Bool {
    stop(depth > Self.maximumDepth ? .depth : .fuel)
    return false
  }

  @inline(never)
  private mutating func refuse(_ origin: UInt32) -> Bool {
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

  @inline(__always)
  func isSameText(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    guard count >= 8 else {
      for offset in 0..<count
      where a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
        return false
      }
      return true
    }
    var offset = 0
    while offset + 8 <= count {
      guard
        a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    // The last eight bytes, some of them a second time.
    return a.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      == b.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  }

  @inline(__always)
  mutating func forget(downTo mark: Int) {
    if marked.count > mark { marked.removeLast(marked.count - mark) }
  }
}
