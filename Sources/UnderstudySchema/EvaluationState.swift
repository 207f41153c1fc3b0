/// The state of an evaluation: a program, one document, and the counters and notes of the run.
///
/// `Schema` creates one for each evaluation and pins the memory of the document.
struct EvaluationState {
  /// Kept alive by `Schema.withEvaluator`, so that an evaluation counts no reference of its own.
  unowned(unsafe) let program: Program
  let nodes: UnsafePointer<JSONDocument.Node>
  /// The number of nodes in the value.
  let count: Int
  let bytes: UnsafePointer<UInt8>
  // Copies of the program's tables, which save a load.
  let code: UnsafePointer<Instruction>
  let branches: UnsafePointer<Branch>
  let objects: UnsafePointer<ObjectPlan>
  let entries: UnsafePointer<ObjectPlan.Entry>
  let patternEntries: UnsafePointer<ObjectPlan.PatternEntry>
  let slots: UnsafePointer<NameTable.Slot>
  let enumerations: UnsafePointer<Enumeration>
  let constants: UnsafePointer<Constant>
  let numbers: UnsafePointer<NumberOperand>
  let matchers: UnsafePointer<PatternMatcher>
  let text: UnsafePointer<UInt8>

  /// Notes for `unevaluated*`: evaluated children, and containers of which all children are evaluated.
  var marked: [UInt32] = []
  var patternMemory = PatternMemory()
  /// The results of deeply nested choices.
  var choices = ResultCache()
  var stopped: Evaluator.Stop?
  var depth = 0
  /// The remaining fuel; see `Evaluator.charge`.
  var fuel: Int
  /// The fuel at the last filling.
  var filling: Int
  /// The fuel that was left when the evaluation stopped.
  var leftAtStop = 0
  /// The work before the last filling.
  var spentBefore = 0
  /// Whether an evaluation stopped for lack of fuel.
  var ranShort = false
  /// The lowest address for the stack of this evaluation; 0 until it is needed.
  var stackLimit: UInt = 0

  init(
    _ program: Program, nodes: UnsafePointer<JSONDocument.Node>, count: Int, bytes: UnsafePointer<UInt8>, fuel: Int
  ) {
    self.program = program
    self.nodes = nodes
    self.count = count
    self.bytes = bytes
    code = program.code.base
    branches = program.branches.base
    objects = program.objects.base
    entries = program.entries.base
    patternEntries = program.patternEntries.base
    slots = program.slots.base
    enumerations = program.enumerations.base
    constants = program.constants.base
    numbers = program.numbers.base
    matchers = program.matchers.base
    text = program.text.base
    self.fuel = fuel
    filling = fuel
  }

  /// All work so far, in units of fuel.
  var spent: Int { spentBefore + filling - (stopped == nil ? max(fuel, 0) : leftAtStop) }

  mutating func free() {
    patternMemory.free()
    choices.free()
  }
}
