/// JSON in a query with special characters: a server that decodes it twice reads something different.
struct EncodedParameters {
  let subject: LiveOperation

  /// A request, and the same without the characters, which shows whether the server takes such a value at all.
  typealias Pair = (special: LiveCall, plain: LiveCall)

  private static let what = "with `+`, `&` and `%` in its JSON"
  private static let special = "a+b&c%d"
  private static let plain = "abcd"
  /// The most values of one parameter.
  private static let valueLimit = 3

  /// The pairs of each parameter.
  func pairs(around base: RequestDraft) -> [[Pair]] {
    let parameters = subject.parameters.filter { parameter in
      parameter.location == .query
        && parameter.content.map { MediaRange($0.range)?.syntax == .json } == true
    }
    return parameters.map { pairs(of: $0, around: base) }
  }

  private func pairs(of parameter: Parameter, around base: RequestDraft) -> [Pair] {
    guard let schema = parameter.content?.schema,
      let value = subject.samples.generator(0).sample(of: schema, direction: .request)
    else { return [] }
    var found: [Pair] = []
    for path in places(in: value) where found.count < Self.valueLimit {
      func call(_ text: String) -> LiveCall? {
        // A name where it ends with one, else a value.
        let changed =
          path.isName
          ? value.setting((path.tokens + [text])[...], to: .string(text))
          : value.setting(path.tokens[...], to: .string(text))
        return changed.flatMap {
          subject.validCall(base.setting(parameter, to: $0), .valid, "query `\(parameter.name)` \(Self.what)")
        }
      }
      guard var special = call(Self.special), let plain = call(Self.plain) else { continue }
      special.unusual = Self.what
      found.append((special, plain))
    }
    return found
  }

  /// The texts, then the objects, which may have another member.
  private func places(in value: JSON) -> [(tokens: [String], isName: Bool)] {
    var texts: [[String]] = []
    var objects: [[String]] = []
    var pending: [(value: JSON, tokens: [String])] = [(value, [])]
    while let (value, tokens) = pending.popLast(), texts.count + objects.count < KnownValues.memberLimit {
      if value.isString { texts.append(tokens) }
      if value.isObject { objects.append(tokens) }
      guard tokens.count < KnownValues.depthLimit else { continue }
      pending += value.members.map { ($0.value, tokens + [$0.name]) }
      pending += value.elements.prefix(1).map { ($0, tokens + ["0"]) }
    }
    return texts.prefix(Self.valueLimit - 1).map { ($0, false) } + objects.map { ($0, true) }
  }
}
