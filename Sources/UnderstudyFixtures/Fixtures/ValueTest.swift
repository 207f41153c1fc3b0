/// A condition about a JSON value of a body: equality with some differences ignored, or a JSON Schema.
package struct ValueTest: Sendable {
  /// The condition as it was written.
  package let source: JSON
  package let kind: Kind

  package enum Kind: Sendable {
    case equal(JSON, JSONComparison)
    case schema(Schema)
  }

  /// The keys that name the test, of which a condition has one.
  static let keys = ["equalsJson", "containsJson", "schema"]
  /// The keys of `equalsJson` and `containsJson`.
  static let optionKeys = ["ignore", "ignoreOrder"]

  package func accepts(_ value: JSON, within budget: WorkBudget? = nil) -> Bool {
    switch kind {
    case .equal(let expected, let comparison): comparison.isEqual(value, expected, within: budget)
    case .schema(let schema): schema.accepts(value, within: budget)
    }
  }

  /// The value that passes, if there is only one.
  package var only: JSON? {
    guard case .equal(let expected, let comparison) = kind, comparison == JSONComparison() else { return nil }
    return expected
  }

  /// A phrase for messages.
  var text: String {
    switch kind {
    case .equal(let expected, let comparison):
      (comparison.ignoresOthers ? "JSON with " : "JSON equal to ")
        + "`\(VisibleText.shortened(JSONWriter.text(expected), to: 60))`"
    case .schema: "a value that the schema accepts"
    }
  }
}

extension RequestMatcherReader {
  /// Reads `{equalsJson: ...}`, `{containsJson: ...}` or `{schema: ...}`.
  mutating func value(_ node: JSON) -> ValueTest? {
    let named = ValueTest.keys.filter { node[$0] != nil }
    guard named.count == 1, let key = named.first, let value = node[key] else {
      return findings.reject("expected exactly one of \(ValueTest.keys.joined(separator: ", "))", at: node)
    }
    guard findings.checkKeys(of: node, key == "schema" ? [key] : [key] + ValueTest.optionKeys) else { return nil }
    if key == "schema" { return schema(value).map { ValueTest(source: node, kind: .schema($0)) } }
    var comparison = JSONComparison()
    comparison.ignoresOthers = key == "containsJson"
    if let order = node["ignoreOrder"] {
      guard let flag = findings.flag(order, of: "`ignoreOrder`") else { return nil }
      comparison.ignoresOrder = flag
    }
    if let ignored = node["ignore"] {
      let texts = findings.texts(ignored, of: "`ignore`")
      comparison.ignored = texts.compactMap { path($0.text, at: $0.node) }
      guard !texts.isEmpty, comparison.ignored.count == texts.count else { return nil }
    }
    return ValueTest(source: node, kind: .equal(value, comparison))
  }

  /// A JSONPath, and the reason why it can never select a node, as findings.
  mutating func path(_ text: String, at node: JSON) -> JSONPath? {
    do throws(TextProblem) {
      let path = try JSONPath(text)
      guard let broken = path.brokenPatterns.first else { return path }
      return findings.reject(
        "the pattern `\(VisibleText.shortened(broken.text, to: 60))` never matches: \(broken.reason)", at: node,
        help:
          "`match` and `search` take regular expressions of RFC 9485, and `matches` of a condition takes ECMA-262")
    } catch {
      let position = error.range.lowerBound + 1
      return findings.reject(
        "`\(VisibleText.shortened(text, to: 60))` is not a JSONPath: \(error.message), at character \(position)",
        at: node,
        help: "write a path such as `$.items[0].id`, `$..id` or `$.items[?@.kind == 'a']`")
    }
  }

  /// A schema in the dialect 2020-12, whose references lead into itself.
  private mutating func schema(_ node: JSON) -> Schema? {
    guard node.isObject || node.bool == true else {
      return findings.reject(
        node.bool == false ? "the schema `false` accepts nothing" : "expected a schema, found \(node.kindName)",
        at: node)
    }
    guard let document = try? JSONParser.parse(JSONWriter.bytes(node)) else {
      return findings.reject("the schema cannot be read", at: node)
    }
    let library = SchemaLibrary(dialect: .draft2020, startingAt: document, loader: SchemaLoader { _ in nil })
    let schema = library.schema(at: document.root)
    guard let problem = schema.problems.first else { return schema }
    let place = problem.location?.pointer.flatMap { JSONPointer($0) }.flatMap { node[$0] } ?? node
    return findings.reject("the schema is not valid: \(problem.message)", at: place, help: problem.help)
  }
}
