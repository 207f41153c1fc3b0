/// The `when` of a fixture, a rule or a reply: all of its conditions and groups must hold.
package struct RequestMatcher: Codable, Sendable, Hashable {
  package var conditions: [Condition]
  package var groups: [Group] = []

  /// Other matchers that are combined with the conditions; the matchers of `all` are merged into the conditions.
  package enum Group: Codable, Sendable, Hashable {
    /// One of them holds.
    case any([RequestMatcher])
    /// None of them holds.
    case none([RequestMatcher])
  }

  package struct Condition: Sendable, Hashable {
    package let part: RequestPart
    /// The parameter, header or field; a body field may be a JSON pointer (`/user/nick`), a JSONPath or an XPath.
    package let name: String
    package let test: Test
    /// The name as a JSONPath, if it is one.
    package let path: JSONPath?

    package init(part: RequestPart, name: String, test: Test) {
      self.part = part
      self.name = name
      self.test = test
      path = part == .body && Self.isPath(name) ? try? JSONPath(name) : nil
    }

    /// Whether a name of a body field is a JSONPath by its beginning: `$`, `$.a` and `$[0]`, not `$ref`.
    static func isPath(_ name: String) -> Bool {
      name.utf8.first == UInt8(ascii: "$")
        && name.utf8.dropFirst().first.map { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } ?? true
    }
  }

  package init(conditions: [Condition]) { self.conditions = conditions }

  /// One part of the request has a value.
  package init(_ part: RequestPart, _ name: String, equals value: String) {
    self.init(conditions: [Condition(part: part, name: name, test: .equals(value))])
  }

  package enum Test: Sendable {
    case equals(String)
    case contains(String)
    case matches(Pattern)
    case oneOf([String])
    case present(Bool)
    /// All values of the name, in order.
    case list([String])
    /// A JSON value of the body.
    case value(ValueTest)

    /// Whether a value passes; a test for presence accepts any.
    package func accepts(_ value: String, within budget: WorkBudget? = nil) -> Bool {
      switch self {
      case .equals(let text): value.utf8Equals(text)
      case .contains(let part): value.utf8.contains(part.utf8)
      case .matches(let pattern): pattern.matches(value, within: budget) == .yes
      case .oneOf(let texts): texts.contains { $0.utf8Equals(value) }
      case .present(let wanted): wanted
      case .list(let texts): Self.isSame(texts, [value])
      case .value: false
      }
    }

    /// The texts that the test compares with a whole value.
    package var texts: [String] {
      switch self {
      case .equals(let text): [text]
      case .oneOf(let texts), .list(let texts): texts
      case .contains, .matches, .present, .value: []
      }
    }

    fileprivate static func isSame(_ texts: [String], _ values: [String]) -> Bool {
      texts.count == values.count && zip(texts, values).allSatisfy { $0.utf8Equals($1) }
    }
  }

  /// Returns whether every condition holds. If a name is repeated, one matching value is enough, except for a list.
  package func matches(_ request: any RequestValues, within budget: WorkBudget? = nil) -> Bool {
    conditions.allSatisfy { $0.holds(for: request, within: budget) }
      && (groups.isEmpty || groups.allSatisfy { $0.holds(for: request, within: budget) })
  }

  /// The minimum number of conditions that a matching request meets; each matcher of `not` counts as one.
  package var strength: Int {
    groups.reduce(conditions.count) { count, group in
      switch group {
      case .any(let matchers): count + (matchers.map(\.strength).min() ?? 0)
      case .none(let matchers): count + matchers.count
      }
    }
  }
}

extension RequestMatcher.Condition {
  fileprivate func holds(for request: any RequestValues, within budget: WorkBudget?) -> Bool {
    if case .value(let test) = test {
      return nodes(of: request, within: budget).contains { test.accepts($0, within: budget) }
    }
    let values = values(of: request, within: budget)
    switch test {
    case .present(let wanted): return values.isEmpty != wanted
    case .list(let texts): return RequestMatcher.Test.isSame(texts, values)
    default: return values.contains { test.accepts($0, within: budget) }
    }
  }

  private func nodes(of request: any RequestValues, within budget: WorkBudget? = nil) -> [JSON] {
    request.nodes(path.map { .path($0) } ?? .field(name), within: budget)
  }

  /// The body as it was received, of any media type; none for an empty body.
  private func wholeBody(of request: any RequestValues) -> [String] {
    request.fact(.body).flatMap { $0.isEmpty ? nil : [$0] } ?? []
  }

  /// The values that the condition is about, as text.
  fileprivate func values(of request: any RequestValues, within budget: WorkBudget? = nil) -> [String] {
    if let path {
      let texts = request.nodes(.path(path), within: budget).flatMap(\.requestTexts)
      if case .list = test { return texts }
      return name == "$" ? texts + wholeBody(of: request) : texts
    }
    if case .value = test { return nodes(of: request, within: budget).map(\.plainText) }
    return request.values(part, name)
  }
}

