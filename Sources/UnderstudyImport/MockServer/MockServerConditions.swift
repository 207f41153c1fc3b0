/// Reads the conditions of a request of MockServer.
struct MockServerConditions {
  private(set) var context: ImportContext
  /// Whether every condition has a counterpart.
  private(set) var isComplete = true

  init(context: ImportContext) { self.context = context }

  mutating func read(_ request: JSON) -> Predicate {
    var list: [Predicate] = []
    let parts: [(String, RequestPart)] = [
      ("pathParameters", .path), ("queryStringParameters", .query), ("headers", .header), ("cookies", .cookie),
    ]
    for (key, part) in parts {
      for (name, values) in Self.named(request[key]) {
        list.append(values.isEmpty ? .test(part, name, Predicate.present) : all(values, part, name))
      }
    }
    if let secure = request["secure"] {
      context.differs("secure", "both schemes match", at: secure)
    }
    if let body = request["body"] { list.append(self.body(body)) }
    return .all(list)
  }

  /// Names with their values, of a mapping or a list of `{name, values}`.
  static func named(_ node: JSON?) -> [(String, [JSON])] {
    guard let node else { return [] }
    func values(_ value: JSON) -> [JSON] {
      value.isArray ? Array(value.elements) : value["values"].map { values in Array(values.elements) } ?? [value]
    }
    if node.isArray {
      return node.elements.map {
        ($0["name"]?.text ?? "", $0["values"].map { Array($0.elements) } ?? [$0["value"]].compactMap(\.self))
      }
    }
    return node.members.filter { $0.name != "keyMatchStyle" }.map { ($0.name, values($0.value)) }
  }

  private mutating func reject(_ feature: String, _ message: String, at node: JSON) -> Predicate {
    isComplete = false
    context.lost(feature, message, at: node)
    return .always
  }

  private mutating func all(_ values: [JSON], _ part: RequestPart, _ name: String) -> Predicate {
    if let first = values.first, name.contains(where: { "*+[]()|^$\\".contains($0) }) || name.hasPrefix("?") {
      return reject("name matcher", "the name of a value is fixed", at: first)
    }
    if name.hasPrefix("!") { return .test(part, String(name.dropFirst()), .null) }
    var list: [Predicate] = []
    for value in values { list.append(self.value(value, part, name)) }
    return .all(list)
  }

  private mutating func value(_ value: JSON, _ part: RequestPart, _ name: String) -> Predicate {
    guard value.isString || value.kind == .number else {
      return reject("schema matcher", "expected a string", at: value)
    }
    var text = value.text
    let isNot = text.hasPrefix("!")
    if isNot { text.removeFirst() }
    var test = JSON.string(text)
    if text.contains(where: { "*+?[](|^$\\".contains($0) }) {
      if let pattern = ForeignPattern.ecma(text, isWhole: true) {
        // A value that equals the expression matches as well.
        test = Predicate.matches(pattern)
      } else if Pattern.problem(text) == nil {
        return reject("regular expression", "it has no counterpart in ECMA-262", at: value)
      }
    }
    return isNot ? .not(.test(part, name, test)) : .test(part, name, test)
  }

  // MARK: - Bodies

  private mutating func body(_ node: JSON) -> Predicate {
    let predicate = content(node)
    return node["not"]?.bool == true ? .not(predicate) : predicate
  }

  private mutating func content(_ node: JSON) -> Predicate {
    if node.isString { return value(node, .body, "$") }
    switch node["type"]?.string ?? Self.type(of: node) {
    case "": return json(node, isStrict: false)
    case "JSON": return json(node["json"] ?? node, isStrict: node["matchType"]?.string == "STRICT")
    case "STRING":
      let text = node["string"]?.text ?? ""
      return .test(.body, "$", node["subString"]?.bool == true ? Predicate.contains(text) : .string(text))
    case "REGEX":
      guard let test = context.pattern(node["regex"]?.text ?? "", isWhole: true, at: node) else {
        isComplete = false
        return .always
      }
      return .test(.body, "$", test)
    case "JSON_SCHEMA":
      var schema = node["jsonSchema"] ?? .object([])
      if schema.isString { schema = (try? JSONParser.parse(Array(schema.text.utf8)).root) ?? .null }
      guard schema.isObject, let current = SchemaVersions.current(schema, named: nil) else {
        return reject("JSON schema", "the schema has keywords of an earlier version: expected 2020-12", at: node)
      }
      return .test(.body, "$", .object([("schema", current)]))
    case "JSON_PATH":
      guard let path = ForeignPath.jsonPath(node["jsonPath"]?.text ?? "") else {
        return reject("JSONPath", "expected a JSONPath of RFC 9535", at: node)
      }
      return .test(.body, path, Predicate.present)
    case "XPATH":
      guard let (path, test) = ForeignPath.xPath(node["xpath"]?.text ?? "") else {
        return reject("XPath", "expected a plain XPath", at: node)
      }
      return .test(.body, path, test ?? Predicate.present)
    case "PARAMETERS":
      var list: [Predicate] = []
      for (name, values) in Self.named(node["parameters"]) { list.append(all(values, .body, name)) }
      return .all(list)
    case let type: return reject("body \(type)", "this matcher has no counterpart", at: node)
    }
  }

  private static func type(of node: JSON) -> String {
    let types = [
      ("json", "JSON"), ("string", "STRING"), ("regex", "REGEX"), ("jsonSchema", "JSON_SCHEMA"),
      ("jsonPath", "JSON_PATH"),
      ("xpath", "XPATH"), ("parameters", "PARAMETERS"), ("xml", "XML"), ("base64Bytes", "BINARY"),
    ]
    return types.first { node[$0.0] != nil }?.1 ?? ""
  }

  private mutating func json(_ value: JSON, isStrict: Bool) -> Predicate {
    var expected = value
    if value.isString, let parsed = try? JSONParser.parse(Array(value.text.utf8)).root { expected = parsed }
    return JSONPlaceholders.predicate(expected, field: "$", ignoresOrder: !isStrict, ignoresOthers: !isStrict)
  }
}
