/// The headers of answers that clients act on, as they are learnt from exchanges.
struct HeaderDraft: Sendable {
  private struct Values: Sendable {
    var count = 0
    var integers = 0
  }

  /// By the name as it was first spelled.
  private var values: [String: Values] = [:]

  /// Fewer values do not show that all are numbers.
  private static let evidence = 5
  /// Further names are ignored.
  private static let limit = 50
  private static let standard: Set<String> = ["location", "retry-after", "link", "www-authenticate"]

  /// Standard ones with a meaning of their own for the operation, and those that only this server has: `X-Total-Count`.
  private static func isKept(_ name: String) -> Bool {
    standard.contains(name)
      || (name.hasPrefix("x-") || name.hasPrefix("ratelimit")) && !RecordedHeaders.isVolatile(name)
        && !name.hasPrefix("x-content-type") && !name.hasPrefix("x-frame") && !name.hasPrefix("x-xss")
  }

  mutating func add(_ fields: HTTPFields) {
    for field in fields where Self.isKept(FieldSyntax.lowercased(field.name.rawName.utf8)) {
      add(field.name.rawName, Values(count: 1, integers: Int(field.value) == nil ? 0 : 1))
    }
  }

  mutating func merge(_ other: HeaderDraft) { for (name, theirs) in other.values { add(name, theirs) } }

  private mutating func add(_ name: String, _ more: Values) {
    let known = values.keys.first { FieldSyntax.equalIgnoringCase($0.utf8, name.utf8) }
    guard known != nil || values.count < Self.limit else { return }
    values[known ?? name, default: Values()].count += more.count
    values[known ?? name, default: Values()].integers += more.integers
  }

  /// The map of headers; `nil` without any.
  func json(isSwagger: Bool) -> JSON? {
    guard !values.isEmpty else { return nil }
    return .object(
      values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, values in
        let isInteger = values.integers == values.count && values.count >= Self.evidence
        let type: JSON = ["type": .string(isInteger ? "integer" : "string")]
        return (name, isSwagger ? type : ["schema": type])
      })
  }
}
