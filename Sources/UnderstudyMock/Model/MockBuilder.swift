/// Adds fixtures and options to compiled contracts; every fixture is rendered once.
struct MockBuilder {
  let options: Mock.Options
  let resources: ResourceModel?
  private let sockets: MockSockets?
  private(set) var operations: [MockOperation] = []
  private(set) var prepared: [PreparedResponse] = []
  /// The rules in ascending precedence.
  private let rules: [ForcingRule]
  private var used: Set<Int> = []
  private var diagnostics: [Diagnostic] = []
  private var schemes: [String] = []

  init(options: Mock.Options, resources: ResourceModel?, sockets: MockSockets?) {
    self.options = options
    self.resources = resources
    self.sockets = sockets
    rules = ForcingRule.ranked(options.forced)
  }

  mutating func add(_ contract: Contract) {
    schemes += contract.api.securitySchemes.map(\.name)
    for operation in contract.compiled.operations {
      let cells = contract.cells(of: operation).map { cell in
        MockCell(cell, fixtures: cell.fixtures.map { variant($0, of: operation) })
      }
      var validation = options.rules.validationOptions(for: operation.id)
      validation.tokens = options.tokens
      validation.showsCertificates = options.showsCertificates
      let prepared = MockOperation(
        operation, key: "\(contract.name)/\(operation.id)", cells: cells, options: validation,
        isStored: resources?.concerns(operation) == true || sockets?.concerns(operation: operation.id) == true,
        isInScenario: contract.scenarios.contains { $0.scenario?.names(operation.id) == true })
      operations.append(forced(prepared.failing(by: options.faults)))
    }
  }

  private mutating func variant(_ fixture: Fixture, of operation: CompiledOperation) -> MockCell.Variant {
    let contentType = fixture.contentType(under: fixture.response(in: operation.operation))
    let headers = fixture.headers(in: operation)
    let key = ResponseName(operation: fixture.operationId, status: fixture.status, name: fixture.name)
    let content: MockCell.Variant.Content
    switch fixture.body {
    case .template(let body):
      content = .template(ResponseTemplate(body: body, headers: fixture.headerTemplates), headers: headers)
    case .bytes(let bytes, _):
      let response = PreparedResponse(
        index: prepared.count, response: .init(code: fixture.status.code, headers, source: ReplySource(.fixture(key))),
        body: options.copiesBodies ? bytes.map(\.self) : bytes,
        forcesBody: fixture.violates.contains(Rule.responseBodyUnexpected.id))
      prepared.append(response)
      content = .prepared(response)
    }
    let type = contentType.flatMap { MediaRange($0) }
    return MockCell.Variant(
      fixture, mediaType: type, content: content, key,
      stream: EventStreamScript(fixture, type: type, speed: options.speed))
  }

  private mutating func forced(_ operation: MockOperation) -> MockOperation {
    var operation = operation
    for (index, rule) in rules.enumerated() where operation.compiled.isNamed(rule.operation) {
      let forcing = rule.resolve(for: operation) ?? rule.plain
      // `*=406` applies to the operations that have a 406; one of them must.
      if forcing == nil, rule.isForMany { continue }
      used.insert(index)
      guard let forcing else {
        diagnostics.append(rule.unknownCell(of: operation))
        continue
      }
      guard forcing.code >= 200 else {
        diagnostics.append(rule.interimCell(of: operation, forcing.code))
        continue
      }
      if !rule.isLimited { operation = operation.forced(to: forcing) }
    }
    return operation
  }

  /// The forced responses that each lane begins with: the rules for some requests, and the rules that precede one.
  var countedReplies: [ForcedReply] {
    let found = rules.indices.filter(used.contains).map { rules[$0] }
    return found.drop { !$0.isLimited }.map {
      ForcedReply(operation: $0.operation, answer: $0.cell, times: $0.times, conditions: $0.conditions)
    }
  }

  /// The findings about the options, once every contract is added.
  func finish() -> [Diagnostic] {
    let names = operations.map(\.id)
    let unknownSchemes = (options.tokens?.schemes ?? []).filter { scheme in
      !schemes.contains { $0.utf8.elementsEqual(scheme.name.utf8) }
    }
    return diagnostics
      + unknownSchemes.map { scheme in
        Diagnostic(
          .configInvalid, "`tokens` names the security scheme `\(scheme.name)`, which no contract has",
          at: scheme.location,
          help: Suggestion.help(for: scheme.name, among: schemes, none: "no contract has any"))
      }
      + options.rules.unknownOperations(among: names)
      + rules.indices.filter { !used.contains($0) }.map { rules[$0].unused(by: operations) }
      + options.faults.compactMap { $0.unused(by: operations, sockets) }
  }
}