extension RequestMatcher.Group {
  fileprivate func holds(for request: any RequestValues, within budget: WorkBudget?) -> Bool {
    switch self {
    case .any(let matchers): return matchers.contains { $0.matches(request, within: budget) }
    case .none(let matchers):
      // A condition that was given up does not count as one that does not hold.
      return !matchers.contains { $0.matches(request, within: budget) } && budget?.isExceeded != true
    }
  }

  /// The matchers that are combined.
  package var matchers: [RequestMatcher] {
    switch self {
    case .any(let matchers), .none(let matchers): matchers
    }
  }
}

extension RequestMatcher {
  private enum CodingKeys: CodingKey { case conditions, groups }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    conditions = try values.decode([Condition].self, forKey: .conditions)
    // Most have none, and states of earlier formats have no such member.
    groups = try values.decodeIfPresent([Group].self, forKey: .groups) ?? []
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(conditions, forKey: .conditions)
    if !groups.isEmpty { try values.encode(groups, forKey: .groups) }
  }
}

extension RequestMatcher.Condition: Codable {
  private enum CodingKeys: CodingKey { case part, name, test }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      part: try values.decode(RequestPart.self, forKey: .part), name: try values.decode(String.self, forKey: .name),
      test: try values.decode(RequestMatcher.Test.self, forKey: .test))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(part, forKey: .part)
    try values.encode(name, forKey: .name)
    try values.encode(test, forKey: .test)
  }
}

extension RequestMatcher {
  /// The conditions that a request does not meet, each with what it has: ``query `page` is `2`, expected `1` ``.
  package func failures(_ request: any RequestValues) -> [String] {
    let failed = conditions.compactMap { condition -> String? in
      guard !condition.holds(for: request, within: nil) else { return nil }
      let values = condition.values(of: request)
      let place = "\(condition.part.rawValue) `\(condition.name)`"
      guard let first = values.first else { return "\(place) is absent, expected \(condition.test.text)" }
      return "\(place) is `\(VisibleText.shortened(first, to: 60))`, expected \(condition.test.text)"
    }
    return failed
      + groups.compactMap { group in
        guard !group.holds(for: request, within: nil) else { return nil }
        switch group {
        case .any(let matchers):
          let nearest = matchers.map { $0.failures(request) }.min { $0.count < $1.count } ?? []
          return "none of `any` holds: \(nearest.joined(separator: " and "))"
        case .none: return "the conditions of `not` hold"
        }
      }
  }
}

extension RequestMatcher.Test {
  /// What passes, as a phrase.
  var text: String {
    switch self {
    case .equals(let text): "`\(text)`"
    case .contains(let part): "a text with `\(part)`"
    case .matches: "a text that the pattern matches"
    case .oneOf(let texts): texts.map { "`\($0)`" }.joined(separator: " or ")
    case .present(let wanted): wanted ? "any value" : "none"
    case .list(let texts): "the list " + texts.map { "`\($0)`" }.joined(separator: ", ")
    case .value(let test): test.text
    }
  }
}

extension RequestMatcher.Test: Codable, Hashable {
  /// A pattern is stored, and compared, as its text.
  private struct Stored: Codable, Hashable {
    var test: String
    var values: [String]
  }

  private var stored: Stored {
    switch self {
    case .equals(let text): Stored(test: "equals", values: [text])
    case .contains(let part): Stored(test: "contains", values: [part])
    case .matches(let pattern): Stored(test: "matches", values: [pattern.text])
    case .oneOf(let texts): Stored(test: "oneOf", values: texts)
    case .present(let wanted): Stored(test: "present", values: [String(wanted)])
    case .list(let texts): Stored(test: "list", values: texts)
    case .value(let test): Stored(test: "value", values: [JSONWriter.text(test.source)])
    }
  }

  package init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    let text = stored.values.first ?? ""
    switch stored.test {
    case "equals": self = .equals(text)
    case "contains": self = .contains(text)
    case "matches": self = .matches(try Pattern(ecma: text))
    case "oneOf": self = .oneOf(stored.values)
    case "present": self = .present(text == "true")
    case "list": self = .list(stored.values)
    case "value":
      var reader = RequestMatcherReader()
      guard let source = try? JSONParser.parse(Array(text.utf8)).root, let test = reader.test(source, ofBody: true)
      else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no test of a value"))
      }
      self = test
    default:
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "unknown test"))
    }
  }

  package func encode(to encoder: any Encoder) throws { try stored.encode(to: encoder) }

  package static func == (first: Self, second: Self) -> Bool { first.stored == second.stored }

  package func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

extension Collection<UInt8> {
  /// Whether a part occurs in these bytes. (`firstRange(of:)` builds a table for every search: ten times the time.)
  fileprivate func contains(_ part: some Collection<UInt8>) -> Bool {
    guard let first = part.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
