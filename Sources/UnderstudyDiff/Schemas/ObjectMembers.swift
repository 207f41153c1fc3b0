/// Members without a declaration, their names and their number.
extension ObjectComparison {
  func others() -> [SchemaDifference] {
    let (a, b) = (x.otherSchemas, y.otherSchemas)
    let isClosed = a.contains { $0.bool == false }
    let result = patterned(isClosed ? nil : a)
    guard !isClosed, !b.isEmpty else { return result }
    if b.contains(where: { $0.bool == false }) {
      // The member needs a name that no property has.
      let values = pair.sub.samples(of: a) + (a.isEmpty ? [1, "a"] : [])
      return result + [
        SchemaDifference(
          .additional, "additionalProperties", sub: x.keyword(.additionalProperties) ?? x.node,
          sup: b.first { $0.bool == false }, candidates: freshNames.flatMap { embed(values, as: $0) })
      ]
    }
    let found = pair.comparison.differences(a, b)
    guard a.isEmpty, !x.isExplicitlyOpen, found.contains(where: \.isFailure) else {
      return result
        + found.map { difference in
          difference.lifted(to: "*") { value in freshNames.flatMap { embed([value], as: $0) } }
        }
    }
    return result + [
      SchemaDifference(
        .additional, "additionalProperties", sub: x.node, sup: y.keyword(.additionalProperties) ?? y.node,
        candidates: found.compactMap(\.witness).flatMap { value in
          freshNames.flatMap { embed([value], as: $0) }
        })
    ]
  }

  // MARK: - Names that match patterns

  /// The differences of members that a pattern of either side names.
  ///
  /// - Parameter open: The schemas of members that no keyword of the tested side names; `nil` if there are no such members.
  private func patterned(_ open: [JSON]?) -> [SchemaDifference] {
    let (given, accepted) = (x.patternMembers, y.patternMembers)
    guard !given.isEmpty || !accepted.isEmpty else { return [] }
    var names = PatternedNames(pair.sub)
    var result: [SchemaDifference] = []
    for member in accepted where !pair.sup.isAny(member.value) {
      let equal = given.filter { $0.name.utf8Equals(member.name) }
      if let own = equal.first {
        result += members(names.example(of: [own.name]), equal.map(\.value), [member.value])
        continue
      }
      if let open, !given.contains(where: { names.are(member.name, within: [$0.name]) }) {
        result += members(names.example(of: [member.name], outside: given.map(\.name)), open, [member.value])
      }
      for own in given where !names.areApart(own.name, member.name) {
        result += members(names.example(of: [own.name, member.name]), [own.value], [member.value])
      }
    }
    for own in given {
      let schemas = y.parts.compactMap { part -> JSON? in
        let patterns = part[.patternProperties]?.distinctMembers.map(\.name) ?? []
        return names.are(own.name, within: patterns) ? nil : part[.additionalProperties]
      }
      result += members(names.example(of: [own.name]), [own.value], schemas + (y.unevaluated.map { [$0] } ?? []))
    }
    return result
  }

  /// The differences of members under names like the example.
  private func members(_ name: String?, _ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    let schemas = b.filter { !pair.sup.isAny($0) }
    guard !schemas.isEmpty, !a.contains(where: { $0.bool == false }) else { return [] }
    if schemas.contains(where: { $0.bool == false }) {
      return [
        SchemaDifference(
          .additional, "patternProperties", sub: x.node, sup: schemas.first { $0.bool == false },
          candidates: name.map { embed(pair.sub.samples(of: a) + [1], as: $0) } ?? [])
      ]
    }
    return pair.comparison.differences(a, schemas).map { difference in
      difference.lifted(to: "*") { value in name.map { embed([value], as: $0) } ?? [] }
    }
  }

  // MARK: - Names

  func names() -> [SchemaDifference] {
    let text: JSON = ["type": "string"]
    let own = x.all(.propertyNames)
    return y.all(.propertyNames).compactMap { node -> SchemaDifference? in
      let isOpen = !x.otherSchemas.contains { $0.bool == false } || !x.patternMembers.isEmpty
      let refused = x.declaredNames.first { name in
        !x.schemas(of: name).contains { $0.bool == false } && !pair.sup.accepts([node], .string(name))
          && pair.sub.accepts(own, .string(name))
      }
      let found = isOpen ? pair.comparison.differences(own + [text], [node]).filter(\.isFailure) : []
      guard refused != nil || !found.isEmpty else { return nil }
      let names = (refused.map { [$0] } ?? []) + found.compactMap { $0.witness?.string }
      return SchemaDifference(
        .names, "propertyNames", sub: pair.subNode(.propertyNames), sup: node,
        candidates: names.flatMap { name in
          embed(pair.sub.samples(of: x.schemas(of: name)) + [1, "a"], as: name)
        })
    }
  }

  // MARK: - Numbers of members

  func counts() -> [SchemaDifference] {
    var result: [SchemaDifference] = []
    let least = max(x.largest(.minProperties)?.size ?? 0, x.requirements.count)
    if let (limit, node) = y.largest(.minProperties), limit > least {
      result.append(
        SchemaDifference(
          .size, "minProperties", sub: pair.subNode(.minProperties), sup: node,
          words: (x.largest(.minProperties).map { String($0.size) }, String(limit)), candidates: bases + [[:]]))
    }
    var most = x.smallest(.maxProperties)?.size ?? .max
    if x.otherSchemas.contains(where: { $0.bool == false }), x.patternMembers.isEmpty {
      most = min(most, x.declaredNames.count)
    }
    if let (limit, node) = y.smallest(.maxProperties), limit < most {
      result.append(
        SchemaDifference(
          .size, "maxProperties", sub: pair.subNode(.maxProperties), sup: node,
          words: (x.smallest(.maxProperties).map { String($0.size) }, String(limit)),
          candidates: limit < Self.maximumMembers ? bases.map { filled($0, to: limit + 1) } : []))
    }
    return result
  }

  /// The maximum number of members of an object that proves a difference.
  private static let maximumMembers = 1_000

  private func filled(_ base: JSON, to count: Int) -> JSON {
    var object = base
    for name in x.declaredNames where object.count < count && object[name] == nil {
      if let value = pair.sub.samples(of: x.schemas(of: name)).first { object = object.setting(name, to: value) }
    }
    let values = pair.sub.samples(of: x.otherSchemas) + [1]
    for number in 0..<max(0, count - object.count) { object = object.setting("other\(number)", to: values[0]) }
    return object
  }

  // MARK: - Dependencies

  func dependents() -> [SchemaDifference] {
    let lists = y.all(.dependentRequired) + y.all(.dependencies)
    let own = x.all(.dependentRequired) + x.all(.dependencies)
    return lists.flatMap(\.distinctMembers).filter(\.value.isArray).flatMap { member -> [SchemaDifference] in
      guard !x.schemas(of: member.name).contains(where: { $0.bool == false }) else { return [] }
      return member.value.elements.compactMap { node -> SchemaDifference? in
        guard node.isString, !x.requires(node.text),
          !own.contains(where: { $0[member.name]?.elements.contains { $0 == node } == true })
        else { return nil }
        let values = pair.sub.samples(of: x.schemas(of: member.name)) + [1, "a"]
        return SchemaDifference(
          .dependent, node.text, sub: x.node, sup: node, words: (nil, member.name),
          candidates: embed(values, as: member.name).map { $0.removing(node.text) })
      }
    }
  }
}
