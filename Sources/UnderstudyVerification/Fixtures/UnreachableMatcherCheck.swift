/// Finds conditions of a `when` that no valid request can meet; a condition counts as reachable unless that is certain.
struct UnreachableMatcherCheck {
  let operation: Operation
  let specification: Specification
  let schemas: SchemaLibrary

  struct Obstacle {
    var reason: String
    /// The node of the contract that forbids it.
    var contract: JSON?
    var help: String?
  }

  /// The first condition that is never met.
  func obstacle(in matcher: RequestMatcher) -> (condition: RequestMatcher.Condition, obstacle: Obstacle)? {
    let first = matcher.conditions.lazy.compactMap { condition in obstacle(condition).map { (condition, $0) } }.first
    if let first { return first }
    for case .any(let matchers) in matcher.groups {
      let obstacles = matchers.compactMap(obstacle)
      if obstacles.count == matchers.count { return obstacles.first }
    }
    return nil
  }

  private func obstacle(_ condition: RequestMatcher.Condition) -> Obstacle? {
    switch condition.part {
    case .path: pathObstacle(condition)
    case _ where operation.isRoute: nil
    case .query: parameterObstacle(condition, .query)
    case .header: parameterObstacle(condition, .header)
    case .cookie: parameterObstacle(condition, .cookie)
    case .body: bodyObstacle(condition)
    case .file, .fileType: fileObstacle(condition)
    }
  }

  /// Files are parts of a multipart body.
  private func fileObstacle(_ condition: RequestMatcher.Condition) -> Obstacle? {
    if case .present(false) = condition.test { return nil }
    let contents = operation.requestBody?.content ?? []
    guard !contents.contains(where: { MediaRange($0.range).map { $0.isRange || $0.syntax == .multipart } ?? true })
    else {
      return nil
    }
    return Obstacle(
      reason: "\(operation.id) documents no multipart body, so it has no files",
      contract: operation.requestBody?.node ?? operation.node)
  }

  private func pathObstacle(_ condition: RequestMatcher.Condition) -> Obstacle? {
    let names = operation.template.names.map { String(decoding: $0, as: UTF8.self) }
    guard names.contains(where: { $0.utf8Equals(condition.name) }) else {
      let known = names.map { "`\($0)`" }.joined(separator: ", ")
      return Obstacle(
        reason: "\(operation.path) has no `{\(condition.name)}`", contract: operation.pathNode,
        help: Suggestion.phrase(for: condition.name, among: names)
          ?? (names.isEmpty ? "the path has no parameters" : "it has \(known)"))
    }
    return parameterObstacle(condition, .path)
  }

  private func parameterObstacle(_ condition: RequestMatcher.Condition, _ location: Parameter.Location) -> Obstacle? {
    let declared = operation.parameters.filter { $0.location == location }
    guard let parameter = operation.parameter(condition.name, in: location) else {
      // Fixtures may match undeclared parameters, unless the name is most likely misspelt.
      guard location != .path, let nearest = Suggestion.nearest(to: condition.name, among: declared.map(\.name)) else {
        return nil
      }
      return Obstacle(
        reason: "\(operation.id) declares no \(location.rawValue) parameter `\(condition.name)`",
        contract: declared.first { $0.name == nearest }?.node, help: "did you mean `\(nearest)`?")
    }
    if case .present(false) = condition.test, parameter.isRequired {
      return Obstacle(
        reason: "\(location.rawValue) `\(parameter.name)` is required, so it is never absent",
        contract: parameter.node)
    }
    guard let node = parameter.schema else { return nil }
    let decoder = ParameterDecoder(parameter, specification: specification, schemas: schemas)
    guard decoder.declaration.schema.forms == [.primitive] else { return nil }
    let schema = schemas.schema(at: node, direction: .request)
    let isEmptyAllowed = parameter.allowEmptyValue
    return obstacle(condition, "\(location.rawValue) `\(parameter.name)`", node) { text in
      if text.isEmpty, isEmptyAllowed { return true }
      let decoded = decoder.decode(ParameterInput(parameter, text: text, isEncoded: false))
      if case .unvalidated = decoded.outcome { return true }
      return decoded.readings.contains(where: { schema.accepts($0) })
    }
  }

  private func bodyObstacle(_ condition: RequestMatcher.Condition) -> Obstacle? {
    guard let body = operation.requestBody else {
      if case .present(false) = condition.test { return nil }
      return Obstacle(reason: "\(operation.id) documents no body", contract: operation.node)
    }
    var obstacles: [Obstacle] = []
    for content in body.content {
      guard let obstacle = obstacle(condition, in: content, body) else { return nil }
      obstacles.append(obstacle)
    }
    return obstacles.first
  }

