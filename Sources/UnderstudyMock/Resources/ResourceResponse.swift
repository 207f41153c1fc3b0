/// The response for an outcome. It never breaks the contract: the default response replaces items that do not fit.
struct ResourceResponse {
  let outcome: ResourceOutcome
  let operation: MockOperation
  let selection: ResponseSelection
  let request: RequestView

  /// - Parameter answers: The last ones of the lane.
  func reply(_ diagnostics: [Diagnostic], like answers: inout ItemResponses) throws(SelectionProblem) -> Reply {
    let rule = ReplySource.Rule.resource(outcome.action)
    let source = ReplySource(.items, by: rule)
    if let content = content(source, like: &answers) {
      return Reply(content, operation: operation, source: source, diagnostics: diagnostics)
    }
    var reply = try selection.answer(code: outcome.code, name: nil).reply(of: operation, diagnostics, by: rule)
    for header in outcome.headers { if let name = HTTPField.Name(header.name) { reply.add(name, header.value) } }
    reply.add(.understudyReply, reply.source.fieldValue)
    return reply
  }

  /// That of the response; with one item the one from the last time, if nothing that it depends on has changed.
  private func content(_ source: ReplySource, like answers: inout ItemResponses) -> Reply.Content? {
    guard let item = outcome.item, request.body.isEmpty else { return response(source).map { .made($0, body: $1) } }
    let key = ItemResponses.Key(
      operation: ObjectIdentifier(operation), document: ObjectIdentifier(item.document), node: item.index,
      headers: outcome.headers.flatMap { [$0.name, $0.value] }, accept: selection.accept, code: outcome.code,
      source: source, method: request.request.method.rawValue, seed: selection.seed)
    if let known = answers.answer(for: key) { return .prepared(known) }
    guard let (response, body) = response(source) else { return nil }
    let answer = PreparedResponse(response: response, body: body)
    answers.keep(answer, of: operation, with: item, for: key)
    return .prepared(answer)
  }

  /// A response with the items that obeys the contract.
  private func response(_ source: ReplySource) -> (HTTPResponse, body: [UInt8])? {
    guard let cell = operation.cell(for: outcome.code) else { return nil }
    var headers = outcome.headers
    var body: [UInt8] = []
    if !CompiledCell.isBodiless(outcome.code) {
      let offers = cell.offers.filter { $0.range.syntax == .json }
      guard let index = Negotiation.choose(accept: selection.accept, among: offers.map(\.range)),
        let schema = offers[index].object.schema, let value = value(schema)
      else { return nil }
      body = JSONWriter.bytes(value)
      let type = offers[index].object.range
      headers.insert(("Content-Type", type.utf8.contains(UInt8(ascii: "*")) ? "application/json" : type), at: 0)
    }
    headers += SampleHeaders(schemas: operation.compiled.schemas).missing(
      from: headers, of: cell.response, code: outcome.code)
    let response = HTTPResponse(code: outcome.code, headers, source: source)
    let view = ResponseView(
      status: outcome.code, fields: response.headerFields, body: body, method: request.request.method.rawValue,
      hadBody: !request.body.isEmpty)
    let result = operation.compiled.responseValidator.validate(view, operation.options)
    return result.findings.contains { $0.severity == .error } ? nil : (response, body)
  }

  /// The items in the form of a schema: alone, or as a member of an object.
  private func value(_ schema: JSON) -> JSON? {
    let schemas = operation.compiled.schemas
    if let items = outcome.items {
      guard let shape = ResourceShape.many(schema, schemas) else { return nil }
      return wrapped(.array(items), shape.member, schema)
    }
    guard let item = outcome.item else { return nil }
    let resolved = schemas.resolved(schema)
    let isItem = item.members.contains { resolved.property($0.name) != nil }
    if isItem || resolved.properties.isEmpty || resolved.describesOthers { return item }
    let holder = resolved.properties.filter { property in
      let inner = resolved.schema(of: property)
      return item.members.contains { inner.property($0.name) != nil }
    }
    return holder.count == 1 ? wrapped(item, holder[0].name, schema) : nil
  }

  /// The value as a member of a sample, which has the other members.
  private func wrapped(_ value: JSON, _ member: String?, _ schema: JSON) -> JSON {
    guard let member else { return value }
    let generator = SampleGenerator(schemas: operation.compiled.schemas, seed: selection.seed)
    let sample = generator.sample(of: schema, direction: .response) ?? .object([])
    let resolved = operation.compiled.schemas.resolved(schema)
    return .object(
      sample.setting(member, to: value).members.compactMap { other in
        if other.name == member { return (member, value) }
        let name = ResourceIdentity.normal(other.name)
        if ["total", "count", "totalcount", "totalitems", "totalresults"].contains(name), other.value.int != nil {
          return (other.name, .integer(outcome.total))
        }
        return resolved.requirement(of: other.name) == nil ? nil : (other.name, other.value)
      })
  }
}
