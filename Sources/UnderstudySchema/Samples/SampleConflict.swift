/// The reason why no value was made for a schema.
package struct SampleConflict: Sendable, CustomStringConvertible {
  /// One sentence that names the keywords in backticks, without a final stop.
  package let reason: String
  /// The schema object with the conflict.
  package internal(set) var schema: JSON?
  /// The keys of the conflicting keywords.
  package internal(set) var keywords: [JSON] = []
  /// Whether the conflict excludes every value; otherwise the search was stopped.
  package internal(set) var isProof = false

  /// Whether a problem of the schema is about one of the conflicting keywords, as for `enum: []`.
  func names(_ problem: Diagnostic) -> Bool {
    keywords.contains { Location($0).pointer == problem.location?.pointer }
  }

  package var description: String {
    (isProof ? "" : Self.givenUp + ": ") + reason + (schema.map { " (at #\($0.pointer))" } ?? "")
  }

  /// The message where the search ended without a proof.
  package static let givenUp = "no value was found within the limit of steps"
}

extension SampleConflict {
  /// A conflict between keywords of the schemas that apply to one value.
  init(_ reason: String, in schema: SchemaIntersection, naming keywords: [String] = [], isProof: Bool = false) {
    self.init(
      reason: reason, schema: schema.origins.first,
      keywords: keywords.flatMap { Self.keys(of: $0, in: schema.parts) }, isProof: isProof && !schema.isLoose)
  }

  /// The keys of a keyword: the strictest one of a bound, the first few of any other keyword.
  private static func keys(of keyword: String, in parts: [JSON]) -> [JSON] {
    let stating = parts.filter { $0[keyword] != nil }
    guard stating.count > 1, keyword.hasPrefix("min") || keyword.hasPrefix("max") else {
      return stating.prefix(4).compactMap { $0.key(keyword) }
    }
    let isLower = keyword.hasPrefix("min")
    let tightest = stating.max { a, b in
      guard let x = a[keyword]?.number, let y = b[keyword]?.number else { return false }
      return isLower ? x < y : y < x
    }
    return tightest?.key(keyword).map { [$0] } ?? []
  }
}
