/// Values of `enum` and `const`.
struct ListedSamples {
  let attempt: SampleAttempt
  let schema: SchemaIntersection

  /// The values in all lists, `null` last; `nil` without a list.
  var values: [JSON]? {
    let constants = schema.all("const")
    let lists = schema.all("enum").filter(\.isArray)
    guard !constants.isEmpty || !lists.isEmpty else { return nil }
    return attempt.cache.list(constants + lists) {
      attempt.budget.spend(lists.reduce(0) { $0 + $1.count })
      var common: Set<DistinctValue>?
      for list in constants.map({ [$0] }) + lists.dropFirst(constants.isEmpty ? 1 : 0).map({ Array($0.elements) }) {
        let values = Set(list.map(DistinctValue.init))
        common = common?.intersection(values) ?? values
      }
      var values = constants.first.map { [$0] } ?? lists.first.map { Array($0.elements) } ?? []
      if let common { values.removeAll { !common.contains(DistinctValue(value: $0)) } }
      return values.filter { !$0.isNull } + values.filter(\.isNull)
    }
  }

  /// The first valid one of the values.
  func sample(_ values: [JSON], _ place: SamplePlace) -> JSON? {
    var random = attempt.random(at: place)
    let first = random.number(below: values.last?.isNull == true ? values.count - 1 : values.count) + place.serial
    let types = SampleTypes.of(schema)
    for position in values.indices {
      let value = values[(first + position) % values.count]
      attempt.budget.spend(1)
      guard !attempt.budget.isSpent else { break }
      // Values of another type need no validation.
      guard types.contains(where: { $0.isSuperset(of: JSONTypeSet(of: value)) }) else { continue }
      if attempt.validator.accepts(value, schema.origins) { return value }
    }
    return fail(values, types, isProof: !attempt.budget.isSpent && attempt.validator.tooCostly == nil)
  }

  private func fail(_ values: [JSON], _ types: [JSONTypeSet], isProof: Bool) -> JSON? {
    if schema.all("enum").contains(where: { $0.isArray && $0.count == 0 }) {
      return attempt.fail("`enum` is empty", schema, naming: ["enum"], isProof: true)
    }
    guard let first = values.first else {
      return attempt.fail(
        "the values of `enum` and `const` exclude each other", schema, naming: ["enum", "const"], isProof: true)
    }
    let keyword = schema.has("const") ? "const" : "enum"
    if schema.has("type"), !types.contains(where: { $0.isSuperset(of: JSONTypeSet(of: first)) }) {
      return attempt.fail(
        "`type` is \(types.flatMap(\.names).joined(separator: " or ")), but `\(keyword)` lists a \(first.kindName)",
        schema, naming: ["type", keyword], isProof: isProof)
    }
    // Validated again to find the keywords that refuse it.
    attempt.budget.spend(2_000)
    let failures = schema.origins.flatMap { attempt.validator.failures(of: first, by: $0, limit: 5) }
      .filter { !$0.isNotValidated && $0.keyword != keyword }
    var refusing: [String] = []
    for failure in failures where !refusing.contains(failure.keyword) { refusing.append(failure.keyword) }
    let words = refusing.isEmpty ? "the other keywords" : Wording.list(refusing.map { "`\($0)`" })
    var conflict = SampleConflict(
      "no value of `\(keyword)` fits \(words)", in: schema, naming: [keyword], isProof: isProof)
    conflict.keywords += failures.compactMap(\.schema.ownKey)
    return attempt.fail(conflict)
  }
}
