struct ExampleVerifier: Sendable {
  let api: API
  let validator: ExampleValidator
  let shard: Shard

  enum Work: Sendable {
    case sites([ExampleSite], pairs: ExamplePairs, operation: Operation)
    case schemas([SchemaValue])
  }

  struct SchemaValue: Sendable {
    var value: JSON
    var schema: JSON
  }

  /// The examples to validate; an example that several operations share belongs to the first.
  func work() -> [Work] {
    var seen: Set<NodeID> = []
    var work: [Work] = []
    for operation in api.operations {
      let sites = ExampleSite.all(in: operation, contract: api.name).filter { site in
        seen.insert(site.example.node.id).inserted
      }
      let pairs = ExamplePairs(operation)
      guard shard.contains(contract: api.name, operation: operation.id), !sites.isEmpty else { continue }
      work.append(.sites(sites, pairs: pairs, operation: operation))
    }
    // Schemas belong to the contract itself.
    guard shard.contains(contract: api.name, operation: "") else { return work }
    let values = schemaValues
    for start in stride(from: 0, to: values.count, by: 200) {
      work.append(.schemas(Array(values[start..<min(start + 200, values.count)])))
    }
    return work
  }

  private var schemaValues: [SchemaValue] {
    let subject = LintSubject(api)
    let values = subject.schemas.flatMap { schema -> [SchemaValue] in
      // A document cannot contain files.
      guard schema["type"]?.isString("file") != true else { return [] }
      let listed = api.specification >= .openAPI31 ? schema["examples"].map { Array($0.elements) } ?? [] : []
      return ([schema["default"], schema["example"]].compactMap(\.self) + listed).map {
        SchemaValue(value: $0, schema: schema)
      }
    }
    let files = Dictionary(api.files.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    return values.map { (files[$0.value.path] ?? 0, $0.value.index, $0) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map(\.2)
  }

  func batch(_ work: Work) -> CaseBatch {
    switch work {
    case .sites(let sites, let pairs, let operation): batch(sites, pairs, operation)
    case .schemas(let values): batch(values)
    }
  }

  private func batch(_ sites: [ExampleSite], _ pairs: ExamplePairs, _ operation: Operation) -> CaseBatch {
    var batch = CaseBatch()
    for site in sites {
      let place = Location(line: site.example.node)
      if site.subject.status == nil, let name = site.example.name, pairs.isMeantToBeRefused(name) {
        batch.cases.append(
          Report.Case(site.subject, site.name, outcome: .skipped("meant to be refused, by its name"), at: place))
      } else {
        batch.add(validator.validate(site), about: site.subject, site.name, at: place)
      }
    }
    let unmatched = pairs.unmatched
    if !unmatched.isEmpty {
      let subject = Report.Subject(contract: api.name, operation)
      batch.cases.append(Report.Case(subject, "example names", checked: 1, reporting: unmatched))
    }
    return batch
  }

  private func batch(_ values: [SchemaValue]) -> CaseBatch {
    var batch = CaseBatch()
    let subject = Report.Subject(contract: api.name)
    validator.schemas.prepare(values.map(\.schema))
    for value in values {
      let place = value.value.pointer.description
      let file = value.value.path == api.root.path ? "" : "\(value.value.path)#"
      batch.add(
        validator.validate(value.value, in: value.schema), about: subject, "example at \(file)\(place)",
        at: Location(line: value.value))
    }
    return batch
  }
}

extension Location {
  /// The start of a value, without its text: a report of thousands of cases keeps no excerpts.
  init(line value: JSON) {
    let start = Location(value).start
    self.init(path: value.document.source?.path, line: start?.line, column: start?.column)
  }
}
