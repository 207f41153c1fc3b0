/// Finds the condition that holds for the requests of one answer and for no others of the operation.
struct MatcherInference {
  /// The requests that got the answer, and those that got another.
  let own: [RequestSummary]
  let others: [RequestSummary]
  /// The places with values that no request of a replay has.
  private let replaced: Set<RequestSummary.ValuePlace>

  /// More values than this are a list of data, not a condition.
  static let valueLimit = 5
  /// The maximum number of conditions that hold together where two of them explain nothing.
  static let conditionLimit = 4

  init(own: [RequestSummary], others: [RequestSummary]) {
    self.own = own
    self.others = others
    replaced = (own + others).reduce(into: []) { $0.formUnion($1.replaced) }
  }

  /// The simplest conditions that explain the response, or `nil`: one, two together, or whole lists with others.
  var matcher: RequestMatcher? {
    guard let first = own.first, !others.isEmpty else { return nil }
    let single = places.lazy.compactMap { place in
      equality(place, first) ?? presence(place) ?? choice(place)
    }.first
    if let single { return RequestMatcher(conditions: [single]) }
    let shared = places.filter { place in
      !replaced.contains(place) && own.allSatisfy { $0.values[place] == first.values[place] }
    }
    return pair(shared, first) ?? joint(shared, first)
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

  private var places: [RequestSummary.ValuePlace] { Set((own + others).flatMap(\.values.keys)).sorted() }

  /// Whether conditions hold for every request of the response and for no other, as the mock reads them.
  private func isSure(_ conditions: [RequestMatcher.Condition]) -> Bool {
    let matcher = RequestMatcher(conditions: conditions)
    return !others.contains { matcher.matches($0) } && own.allSatisfy { matcher.matches($0) }
  }

  private func equality(_ place: RequestSummary.ValuePlace, _ first: RequestSummary) -> RequestMatcher.Condition? {
    guard !replaced.contains(place), let value = first.values[place], value.count == 1,
      own.allSatisfy({ $0.values[place] == value })
    else { return nil }
    return sure(.init(part: place.part, name: place.name, test: .equals(value[0])))
  }

  private func presence(_ place: RequestSummary.ValuePlace) -> RequestMatcher.Condition? {
    // A request may have a hidden value here, which no condition can show.
    guard place.part != .path, !(own + others).contains(where: { $0.hidden.contains(place) }) else { return nil }
    return [true, false].lazy.compactMap { isPresent in
      sure(.init(part: place.part, name: place.name, test: .present(isPresent)))
    }.first
  }

  private func choice(_ place: RequestSummary.ValuePlace) -> RequestMatcher.Condition? {
    guard !replaced.contains(place) else { return nil }
    var texts: [String] = []
    for summary in own {
      guard let value = summary.values[place], value.count == 1 else { return nil }
      if !texts.contains(value[0]) { texts.append(value[0]) }
    }
    guard texts.count <= Self.valueLimit else { return nil }
    return sure(.init(part: place.part, name: place.name, test: .oneOf(texts.sorted())))
  }

  private func sure(_ condition: RequestMatcher.Condition) -> RequestMatcher.Condition? {
    isSure([condition]) ? condition : nil
  }

  /// Two equal values.
  private func pair(_ shared: [RequestSummary.ValuePlace], _ first: RequestSummary) -> RequestMatcher? {
    let equal = shared.compactMap { place -> RequestMatcher.Condition? in
      guard let value = first.values[place], value.count == 1 else { return nil }
      return .init(part: place.part, name: place.name, test: .equals(value[0]))
    }
    for (index, condition) in equal.enumerated() {
      for second in equal[(index + 1)...] where isSure([condition, second]) {
        return RequestMatcher(conditions: [condition, second])
      }
    }
    return nil
  }

  /// Lists as a whole, and further values, each of which excludes as many other requests as possible.
  private func joint(_ shared: [RequestSummary.ValuePlace], _ first: RequestSummary) -> RequestMatcher? {
    var candidates = shared.compactMap { place -> RequestMatcher.Condition? in
      guard let value = first.values[place], value.count <= Self.valueLimit else { return nil }
      let isList = value.count > 1 || others.contains { ($0.values[place]?.count ?? 0) > 1 }
      return .init(part: place.part, name: place.name, test: isList ? .list(value) : .equals(value[0]))
    }
    var chosen: [RequestMatcher.Condition] = []
    var left = others
    while !left.isEmpty, chosen.count < Self.conditionLimit {
      let counts = candidates.map { condition in
        left.count { RequestMatcher(conditions: [condition]).matches($0) }
      }
      guard let best = counts.indices.min(by: { counts[$0] < counts[$1] }), counts[best] < left.count else {
        return nil
      }
      let condition = candidates.remove(at: best)
      left.removeAll { !RequestMatcher(conditions: [condition]).matches($0) }
      chosen.append(condition)
    }
    return left.isEmpty ? RequestMatcher(conditions: chosen) : nil
  }
}
