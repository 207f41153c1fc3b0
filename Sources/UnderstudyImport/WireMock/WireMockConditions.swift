/// Reads the conditions of a request of WireMock.
struct WireMockConditions {
  private var context: ImportContext
  private var isComplete = true
  private var depth = 0

  /// The maximum depth of `and`, `or` and `not` in one another.
  private static let depthLimit = 16

  /// The conditions; `nil`, with remarks, if any condition has no counterpart.
  static func read(_ request: JSON, _ context: inout ImportContext) -> Predicate? {
    var reader = WireMockConditions(context: context)
    let predicate = reader.read(request)
    context = reader.context
    return reader.isComplete ? predicate : nil
  }

  private init(context: ImportContext) { self.context = context }

  private mutating func read(_ request: JSON) -> Predicate {
    var list: [Predicate] = []
    let named: [(String, RequestPart)] = [
      ("pathParameters", .path), ("queryParameters", .query), ("headers", .header), ("cookies", .cookie),
      ("formParameters", .body),
    ]
    for (key, part) in named {
      for member in request[key]?.members ?? JSON.object([]).members {
        list.append(value(member.value, part, member.name))
      }
    }
    if let auth = request["basicAuthCredentials"] ?? request["basicAuth"] {
      let text = "\(auth["username"]?.text ?? ""):\(auth["password"]?.text ?? "")"
      list.append(.test(.header, "Authorization", .string("Basic " + Base64Text.encoded(Array(text.utf8)))))
    }
    for pattern in request["bodyPatterns"]?.elements ?? JSON.array([]).elements { list.append(body(pattern)) }
    for pattern in request["multipartPatterns"]?.elements ?? JSON.array([]).elements { list.append(multipart(pattern)) }
    return .all(list)
  }

  private mutating func reject(_ feature: String, _ message: String, at node: JSON) -> Predicate {
    isComplete = false
    context.lost(feature, message, at: node)
    return .always
  }

  private mutating func expression(_ node: JSON, _ use: (JSON) -> Predicate) -> Predicate {
    guard let test = context.pattern(node.text, isWhole: true, at: node) else {
      isComplete = false
      return .always
    }
    return use(test)
  }

  // MARK: - Values

  /// The condition on a value of a name.
  private mutating func value(_ pattern: JSON, _ part: RequestPart, _ name: String) -> Predicate {
    func test(_ test: JSON) -> Predicate { .test(part, name, test) }
    if pattern.isString || pattern.kind == .number { return test(.string(pattern.text)) }
    guard pattern.isObject, let member = pattern.members.first(where: { $0.name != "caseInsensitive" }) else {
      return reject("matcher", "expected a mapping with one matcher", at: pattern)
    }
    let value = member.value
    switch member.name {
    case "equalTo":
      guard value.isString || value.kind == .number else { return reject("equalTo", "expected a string", at: value) }
      let ignoresCase = pattern["caseInsensitive"]?.bool == true
      return test(ignoresCase ? Predicate.matches(ForeignPattern.anyCase(value.text)) : .string(value.text))
    case "contains": return test(Predicate.contains(value.text))
    case "doesNotContain": return .not(test(Predicate.contains(value.text)))
    case "matches": return expression(value) { .test(part, name, $0) }
    case "doesNotMatch": return expression(value) { .not(.test(part, name, $0)) }
    case "anything": return .always
    case "absent": return test(value.bool == false ? Predicate.present : .null)
    case "includes", "hasExactly":
      if member.name == "hasExactly", value.count > 1 {
        let texts = value.elements.compactMap { $0["equalTo"]?.string }
        guard texts.count == value.count else {
          return reject("hasExactly", "expected `equalTo` for each value", at: value)
        }
        context.differs("hasExactly", "the values are compared in their order", at: value)
        return test(.object([("equals", .array(texts.map { .string($0) }))]))
      }
      var list: [Predicate] = []
      for element in value.elements { list.append(self.value(element, part, name)) }
      return .all(list)
    case "and", "or", "not":
      return group(member.name, value) { reader, inner in reader.value(inner, part, name) }
    case "equalToJson" where part == .body, "matchesJsonSchema" where part == .body:
      return json(member.name, value, pattern, name)
    default:
      return reject(
        "matcher \(member.name)", "`\(member.name)` has no counterpart for \(part.rawValue) `\(name)`", at: member.key)
    }
  }

  private mutating func group(
    _ name: String, _ value: JSON, _ read: (inout WireMockConditions, JSON) -> Predicate
  ) -> Predicate {
    guard depth < Self.depthLimit else {
      return reject("condition", "conditions nest deeper than \(Self.depthLimit) levels", at: value)
    }
    depth += 1
    defer { depth -= 1 }
    if name == "not" { return .not(read(&self, value)) }
    var list: [Predicate] = []
    for element in value.elements { list.append(read(&self, element)) }
    return name == "and" ? .all(list) : .any(list)
  }

