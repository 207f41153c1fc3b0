/// Finds the condition that holds for the requests of one answer and for no others of the operation.
struct MatcherInference {
  /// The requests that got the answer, and those that got another.
  let own: [RequestSummary]
  let others: [RequestSummary]

  /// More values than this are a list of data, not a condition.
  static let valueLimit = 5

  /// One condition, else two that hold together; `nil` where nothing in the requests explains the answer.
  var matcher: RequestMatcher? {
    guard let first = own.first, !others.isEmpty else { return nil }
    let places = Set((own + others).flatMap(\.values.keys)).sorted()
    let single = places.lazy.compactMap { place in
      equality(place, first) ?? presence(place) ?? choice(place)
    }.first
    if let single { return RequestMatcher(conditions: [single]) }
    let shared = places.filter { place in own.allSatisfy { $0.values[place] == first.values[place] } }
      .filter { first.values[$0]?.count == 1 }
    for (index, place) in shared.enumerated() {
      for second in shared[(index + 1)...] {
        let isTaken = others.contains {
          $0.values[place] == first.values[place] && $0.values[second] == first.values[second]
        }
        guard !isTaken, let a = first.values[place]?.first, let b = first.values[second]?.first else { continue }
        return RequestMatcher(conditions: [
          .init(part: place.part, name: place.name, test: .equals(a)),
          .init(part: second.part, name: second.name, test: .equals(b)),
        ])
      }
    }
    return nil
  }

  /// The condition that one of these has, with the value of these requests: what distinguishes requests was learnt before.
  func matcher(like earlier: [RequestMatcher]) -> RequestMatcher? {
    guard let first = own.first else { return nil }
    return earlier.lazy.compactMap { matcher -> RequestMatcher? in
      guard matcher.conditions.count == 1, let condition = matcher.conditions.first, case .equals = condition.test
      else {
        return nil
      }
      let place = RequestSummary.ValuePlace(part: condition.part, name: condition.name)
      return equality(place, first).map { RequestMatcher(conditions: [$0]) }
    }.first
  }

  private func equality(_ place: RequestSummary.ValuePlace, _ first: RequestSummary) -> RequestMatcher.Condition? {
    guard let value = first.values[place], value.count == 1, own.allSatisfy({ $0.values[place] == value }),
      !others.contains(where: { $0.values[place]?.contains(value[0]) == true })
    else { return nil }
    return .init(part: place.part, name: place.name, test: .equals(value[0]))
  }

  private func presence(_ place: RequestSummary.ValuePlace) -> RequestMatcher.Condition? {
    guard place.part != .path else { return nil }
    let isPresent = own.allSatisfy { $0.values[place] != nil } && others.allSatisfy { $0.values[place] == nil }
    let isAbsent = own.allSatisfy { $0.values[place] == nil } && others.allSatisfy { $0.values[place] != nil }
    guard isPresent || isAbsent else { return nil }
    return .init(part: place.part, name: place.name, test: .present(isPresent))
  }

  private func choice(_ place: RequestSummary.ValuePlace) -> RequestMatcher.Condition? {
    var texts: [String] = []
    for summary in own {
      guard let value = summary.values[place], value.count == 1 else { return nil }
      if !texts.contains(value[0]) { texts.append(value[0]) }
    }
    guard texts.count <= Self.valueLimit,
      !others.contains(where: { $0.values[place]?.contains(where: texts.contains) == true })
    else { return nil }
    return .init(part: place.part, name: place.name, test: .oneOf(texts.sorted()))
  }
}
