/// Which rules of redaction apply, and which places are secret or are not.
package struct RedactionSettings: Sendable, Equatable {
  /// The ids of rules that are off.
  package var off: Set<String>
  /// Places that are secret (`true`) or are kept (`false`) before any rule; the last that fits counts.
  package var places: [(pattern: PlacePattern, isSecret: Bool)]

  package init(off: Set<String> = [], places: [(pattern: PlacePattern, isSecret: Bool)] = []) {
    (self.off, self.places) = (off, places)
  }

  /// Hides nothing: for a test in the process of its mock, which asks for what its client sent.
  package static let showingAll = RedactionSettings(off: Set(Rule.redaction.map(\.id)))

  package static func == (a: Self, b: Self) -> Bool {
    a.off == b.off && a.places.elementsEqual(b.places) { $0 == $1 }
  }

  func applies(_ rule: Rule) -> Bool { off.isEmpty || !off.contains(rule.id) }

  /// The setting of a place; `nil` where none fits.
  func isSecret(_ tokens: [String]) -> Bool? {
    places.isEmpty ? nil : places.last { $0.pattern.matches(tokens) }?.isSecret
  }
}

/// A place of a message: `/header/X-Tenant`, `/query/q`, `/cookie/theme`, `/body/customer/email`, `/body/items/*/code`.
package struct PlacePattern: Sendable, Equatable {
  private let tokens: [String]

  /// `nil` unless it is a JSON pointer that starts with a part of a message.
  package init?(_ text: String) {
    guard let tokens = JSONPointer(text)?.tokens, let part = tokens.first, Self.parts.contains(part),
      part == "body" || tokens.count == 2
    else { return nil }
    self.tokens = tokens
  }

  package static let parts = ["header", "query", "cookie", "body"]

  /// `*` stands for one token; the names of headers are compared without case.
  func matches(_ place: [String]) -> Bool {
    guard place.count == tokens.count else { return false }
    let isHeader = tokens[0] == "header"
    return zip(tokens, place).allSatisfy { pattern, token in
      pattern == "*" || pattern.utf8Equals(token)
        || isHeader && FieldSyntax.equalIgnoringCase(pattern.utf8, token.utf8)
    }
  }
}
