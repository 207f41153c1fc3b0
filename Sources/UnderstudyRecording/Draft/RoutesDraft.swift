/// The exchanges that the routes of a file stand for, from which a contract is drafted.
struct RoutesDraft {
  private let contract: Contract

  /// The maximum number of replies of one status that a schema is inferred from.
  private static let replyLimit = 20

  init(_ contract: Contract) { self.contract = contract }

  /// One exchange for each reply, with a request that gets it.
  var exchanges: [Exchange] {
    contract.compiled.operations.filter(\.operation.isRoute).flatMap { operation in
      contract.cells(of: operation).flatMap { cell in
        cell.fixtures.prefix(Self.replyLimit).compactMap { exchange(of: $0, in: operation) }
      }
    }
  }

  private func exchange(of fixture: Fixture, in operation: CompiledOperation) -> Exchange? {
    let conditions = fixture.when?.conditions ?? []
    guard let path = path(of: operation, conditions), let method = HTTPRequest.Method(operation.operation.method) else {
      return nil
    }
    let query = values(of: .query, in: conditions).map { name, value in
      PercentEncoding.encode(name, keeping: "") + "=" + PercentEncoding.encode(value, keeping: "")
    }
    let target = path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: target)
    for (name, value) in values(of: .header, in: conditions) {
      if let name = HTTPField.Name(name) { request.headerFields[name] = value }
    }
    let members = values(of: .body, in: conditions).filter { !$0.name.hasPrefix("/") && !$0.name.hasPrefix("$") }
    let body = members.isEmpty ? [] : JSONWriter.bytes(.object(members.map { ($0.name, .string($0.value)) }))
    if !body.isEmpty { request.headerFields[.contentType] = "application/json" }
    let answer = fixture.answer(rendered(fixture, request, target, body, operation), in: operation)
    return Exchange(
      request, body: body.isEmpty ? .empty : .bytes(body),
      response: Exchange.Response(
        status: answer.status, fields: answer.fields, body: answer.body.isEmpty ? .empty : .bytes(answer.body)))
  }

  private func rendered(
    _ fixture: Fixture, _ request: HTTPRequest, _ target: String, _ body: [UInt8], _ operation: CompiledOperation
  ) -> [UInt8] {
    switch fixture.body {
    case .bytes(let bytes, _): return bytes
    case .template(let template):
      var captures: [(name: String, range: Range<Int>)] = []
      if case .match(let match) = contract.compiled.router.route(operation.operation.method, target) {
        captures = match.captures
      }
      let view = RequestView(request: request, target: target, captures: captures, body: body)
      return template.render(view, TemplateEnvironment(now: 0, seed: [fixture.label]))
    }
  }

  /// The path with the values of conditions, or samples; the rest of a path is one segment.
  private func path(of operation: CompiledOperation, _ conditions: [RequestMatcher.Condition]) -> String? {
    let generator = SampleGenerator(schemas: operation.schemas, seed: "0")
    let wanted = values(of: .path, in: conditions)
    let values = operation.operation.parameters.map { parameter in
      let known = wanted.first { $0.name.utf8Equals(parameter.name) }?.value
      let value = known ?? generator.value(of: parameter)?.string ?? "text"
      return (name: parameter.name, text: PercentEncoding.encode(Path.name(of: value), keeping: ""))
    }
    return operation.operation.template.filled(with: values)
  }

  /// The values that conditions require of a part of the request.
  private func values(
    of part: RequestPart, in conditions: [RequestMatcher.Condition]
  ) -> [(name: String, value: String)] {
    conditions.filter { $0.part == part }.compactMap { condition in
      condition.test.texts.first.map { (condition.name, $0) }
    }
  }
}
