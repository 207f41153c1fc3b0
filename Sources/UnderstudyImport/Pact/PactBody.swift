/// The matching rules of a request of Pact, in the notations of the versions 2 and 3.
struct PactRules {
  private let node: JSON?

  init(_ node: JSON?) { self.node = node }

  private func matchers(_ value: JSON?) -> [JSON] {
    guard let value else { return [] }
    return value["matchers"].map { Array($0.elements) } ?? [value]
  }

  var path: [JSON] { matchers(node?["$.path"] ?? node?["path"]) }

  func rules(of part: RequestPart, _ name: String) -> [JSON] {
    let keys = part == .header ? ["header", "headers"] : ["query"]
    for key in keys {
      for old in ["$.\(key).\(name)", "$.\(key)['\(name)']", "$.\(key).\(name)[0]"] {
        if let rule = node?[old] { return matchers(rule) }
      }
      let member = node?[key]?.members.first { $0.name.lowercased() == name.lowercased() || $0.name == "$.\(name)[0]" }
      if let member { return matchers(member.value) }
    }
    return []
  }

  /// The rules of the body by the JSONPath in it.
  var body: [(path: String, rule: JSON)] {
    var list: [(String, JSON)] = []
    for member in node?.members ?? JSON.object([]).members where member.name.hasPrefix("$.body") {
      for rule in matchers(member.value) { list.append(("$" + member.name.dropFirst("$.body".count), rule)) }
    }
    for member in node?["body"]?.members ?? JSON.object([]).members {
      for rule in matchers(member.value) { list.append((member.name, rule)) }
    }
    return list
  }
}

/// Bodies of Pact.
enum PactBody {
  /// The content and the media type of a body, which has a description of its own in version 4.
  static func content(_ body: JSON) -> (StubReply.Body?, type: String) {
    let type = body["contentType"]?.string
    if let type, let content = body["content"] {
      let encoding = body["encoded"]?.text ?? ""
      if content.isString, encoding.lowercased() == "base64" {
        return (Base64Text.decoded(content.text).map { .bytes($0, fileExtension: "bin") }, type)
      }
      return (content.isString && !type.contains("json") ? .text(content.text) : .json(content), type)
    }
    return body.isString ? (.text(body.text), "text/plain") : (.json(body), "application/json")
  }

  /// The condition on a request body; `nil` with a remark.
  static func predicate(_ body: JSON, _ rules: PactRules, _ context: inout ImportContext) -> Predicate? {
    switch content(body).0 {
    case .text(let text)?: return .test(.body, "$", .string(text))
    case .json(let value)?: return json(value, rules, &context)
    default:
      context.lost("binary request body", "a binary body is not compared", at: body)
      return nil
    }
  }

  private static func json(_ value: JSON, _ rules: PactRules, _ context: inout ImportContext) -> Predicate? {
    var ignored: [String] = []
    var tests: [Predicate] = []
    for (text, rule) in rules.body {
      guard let path = ForeignPath.jsonPath(text), let query = try? JSONPath(path) else {
        context.lost("matching rule", "`\(VisibleText.shortened(text, to: 60))` is not a JSONPath", at: rule)
        return nil
      }
      let match = rule["match"]?.string ?? (rule["regex"] != nil ? "regex" : "type")
      if match == "equality" { continue }
      ignored.append(path)
      if path.contains("*") || path.contains("..") {
        context.differs("matching rule on elements", "the elements of a list may have any value", at: rule)
        continue
      }
      guard let example = query.nodes(in: value, within: nil)?.first else { continue }
      switch match {
      case "regex":
        guard let test = context.pattern(rule["regex"]?.text ?? "", isWhole: true, at: rule) else { return nil }
        tests.append(.test(.body, path, test))
      case "semver":
        tests.append(
          .test(.body, path, Predicate.matches(#"^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$"#)))
      case "notEmpty": tests.append(.test(.body, path, Predicate.matches("[\\s\\S]")))
      case "include": tests.append(.test(.body, path, Predicate.contains(rule["value"]?.text ?? "")))
      default:
        let kinds: [String: JSON] = [
          "integer": ["type": "integer"], "decimal": ["type": "number"], "number": ["type": "number"],
          "boolean": ["type": "boolean"], "null": ["type": "null"], "date": ["type": "string"],
          "time": ["type": "string"], "timestamp": ["type": "string"], "datetime": ["type": "string"],
        ]
        if match != "type", kinds[match] == nil {
          context.lost("matching rule \(match)", "this rule has no counterpart", at: rule)
          return nil
        }
        if ["date", "time", "timestamp", "datetime"].contains(match) {
          context.differs("matching rule \(match)", "any string matches", at: rule)
        }
        let schema = kinds[match] ?? schema(of: example, minimum: rule["min"]?.int, depth: 0)
        tests.append(.test(.body, path, .object([("schema", schema)])))
      }
    }
    var members: [(String, JSON)] = [("equalsJson", value)]
    if !ignored.isEmpty { members.append(("ignore", .array(ignored.map { .string($0) }))) }
    // A body that is ignored as a whole needs no comparison.
    let comparison: [Predicate] = ignored.contains("$") ? [] : [.test(.body, "$", .object(members))]
    return .all(comparison + tests)
  }

  /// The schema of values with the types of an example.
  private static func schema(of example: JSON, minimum: Int?, depth: Int) -> JSON {
    guard depth < 32 else { return true }
    switch example.kind {
    case .object:
      return .object([
        ("type", "object"), ("required", .array(example.members.map { .string($0.name) })),
        (
          "properties", .object(example.members.map { ($0.name, schema(of: $0.value, minimum: nil, depth: depth + 1)) })
        ),
        ("additionalProperties", false),
      ])
    case .array:
      guard let first = example[0] else { return ["type": "array"] }
      return .object([
        ("type", "array"), ("minItems", .integer(minimum ?? 1)),
        ("items", schema(of: first, minimum: nil, depth: depth + 1)),
      ])
    case .string: return ["type": "string"]
    case .number: return ["type": "number"]
    case .true, .false: return ["type": "boolean"]
    case .null: return ["type": "null"]
    }
  }
}
