/// Arrays similar to a valid one, each meant to break one keyword.
struct InvalidArrays {
  let attempt: SampleAttempt
  let schema: SchemaIntersection

  /// The most elements of an array that is longer than `maxItems` or `maxContains` allow.
  private static let maximumCount = 200

  func beside(_ elements: [JSON]) -> [JSON] {
    var arrays: [JSON] = []
    if let least = schema.largest("minItems"), least > 0 { arrays.append(.array(elements.prefix(least - 1))) }
    if let most = schema.smallest("maxItems"), 0..<Self.maximumCount ~= most {
      arrays.append(ArraySamples(attempt, schema, .root).extended(elements, to: most + 1))
    }
    if schema.flag("uniqueItems"), let first = elements.first {
      arrays.append(.array(elements + [first]))
      arrays.append(.array(elements.dropLast() + [first]))
    }
    for part in schema.parts {
      guard let contained = part["contains"] else { continue }
      arrays += tooFew(elements, contained) + tooMany(elements, contained, part)
    }
    return arrays
  }

  private func counts(_ element: JSON, _ contained: JSON) -> Bool { attempt.validator.accepts(element, [contained]) }

  /// Too few of the elements that `contains` counts.
  private func tooFew(_ elements: [JSON], _ contained: JSON) -> [JSON] {
    let arrays: [JSON] = [[], .array(elements.filter { !counts($0, contained) })]
    var series = ElementSeries(attempt, .root, isUnique: schema.flag("uniqueItems"))
    var others: [JSON] = []
    for (position, element) in elements.enumerated() {
      series.move(to: position, ordinal: position)
      guard
        let other = counts(element, contained)
          ? series.next(attempt.children.ofElement(position, in: schema), unlike: [contained]) : element
      else { return arrays }
      others.append(other)
    }
    return arrays + [.array(others)]
  }

  /// Too many of the elements that `contains` counts.
  private func tooMany(_ elements: [JSON], _ contained: JSON, _ part: JSON) -> [JSON] {
    guard let most = part["maxContains"]?.size, most < Self.maximumCount else { return [] }
    var more = elements
    var series = ElementSeries(attempt, .root, isUnique: schema.flag("uniqueItems"))
    for element in elements { series.insert(element) }
    var count = elements.count { counts($0, contained) }
    while count <= most {
      series.move(to: more.count, ordinal: more.count)
      guard let next = series.next(attempt.children.ofElement(more.count, in: schema) + [contained]) else { break }
      more.append(next)
      count += 1
    }
    return [.array(more)]
  }
}
