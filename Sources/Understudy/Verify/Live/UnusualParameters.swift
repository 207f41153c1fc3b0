/// Values of parameters that break servers, and any value of a parameter that the contract does not describe.
struct UnusualParameters {
  let subject: LiveOperation

  private typealias Value = (value: JSON, what: String)

  private static let longQuery = JSON.string(String(repeating: "a", count: 6_000))
  private static let texts: [Value] = [
    ("a\u{0}b", "with a NUL"), ("a\r\nb", "with a line break"), ("😀", "with a character outside the basic plane"),
  ]
  static let beyond64Bits = JSON.make { $0.append(number: "9223372036854775808".utf8) }
  private static let large: Value = (beyond64Bits, "with more than 64 bits")
  private static let plain: [Value] = [("understudy", "with a text"), (0, "with zero")]

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
          CombinedEdges.Edge(place: "\(parameter.location.rawValue) `\(parameter.name)`") {
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
    if types.contains(.string) {
      return Self.texts + (parameter.location == .query ? [(Self.longQuery, "with a very long text")] : [])
    }
    return types.isDisjoint(with: .number) ? [] : [Self.large]
  }
}
