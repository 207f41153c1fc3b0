/// Collects the annotations of the schemas that apply to a value (Core 2020-12, 7.7).
///
/// It walks the program from schema to schema and enters only schemas that accept the value: the value is valid, and
/// the evaluator decides about alternatives, conditions and the elements of `contains`. It does not recurse, and a
/// limit for the bytes of the output bounds the annotations.
struct AnnotationCollector {
  /// The most bytes of output.
  static let limit = 64 << 20
  /// The deepest nesting of units: a value of the greatest depth has four for each level of a recursive schema.
  private static let maximumDepth = 6_000
  /// The bytes of a unit without its locations and its annotation.
  private static let unitCost = 100

  let evaluator: Evaluator
  let output: SchemaOutput
  private(set) var annotations = Annotations()
  private var pending: [Step] = []
  private var readings: [NodeID: SchemaReading] = [:]
  private var entered = EnteredSchemas()
  private var budget: Int

  /// A pending step.
  private enum Step {
    case unit(Annotations.Unit)
    case schema(Application)
  }

  /// A schema that a value fits.
  struct Application {
    var branch: Branch
    var schema: JSON
    var value: JSON
    var depth: Int
    var keywordLocation: String
    /// The canonical URI of the keyword that applied it, and the path from there; `nil` for the target of a reference.
    var parent: (location: String, route: String)?
    var instanceLocation: String
    /// The number of the schema from which it was entered.
    var outer: Int?
  }

  init(_ evaluator: Evaluator, for output: SchemaOutput, limit: Int) {
    self.evaluator = evaluator
    self.output = output
    budget = limit
  }

  /// - Parameter branch: The branch of the schema, which must accept the value.
  mutating func collect(_ branch: Branch, _ schema: JSON, _ value: JSON) {
    pending = [
      .schema(
        Application(branch: branch, schema: schema, value: value, depth: 0, keywordLocation: "", instanceLocation: ""))
    ]
    while let step = pending.popLast(), annotations.gap == nil, evaluator.stopped == nil {
      switch step {
      case .unit(let unit): annotations.units.append(unit)
      case .schema(let application): visit(application)
      }
      evaluator.forget(downTo: 0)
    }
  }

  private mutating func visit(_ application: Application) {
    // `true` has no annotations.
    guard application.schema.isObject else { return }
    let reading = reading(of: application)
    let kind = JSONTypeSet(application.value.kind)
    annotations.units.append(
      Annotations.Unit(
        depth: application.depth, keywordLocation: application.keywordLocation,
        absoluteKeywordLocation: reading.absoluteLocation, instanceLocation: application.instanceLocation))
    let outer = entered.enter(application)
    let applied = AppliedSubschemas(application, reading, entered, evaluator, output.library).applied
    var steps: [Step] = []
    for entry in reading.entries {
      let found = entry.keyword.flatMap { applied[$0] }
      let own = entry.annotated.contains(kind) ? entry.value : found?.annotation
      if own == nil, found?.parts.isEmpty ?? true { continue }
      let unit = Annotations.Unit(
        depth: application.depth + 1, keywordLocation: application.keywordLocation + entry.route,
        absoluteKeywordLocation: reading.absoluteLocation + entry.fragment,
        instanceLocation: application.instanceLocation, annotation: own)
      pay(for: unit)
      steps.append(.unit(unit))
      for part in found?.parts ?? [] where annotations.gap == nil {
        let inner = Application(
          branch: part.branch, schema: part.schema, value: part.value, depth: application.depth + 2,
          keywordLocation: unit.keywordLocation + part.route,
          parent: part.isReferenced ? nil : (unit.absoluteKeywordLocation, part.route),
          instanceLocation: unit.instanceLocation + part.step, outer: outer)
        pay(Self.unitCost + inner.keywordLocation.utf8.count * 2 + inner.instanceLocation.utf8.count)
        steps.append(.schema(inner))
      }
    }
    pending += steps.reversed()
    if application.depth > Self.maximumDepth {
      annotations.gap = "not all annotations are listed: they are nested deeper than \(Self.maximumDepth) levels"
    }
  }

  private mutating func pay(for unit: Annotations.Unit) {
    pay(
      Self.unitCost + unit.keywordLocation.utf8.count + unit.absoluteKeywordLocation.utf8.count
        + unit.instanceLocation.utf8.count + (unit.annotation?.textSize ?? 0))
  }

  private mutating func pay(_ bytes: Int) {
    budget -= bytes
    if budget < 0 { annotations.gap = "not all annotations are listed: there are too many" }
  }

  private mutating func reading(of application: Application) -> SchemaReading {
    let schema = application.schema
    if let known = readings[schema.id] { return known }
    // Finding a location takes time; without an identifier it follows from that of the parent.
    let isResource = schema[Keyword.id.name] != nil || schema[Keyword.draft4ID.name] != nil
    let near = isResource ? nil : application.parent.map { $0.location + JSONPointer.fragment(of: $0.route) }
    let reading = SchemaReading(
      schema, dialect: output.library.dialect(of: schema) ?? .draft2020,
      absoluteLocation: near ?? output.absoluteLocation(of: schema))
    readings[schema.id] = reading
    return reading
  }
}

/// The schemas that a collector has entered, each with the number of the one from which it was entered.
struct EnteredSchemas {
  private var entries: [(schema: JSON, outer: Int?)] = []

  /// The number of the entered schema.
  mutating func enter(_ application: AnnotationCollector.Application) -> Int {
    entries.append((application.schema, application.outer))
    return entries.count - 1
  }

  /// The schemas on the path to an application, outermost first, itself included.
  func path(to application: AnnotationCollector.Application) -> [JSON] {
    var path = [application.schema]
    var next = application.outer
    while let number = next {
      path.append(entries[number].schema)
      next = entries[number].outer
    }
    return path.reversed()
  }
}

extension JSON {
  /// The bytes of all strings and numbers in it, and one for each node.
  fileprivate var textSize: Int {
    (index..<document.end(of: index)).reduce(0) { size, index in
      let node = document.nodes[index]
      return size + 1 + (node.kind == .string || node.kind == .number ? Int(node.count) : 0)
    }
  }
}
