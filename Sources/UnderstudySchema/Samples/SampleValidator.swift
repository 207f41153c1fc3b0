/// Validates drafts within the budget of one sample.
final class SampleValidator {
  let budget: GenerationBudget
  let schemas: SchemaLibrary
  let direction: Direction
  /// Whether every draft is kept, for a value that is needed although none fits.
  let isLenient: Bool
  private var compiled: [NodeID: Schema] = [:]
  /// The number of values whose validation was stopped.
  private var costly = 0

  /// The steps for starting a validation.
  private static let price = 20
  /// The most steps for validating a value, in addition to those for its nodes.
  private static let patience = 100_000
  /// The number of costly values after which the search stops.
  private static let maximumCostly = 3

  init(_ schemas: SchemaLibrary, _ direction: Direction, isLenient: Bool = false, within budget: WorkBudget? = nil) {
    self.budget = GenerationBudget(within: budget)
    self.schemas = schemas
    self.direction = direction
    self.isLenient = isLenient
  }

  /// The reason for a failure, if the validation of a value was stopped.
  var tooCostly: String? { costly > 0 ? "validating a value takes too many steps" : nil }

  /// Whether a value is known to fit all schemas.
  func accepts(_ value: JSON, _ schemas: [JSON]) -> Bool { schemas.allSatisfy { accepts(value, $0) } }

  private func accepts(_ value: JSON, _ schema: JSON) -> Bool {
    if isLenient { return true }
    guard !budget.isSpent else { return false }
    let identity = schema.id
    if let known = compiled[identity] { return accepts(value, by: known) }
    let new = schemas.schema(at: schema, direction: direction)
    compiled[identity] = new
    // The schema may have been compiled for this.
    budget.spend(new.size)
    return accepts(value, by: new)
  }

  func accepts(_ value: JSON, by schema: Schema) -> Bool {
    guard !budget.isSpent else { return false }
    let nodes = value.document.end(of: value.index) - value.index
    budget.spend(Self.price + nodes + Self.bytes(of: value) / 64)
    // A value whose validation takes longer is not used.
    let granted = min(budget.left, Self.patience + Evaluator.fuelPerNode * nodes)
    var steps = granted
    let result = schema.accepts(value, steps: &steps, within: budget.outer)
    budget.spend(granted - steps, isCharged: true)
    guard let fits = result else {
      costly += 1
      if costly >= Self.maximumCostly { budget.exhaust() }
      return false
    }
    return fits
  }

  /// The failures of a value by one of the schemas that it was drafted from.
  func failures(of value: JSON, by schema: JSON, limit: Int = 100) -> [SchemaFailure] {
    schemas.schema(at: schema, direction: direction).failures(value, limit: limit, within: budget.outer)
  }

  /// The branches of `oneOf` that a value fits besides the first.
  func extraBranches(of schema: SchemaIntersection, accepting value: JSON) -> [JSON] {
    schema.all("oneOf").flatMap { $0.elements.filter { accepts(value, $0) }.dropFirst() }
  }

  /// The length of all texts and numbers of a value.
  private static func bytes(of value: JSON) -> Int {
    let document = value.document
    guard value.index > 0 else { return document.bytes.count }
    return document.nodes[value.index..<document.end(of: value.index)].reduce(0) { sum, node in
      sum + (node.kind == .string || node.kind == .number ? Int(node.count) : 0)
    }
  }
}
