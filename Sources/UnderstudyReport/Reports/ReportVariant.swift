extension Report {
  /// What separates findings of one rule and place that have different causes.
  package struct Variant: Sendable, Hashable, Comparable {
    /// Whether the requests break the contract, or are unusual.
    package var isOfInvalid: Bool
    /// The response's own words, without their variable parts; empty where they say nothing.
    package var words: String
    /// The kind of request, where the words say nothing: it separates operations, not the findings of one.
    package var kind: String

    package init(isOfInvalid: Bool, words: String = "", kind: String = "") {
      self.isOfInvalid = isOfInvalid
      self.words = words
      self.kind = kind
    }

    package static let none = Variant(isOfInvalid: false)

    /// What separates findings within one operation; empty for none.
    var fingerprint: [String] {
      (isOfInvalid ? ["invalid"] : []) + (words.isEmpty ? [] : [words])
    }

    /// Valid requests first.
    package static func < (a: Self, b: Self) -> Bool {
      (a.isOfInvalid ? 1 : 0, a.words, a.kind) < (b.isOfInvalid ? 1 : 0, b.words, b.kind)
    }
  }
}

/// A text that separates causes.
extension Report.Variant: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(isOfInvalid: false, words: text) }
}