  // MARK: - Bodies

  private mutating func body(_ pattern: JSON) -> Predicate {
    guard pattern.isObject, let member = pattern.members.first(where: { !Self.options.contains($0.name) }) else {
      return reject("body pattern", "expected a mapping with one matcher", at: pattern)
    }
    let value = member.value
    switch member.name {
    case "equalToJson", "matchesJsonSchema": return json(member.name, value, pattern, "$")
    case "matchesJsonPath": return jsonPath(value)
    case "matchesXPath": return xPath(value)
    case "and", "or", "not": return group(member.name, value) { reader, inner in reader.body(inner) }
    case "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "absent":
      return self.value(pattern, .body, "$")
    default: return reject("body \(member.name)", "`\(member.name)` has no counterpart", at: member.key)
    }
  }

  private static let options = [
    "caseInsensitive", "ignoreArrayOrder", "ignoreExtraElements", "schemaVersion", "xPathNamespaces",
    "namespaceAwareness", "enablePlaceholders", "exemptedComparisons",
  ]

  private mutating func json(_ name: String, _ value: JSON, _ pattern: JSON, _ field: String) -> Predicate {
    var expected = value
    if value.isString {
      guard let parsed = try? JSONParser.parse(Array(value.text.utf8)).root else {
        return reject(name, "the string is not valid JSON", at: value)
      }
      expected = parsed
    }
    if name == "matchesJsonSchema" {
      guard let schema = SchemaVersions.current(expected, named: pattern["schemaVersion"]?.string) else {
        return reject(
          "matchesJsonSchema", "the schema has keywords of an earlier version: expected 2020-12", at: value)
      }
      return .test(.body, field, .object([("schema", schema)]))
    }
    return JSONPlaceholders.predicate(
      expected, field: field, ignoresOrder: pattern["ignoreArrayOrder"]?.bool == true,
      ignoresOthers: pattern["ignoreExtraElements"]?.bool == true)
  }

  private mutating func jsonPath(_ value: JSON) -> Predicate {
    let text = value.isObject ? value["expression"]?.text ?? "" : value.text
    guard let path = ForeignPath.jsonPath(text) else {
      return reject(
        "JSONPath", "`\(VisibleText.shortened(text, to: 60))` is not a JSONPath of RFC 9535", at: value)
    }
    guard value.isObject else { return .test(.body, path, Predicate.present) }
    return self.value(Self.without("expression", value), .body, path)
  }

  private mutating func xPath(_ value: JSON) -> Predicate {
    let text = value.isObject ? value["expression"]?.text ?? "" : value.text
    guard let (path, test) = ForeignPath.xPath(text) else {
      return reject("XPath", "`\(VisibleText.shortened(text, to: 60))` is not a plain XPath", at: value)
    }
    guard value.isObject else { return .test(.body, path, test ?? Predicate.present) }
    guard test == nil else { return reject("XPath", "a predicate and a matcher are not combined", at: value) }
    return self.value(Self.without("expression", value), .body, path)
  }

  private static func without(_ name: String, _ value: JSON) -> JSON {
    .object(value.members.filter { $0.name != name && $0.name != "xPathNamespaces" }.map { ($0.name, $0.value) })
  }

  private mutating func multipart(_ pattern: JSON) -> Predicate {
    let headers = pattern["headers"]?.members.map { ($0.name.lowercased(), $0.value) } ?? []
    var name = pattern["name"]?.string
    for (header, value) in headers where header == "content-disposition" {
      let text = value["contains"]?.string ?? ""
      guard text.hasPrefix("name=\""), text.hasSuffix("\""), name == nil else {
        return reject("multipartPatterns", "conditions on part headers are not supported", at: value)
      }
      name = String(text.dropFirst(6).dropLast())
    }
    guard let name else { return reject("multipartPatterns", "a part without a name", at: pattern) }
    var list: [Predicate] = []
    for (header, value) in headers where header != "content-disposition" {
      guard header == "content-type" else {
        return reject("multipartPatterns", "conditions on part headers are not supported", at: value)
      }
      list.append(self.value(value, .fileType, name))
    }
    if let file = pattern["fileName"] ?? pattern["filename"] { list.append(value(file, .file, name)) }
    for inner in pattern["bodyPatterns"]?.elements ?? JSON.array([]).elements {
      guard ["equalTo", "contains", "matches", "doesNotContain", "doesNotMatch"].contains(where: { inner[$0] != nil })
      else { return reject("multipartPatterns", "the content of a part is compared as text alone", at: inner) }
      list.append(value(inner, .body, name))
    }
    return list.isEmpty ? .test(.body, name, Predicate.present) : .all(list)
  }
}
