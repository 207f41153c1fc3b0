/// Objects that fit a schema.
struct ObjectSamples {
  let attempt: SampleAttempt
  let base: SchemaIntersection
  let place: SamplePlace

  func sample() -> JSON? {
    var selection = PropertySelection(attempt, base, place)
    let schema = selection.schema
    guard !schema.isImpossible else { return attempt.fail("`dependentSchemas` accepts nothing", base) }
    if let most = schema.smallest("maxProperties") {
      guard selection.required.count <= most else {
        return attempt.fail(
          "more properties are `required` than `maxProperties` \(most) allows", schema,
          naming: ["required", "maxProperties"], isProof: !attempt.strategy.keepsHidden)
      }
      selection.limit(to: most)
    }
    let least = schema.largest("minProperties") ?? 0
    if least > ArraySamples.maximumCount { return fail(minProperties: least, 0, schema) }
    let needed = Set(selection.required)
    let extras = ExtraProperties(attempt: attempt, schema: schema, place: place)
    var members: [(String, JSON)] = []
    for name in selection.names {
      let schemas = attempt.children.ofProperty(name, in: schema)
      if let value = property(name, schemas, schema) ?? (needed.contains(name) ? extras.evaluated(name) : nil) {
        members.append((name, value))
      } else if needed.contains(name) {
        return fail(required: name, schemas, schema)
      }
    }
    extras.add(to: &members, banned: selection.banned)
    return members.count < least ? fail(minProperties: least, members.count, schema) : .object(members)
  }

  private func property(_ name: String, _ schemas: [JSON], _ schema: SchemaIntersection) -> JSON? {
    if let label = discriminatorValue(name, schema), attempt.validator.accepts(label, schemas) { return label }
    return attempt.value(schemas, place.property(name))
  }

  /// The name of the schema, if a discriminator requires it in this property.
  private func discriminatorValue(_ name: String, _ schema: SchemaIntersection) -> JSON? {
    if let named = schema.named.first(where: { $0.property == name }) { return .string(named.value) }
    for part in schema.parts where part["oneOf"] == nil && part["anyOf"] == nil {
      guard let discriminator = part["discriminator"],
        name == discriminator.string ?? discriminator["propertyName"]?.string
      else { continue }
      // The inheriting schema is the outermost one: the origin, or the schema that it refers to.
      guard let origin = schema.origins.first else { continue }
      let last = (origin["$ref"]?.string).flatMap(BranchTags.name) ?? origin.pointer.tokens.last
      guard let last else { continue }
      return .string(BranchTags.tag(of: last, mapping: discriminator["mapping"]) ?? last)
    }
    return nil
  }

  // MARK: - Conflicts

  private func fail(required name: String, _ schemas: [JSON], _ schema: SchemaIntersection) -> JSON? {
    let isKnown = attempt.children.knowsProperty(name, of: schema)
    guard isKnown, let forbidding = schemas.first(where: { $0.bool == false }) else {
      if !isKnown || schema.isLoose { attempt.doubtConflict() }
      return nil
    }
    let map = ["properties", "patternProperties"].first { keyword in
      schema.all(keyword).contains { $0.members.contains { $0.value.id == forbidding.id } }
    }
    let keyword = map ?? forbidding.keyName ?? "false"
    var conflict = SampleConflict(
      "the property `\(name)` is `required`, and `\(keyword)` forbids it", in: schema, naming: ["required"],
      isProof: !attempt.strategy.keepsHidden)
    // Keep only the lists of required properties with the name.
    conflict.keywords.removeAll { key in
      !schema.parts.contains { part in
        part.key("required").map(\.id) == key.id
          && part.elements(of: "required").contains { $0.isString(name) }
      }
    }
    conflict.keywords += [forbidding.ownKey].compactMap { $0 }
    return attempt.fail(conflict)
  }

  private func fail(minProperties least: Int, _ count: Int, _ schema: SchemaIntersection) -> JSON? {
    let closed = schema.parts.first { $0["additionalProperties"]?.bool == false && $0["patternProperties"] == nil }
    if let closed, case let allowed = closed["properties"]?.count ?? 0, allowed < least {
      let properties = Wording.count(allowed, "property")
      return attempt.fail(
        "`minProperties` \(least) is more than the \(properties) that `additionalProperties` allows",
        schema, naming: ["minProperties", "additionalProperties"], isProof: true)
    }
    let reason =
      least > ArraySamples.maximumCount
      ? "`minProperties` \(least) is more than the limit of \(ArraySamples.maximumCount) properties"
      : "only \(count) of the \(least) properties that `minProperties` requires were found"
    return attempt.fail(reason, schema, naming: ["minProperties"])
  }
}
