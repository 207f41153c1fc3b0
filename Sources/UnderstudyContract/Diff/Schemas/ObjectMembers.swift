/// Members without a declaration, their names and their number.
extension ObjectComparison {
  func others() -> [SchemaDifference] {
    let (a, b) = (x.otherSchemas, y.otherSchemas)
    let isClosed = a.contains { $0.bool == false }
    var result: [SchemaDifference] = []
    for member in y.patternMembers where !isKnown(member.name, in: x) && !isClosed {
      result += matching(member.name, a, [member.value])
    }
    for member in x.patternMembers {
      let accepted = y.patternMembers.filter { $0.name.utf8Equals(member.name) }.map(\.value)
      result += matching(member.name, [member.value], accepted.isEmpty ? b : accepted)
    }
    guard !isClosed, !b.isEmpty else { return result }
    if b.contains(where: { $0.bool == false }) {
      // The member needs a name that no property has.
      let values = pair.sub.samples(of: a) + (a.isEmpty ? [1, "a"] : [])
      result.append(
        SchemaDifference(
          .additional, "additionalProperties", sub: x.keyword(.additionalProperties) ?? x.node,
          sup: b.first { $0.bool == false }, candidates: freshNames.flatMap { embed(values, as: $0) }))
      return result
    }
    let found = pair.comparison.differences(a, b)
    guard a.isEmpty, !x.isExplicitlyOpen, found.contains(where: \.isFailure) else {
      return result
        + found.map { difference in
          difference.lifted(to: "*") { value in freshNames.flatMap { embed([value], as: $0) } }
        }
    }
    result.append(
      SchemaDifference(
        .additional, "additionalProperties", sub: x.node, sup: y.keyword(.additionalProperties) ?? y.node,
        candidates: found.compactMap(\.witness).flatMap { value in
          freshNames.flatMap { embed([value], as: $0) }
        }))
    return result
  }

  private func isKnown(_ pattern: String, in variant: SchemaVariant) -> Bool {
    variant.patternMembers.contains { $0.name.utf8Equals(pattern) }
  }

  /// The differences of members whose names match a pattern.
  private func matching(_ pattern: String, _ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    let schemas = b.filter { !pair.sup.isAny($0) }
    guard !schemas.isEmpty, !a.contains(where: { $0.bool == false }) else { return [] }
    let name = pair.sub.string(matching: pattern)
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
