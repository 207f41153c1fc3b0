/// Reads Pact files of the versions 1 to 4.
struct PactReader {
  private var context: ImportContext

  static func read(_ documents: [JSON], _ context: inout ImportContext) {
    var reader = PactReader(context: context)
    for document in documents { reader.read(document) }
    context = reader.context
  }

  private init(context: ImportContext) { self.context = context }

  private mutating func read(_ document: JSON) {
    for message in document["messages"]?.elements ?? JSON.array([]).elements {
      context.count += 1
      context.lost("message", "messages are no requests", at: message)
    }
    for interaction in document["interactions"]?.elements ?? JSON.array([]).elements {
      context.count += 1
      if let type = interaction["type"]?.string, type != "Synchronous/HTTP" {
        context.lost("message", "`\(VisibleText.shortened(type, to: 40))` is not an HTTP request", at: interaction)
        continue
      }
      if let stub = stub(interaction) { context.stubs.append(stub) }
    }
  }

  private mutating func stub(_ interaction: JSON) -> Stub? {
    guard let request = interaction["request"], let response = interaction["response"] else {
      context.lost("interaction", "expected `request` and `response`", at: interaction)
      return nil
    }
    let rules = PactRules(request["matchingRules"] ?? request["requestMatchingRules"])
    guard let path = path(of: request, rules) else { return nil }
    var stub = Stub(interaction, path: path)
    stub.method = (request["method"]?.string ?? "GET").uppercased()
    stub.isVariant = true
    stub.name = interaction["description"]?.string
    let states = interaction["providerStates"]?.elements.compactMap { $0["name"]?.string } ?? []
    if let state = interaction["providerState"]?.string ?? interaction["provider_state"]?.string ?? states.first {
      stub.name = [stub.name, state].compactMap(\.self).joined(separator: " ")
      context.differs(
        "provider state", "of equal requests the first interaction responds; `Prefer: example=NAME` chooses another",
        at: interaction)
    }
    var list: [Predicate] = [path.predicate]
    for (name, values) in Self.query(request["query"]) {
      list.append(
        values.count == 1
          ? value(values[0], .query, name, rules)
          : .test(.query, name, .object([("equals", .array(values.map { .string($0) }))])))
    }
    for member in request["headers"]?.members ?? JSON.object([]).members {
      let text = member.value.isArray ? member.value.elements.map(\.text).joined(separator: ", ") : member.value.text
      if member.name.lowercased() == "content-type", rules.rules(of: .header, member.name).isEmpty {
        // Parameters such as a charset are not compared.
        let type = text.prefix { $0 != ";" }
        list.append(
          .test(.header, member.name, Predicate.matches("^\(ForeignPattern.escaped(String(type)))\\s*(;.*)?$")))
      } else {
        list.append(value(text, .header, member.name, rules))
      }
    }
    if let body = request["body"], !Self.isAbsent(body) {
      guard let predicate = PactBody.predicate(body, rules, &context) else { return nil }
      list.append(predicate)
    }
    stub.predicate = .all(list)
    guard let reply = reply(response) else { return nil }
    stub.reply = reply
    return stub
  }

  private mutating func path(of request: JSON, _ rules: PactRules) -> PathPattern? {
    let text = request["path"]?.text ?? "/"
    if let rule = rules.path.first, rule["match"]?.string == "regex" || rule["regex"] != nil {
      if let expression = rule["regex"]?.string, let path = PathPattern(expression: expression) { return path }
      context.lost("path rule", "the expression cannot be written as the path of a route", at: rule)
      return nil
    }
    guard RouteKeyCheck.problem(text) == nil, text.hasPrefix("/") else {
      context.lost("path", "it is not the path of a route", at: request["path"] ?? request)
      return nil
    }
    return PathPattern(route: text)
  }

  /// The names and values of a query: a string in version 2, a mapping later.
  private static func query(_ node: JSON?) -> [(String, [String])] {
    guard let node else { return [] }
    if node.isObject {
      return node.members.map { ($0.name, $0.value.isArray ? $0.value.elements.map(\.text) : [$0.value.text]) }
    }
    return WireMockReader.query(node.text).parts.compactMap { part in
      guard case .test(_, let name, let value) = part else { return nil }
      return (name, value["equals"].map { $0.elements.map(\.text) } ?? [value.text])
    }
  }

  private mutating func value(_ text: String, _ part: RequestPart, _ name: String, _ rules: PactRules) -> Predicate {
    guard let rule = rules.rules(of: part, name).first else { return .test(part, name, .string(text)) }
    if let expression = rule["regex"]?.string {
      if let test = context.pattern(expression, isWhole: true, at: rule) { return .test(part, name, test) }
      return .test(part, name, Predicate.present)
    }
    switch rule["match"]?.string {
    case "include": return .test(part, name, Predicate.contains(rule["value"]?.text ?? text))
    case "equality", nil: return .test(part, name, .string(text))
    case "integer": return .test(part, name, Predicate.matches("^-?\\d+$"))
    case "number", "decimal": return .test(part, name, Predicate.matches("^-?\\d+(\\.\\d+)?$"))
    default: return .test(part, name, Predicate.present)
    }
  }

  /// A body of version 4 that is not there.
  private static func isAbsent(_ body: JSON) -> Bool {
    body.isNull || body.isObject && body.count == 0 || body["content"]?.isNull == true && body["contentType"] != nil
  }

  private mutating func reply(_ response: JSON) -> StubReply? {
    guard var reply = StubReply(head: response, &context) else { return nil }
    if let generators = response["generators"], generators.count > 0 {
      context.differs("generator", "the value of the example is sent", at: generators)
    }
    guard let body = response["body"], !Self.isAbsent(body) || body.isObject && body.count == 0 else { return reply }
    let (content, type) = PactBody.content(body)
    if case .text(let text)? = content, text.isEmpty { return reply }
    reply.body = content ?? .none
    if !reply.hasContentType, !reply.body.isEmpty { reply.addHeader("Content-Type", type) }
    return reply
  }
}
