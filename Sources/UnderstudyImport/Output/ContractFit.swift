/// The operations of a contract that a route belongs to.
enum ContractFit {
  struct Match {
    let operation: CompiledOperation
    /// The conditions on path parameters whose values the route names.
    let conditions: Predicate
    /// The names of the route's variables, with the names in the operation.
    let names: [String: String]
  }

  static func operations(for route: RoutePlan.Route, in contract: CompiledContract) -> [Match] {
    guard !route.path.isRest else { return [] }
    let segments = PathPattern.segments(route.path.route)
    var matches: [Match] = []
    for operation in contract.operations where route.method == "ANY" || route.method == operation.operation.method {
      for base in ([""] + operation.basePaths).unique() {
        let template = PathPattern.segments(base + operation.operation.path)
        guard let (conditions, names) = match(segments, template) else { continue }
        matches.append(Match(operation: operation, conditions: conditions, names: names))
        break
      }
    }
    if route.method == "ANY" { return matches }
    // A literal path of the contract precedes a template.
    return (matches.first { $0.conditions.isAlways } ?? matches.first).map { [$0] } ?? []
  }

  private static func match(_ route: [String], _ operation: [String]) -> (Predicate, [String: String])? {
    guard route.count == operation.count else { return nil }
    var tests: [Predicate] = []
    var names: [String: String] = [:]
    for (own, other) in zip(route, operation) where !own.utf8Equals(other) {
      guard let variable = PathPattern.variable(other) else { return nil }
      if let mine = PathPattern.variable(own) {
        if mine.name != variable.name { names[mine.name] = variable.name }
        if let pattern = mine.pattern {
          tests.append(.test(.path, variable.name, Predicate.matches("^(?:\(pattern))$")))
        }
      } else if own.contains("{") {
        return nil
      } else {
        tests.append(.test(.path, variable.name, .string(PercentEncoding.decode(ArraySlice(own.utf8)) ?? own)))
      }
    }
    return (.all(tests), names)
  }
}