  /// The names of members that lead to the value; `nil` where the values of a condition are not known by names.
  private func tokens(
    of condition: RequestMatcher.Condition, _ syntax: MediaRange.Syntax?
  ) -> [String]? {
    if let path = condition.path { return path.pointer?.tokens }
    if syntax == .xml { return nil }
    return condition.name.utf8.first == UInt8(ascii: "/") ? JSONPointer(condition.name)?.tokens ?? [] : [condition.name]
  }

  private func obstacle(
    _ condition: RequestMatcher.Condition, in content: MediaTypeObject, _ body: RequestBody
  ) -> Obstacle? {
    let range = MediaRange(content.range)
    let syntax = range?.syntax
    if range?.isRange == false, syntax != .json, condition.isAboutJSON {
      if case .present(false) = condition.test { return nil }
      return Obstacle(reason: "\(operation.id) documents a body of \(content.range), not JSON", contract: content.node)
    }
    if syntax == .xml, XMLPath(condition.name) == nil {
      return Obstacle(
        reason: "`\(condition.name)` is no path in XML", contract: content.node,
        help: "write a path such as `/order/item[1]/@sku`, `//item/text()` or `name`, an element below the root")
    }
    guard let tokens = tokens(of: condition, syntax) else { return nil }
    guard var schema = content.schema.map(schemas.resolved) else { return nil }
    for (depth, token) in tokens.enumerated() {
      if case .present(false) = condition.test, depth == 0, tokens.count == 1, body.isRequired,
        let required = schema.requirement(of: token)
      {
        return Obstacle(
          reason: "the field `\(token)` is required, so it is never absent", contract: required)
      }
      if let property = schema.declaredProperty(token) {
        schema = property
        continue
      }
      if case .present(false) = condition.test { return nil }
      let names = schema.declaredProperties.map(\.name)
      guard let closed = closure(of: schema) else {
        // An open schema allows any field, unless the name is most likely misspelt.
        guard let nearest = Suggestion.nearest(to: token, among: names) else { return nil }
        return Obstacle(
          reason: "the body has no field `\(token)`", contract: schema.node,
          help: "did you mean `\(nearest)`?")
      }
      return Obstacle(
        reason: "the body has no field `\(token)`, and `additionalProperties` is false",
        contract: closed, help: Suggestion.phrase(for: token, among: names))
    }
    if case .value(let test) = condition.test {
      let what = tokens.isEmpty ? "the body" : "the field `\(condition.name)`"
      guard let only = test.only, !schemas.schema(at: schema.node, direction: .request).accepts(only) else {
        return nil
      }
      return Obstacle(
        reason: "\(what) cannot be `\(VisibleText.shortened(JSONWriter.text(only), to: 60))`",
        contract: schema.chain.last ?? schema.node)
    }
    guard schema.forms == [.primitive] else { return nil }
    let compiled = schemas.schema(at: schema.node, direction: .request)
    return obstacle(condition, "the field `\(condition.name)`", schema.node) { text in
      [false, true].contains { prefersText in
        TypeCoercion.value(of: text, schema.types, prefersText: prefersText).map { compiled.accepts($0) } ?? false
      }
    }
  }

  /// The `additionalProperties: false` that forbids other names; `nil` where an alternative or a pattern may allow them.
  private func closure(of schema: ResolvedSchema) -> JSON? {
    schema.has(.oneOf, .anyOf, .if, .not, .patternProperties) ? nil : schema.closure
  }

  /// Tries the values that a condition allows.
  private func obstacle(
    _ condition: RequestMatcher.Condition, _ what: String, _ node: JSON, isAllowed: (String) -> Bool
  ) -> Obstacle? {
    let reason: String
    switch condition.test {
    case .equals(let text):
      guard !isAllowed(text) else { return nil }
      reason = "\(what) cannot be `\(text)`"
    case .oneOf(let texts):
      guard !texts.isEmpty, !texts.contains(where: isAllowed) else { return nil }
      reason = "\(what) cannot be any of \(texts.prefix(5).map { "`\($0)`" }.joined(separator: ", "))"
    case .list(let texts):
      guard let text = texts.first(where: { !isAllowed($0) }) else { return nil }
      reason = "\(what) cannot be `\(text)`"
    case .contains, .matches:
      guard let values = schemas.resolved(node).enumeration, !values.isEmpty,
        !values.contains(where: { condition.test.accepts($0.plainText) })
      else { return nil }
      reason = "\(what) is one of a list, and none of its values matches"
    case .present, .value: return nil
    }
    let schema = schemas.resolved(node)
    let values = (schema.enumeration ?? []).prefix(8).map { "`\($0.plainText)`" }
    return Obstacle(
      reason: reason, contract: schema.chain.last ?? node,
      help: values.isEmpty ? nil : "the contract allows \(values.joined(separator: ", "))")
  }
}

extension RequestMatcher.Condition {
  /// Whether only a JSON body has values for it.
  fileprivate var isAboutJSON: Bool {
    if path != nil { return true }
    return if case .value = test { true } else { false }
  }
}
