/// The `when` of a fixture: all of its conditions must hold.
package struct RequestMatcher: Codable, Sendable, Hashable {
  package var conditions: [Condition]

  package struct Condition: Codable, Sendable, Hashable {
    package var part: RequestPart
    /// The parameter, header or field; a body field may be a JSON pointer (`/user/nick`).
    package var name: String
    package var test: Test

    package init(part: RequestPart, name: String, test: Test) {
      (self.part, self.name, self.test) = (part, name, test)
    }
  }

  package init(conditions: [Condition]) { self.conditions = conditions }

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

    /// The keys of a test written as an object.
    package static let keys = ["equals", "contains", "matches", "oneOf", "present"]

    /// Whether a value passes; a test for presence accepts any.
    package func accepts(_ value: String, within budget: WorkBudget? = nil) -> Bool {
      switch self {
      case .equals(let text): value.utf8Equals(text)
      case .contains(let part): value.utf8.contains(part.utf8)
      case .matches(let pattern): pattern.matches(value, within: budget) == .yes
      case .oneOf(let texts): texts.contains { $0.utf8Equals(value) }
      case .present(let wanted): wanted
      case .list(let texts): Self.isSame(texts, [value])
      }
    }

    /// The texts that the test compares with a whole value.
    package var texts: [String] {
      switch self {
      case .equals(let text): [text]
      case .oneOf(let texts), .list(let texts): texts
      case .contains, .matches, .present: []
      }
    }

    fileprivate static func isSame(_ texts: [String], _ values: [String]) -> Bool {
      texts.count == values.count && zip(texts, values).allSatisfy { $0.utf8Equals($1) }
    }
  }

  /// Returns whether every condition holds. If a name is repeated, one matching value is enough, except for a list.
  package func matches(_ request: any RequestValues, within budget: WorkBudget? = nil) -> Bool {
    conditions.allSatisfy { condition in
      let values = request.values(condition.part, condition.name)
      switch condition.test {
      case .present(let wanted): return values.isEmpty != wanted
      case .list(let texts): return Test.isSame(texts, values)
      default: return values.contains { condition.test.accepts($0, within: budget) }
      }
    }
  }

  /// The conditions that a request does not meet, each with what it has: ``query `page` is `2`, expected `1` ``.
  package func failures(_ request: any RequestValues) -> [String] {
    conditions.compactMap { condition in
      guard !RequestMatcher(conditions: [condition]).matches(request) else { return nil }
      let values = request.values(condition.part, condition.name)
      let place = "\(condition.part.rawValue) `\(condition.name)`"
      guard let first = values.first else { return "\(place) is absent, expected \(condition.test.text)" }
      return "\(place) is `\(VisibleText.shortened(first, to: 60))`, expected \(condition.test.text)"
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
