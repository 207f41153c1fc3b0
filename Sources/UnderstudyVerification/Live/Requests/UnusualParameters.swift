/// Values of parameters that break servers, and any value of a parameter that the contract does not describe.
struct UnusualParameters {
  let subject: LiveOperation

  private typealias Value = (value: JSON, what: String)

  private static let texts: [Value] = [
    ("a\u{0}b", "with a NUL"), ("a\r\nb", "with a line break"), ("a\u{1B}b", "with an escape character"),
    ("😀", "with a character outside the basic plane"),
  ]
  private static let empty: Value = ("", "with an empty text")
  private static let negative: Value = (-1, "with a negative number")
  /// The kind of value that a server refuses before it looks for data.
  static let emptyText = empty.what
  /// What the contract allows without doubt where it allows any text, or any number.
  private static let allowed: Set<String> = [texts[2].what, texts[3].what, empty.what, negative.what]
  private static let refusedInPaths: Set<String> = [texts[2].what]
  static let beyond64Bits = JSON.make { $0.append(number: "9223372036854775808".utf8) }
  private static let long: Value = (.string(String(repeating: "a", count: 6_000)), "with a very long text")
  private static let large: Value = (beyond64Bits, "with more than 64 bits")
  private static let threeDigits: Value = (299, "with a number of three digits")
  private static let plain: [Value] = [("understudy", "with a text"), (0, "with zero"), threeDigits]

  /// The values by what is unusual; those in the path, without which an operation is not reached, apart.
  func edges() -> [CombinedEdges] {
    let own = subject.parameters.filter { !FramingFields.contains($0) && $0.content == nil }
    let all = own.flatMap { parameter in
      let values = values(of: parameter)
      return (subject.turn(of: parameter)?.share(of: values) ?? values).map { (parameter: parameter, value: $0) }
    }
    return all.grouped { "\($0.parameter.location == .path) \($0.value.what)" }.map { _, group in
      CombinedEdges(
        edges: group.map { parameter, value in
          CombinedEdges.Edge(
            place: "\(parameter.location.rawValue) `\(parameter.name)`",
            isAllowed: isAllowed(value, parameter)
          ) {
            $0.setting(parameter, to: value.value)
          }
        }, what: group.first?.value.what ?? "", isValid: false)
    }
  }

  private func values(of parameter: Parameter) -> [Value] {
    guard parameter.location == .query || parameter.location == .path else {
      return parameter.isDescribed ? [] : Self.plain
    }
    guard parameter.isDescribed else { return Self.plain + Self.texts + [Self.large] }
    let types = parameter.schema.map { subject.samples.schemas.resolved($0).types } ?? []
    let texts = Self.texts + (parameter.location == .query ? [Self.long] : [])
    if types == .any { return texts + [Self.threeDigits, Self.large] }
    if types.contains(.string) {
      return texts + (parameter.location == .query && takesAny(parameter, Self.empty) ? [Self.empty] : [])
    }
    guard !types.isDisjoint(with: .number) else { return [] }
    // Some servers count from the end.
    let isDeleted = parameter.location == .path && subject.operation.method == "DELETE"
    return [Self.large] + (!isDeleted && takesAny(parameter, Self.negative) ? [Self.negative] : [])
  }

  private func isAllowed(_ value: Value, _ parameter: Parameter) -> Bool {
    Self.allowed.contains(value.what) && takesAny(parameter, value)
      && !(parameter.location == .path && Self.refusedInPaths.contains(value.what))
  }

  /// Whether the contract restricts neither the form of a text nor the values, and allows this one.
  private func takesAny(_ parameter: Parameter, _ value: Value) -> Bool {
    guard parameter.isDescribed, let schema = parameter.schema else { return false }
    let resolved = subject.samples.schemas.resolved(schema)
    guard resolved.alternatives.isEmpty, !resolved.has(.enum, .const, .not) else { return false }
    let isAny =
      value.value.isString
      ? resolved.types == .string && !resolved.has(.pattern, .format, .contentEncoding, .contentMediaType)
      : resolved.types.isDisjoint(with: [.boolean, .string])
    return isAny && subject.samples.schemas.schema(at: schema, direction: .request).accepts(value.value)
  }
}
