package import JSONSchema

/// The `when` of a fixture: all of its conditions must hold.
package struct RequestMatcher: Sendable {
  package var conditions: [Condition]

  package struct Condition: Sendable {
    package var part: RequestPart
    /// The parameter, header or field; a body field may be a JSON pointer (`/user/nick`).
    package var name: String
    package var test: Test
  }

  package enum Test: Sendable {
    case equals(String)
    case contains(String)
    case matches(Pattern)
    case oneOf([String])
    case present(Bool)

    /// The keys of a test written as an object.
    package static let keys = ["equals", "contains", "matches", "oneOf", "present"]
  }

  /// Whether every condition holds.
  package func matches(_ request: any RequestValues) -> Bool {
    conditions.allSatisfy { $0.holds(for: request.values($0.part, $0.name)) }
  }
}

extension RequestMatcher.Condition {
  /// Of several values (a repeated key), one that passes is enough.
  fileprivate func holds(for values: [String]) -> Bool {
    switch test {
    case .equals(let text): values.contains { $0.utf8Equals(text) }
    case .contains(let text): values.contains { $0.utf8.contains(text.utf8) }
    case .matches(let pattern): values.contains { pattern.matches($0) == .yes }
    case .oneOf(let texts): values.contains { value in texts.contains { $0.utf8Equals(value) } }
    case .present(let wanted): values.isEmpty != wanted
    }
  }
}

extension Collection<UInt8> {
  /// Whether the bytes of `part` stand somewhere in these.
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
