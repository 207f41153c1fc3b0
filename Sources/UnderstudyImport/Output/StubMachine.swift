/// A machine of a scenario file, from the states of stubs.
struct StubMachine {
  /// The name of the machine whose stubs have variables instead of states.
  static let variables = "state"
  /// The first state of a scenario of WireMock.
  static let start = "Started"
  private static let only = "active"
  private static let missing = "404"

  let name: String
  private var states: [String] = []
  /// The rules of each state by operation.
  private var rules: [(state: String, operation: String, rules: [JSON])] = []
  private var targets: Set<String> = []

  init(named name: String, _ stubs: [Stub]) {
    self.name = name
    if name == Self.variables, stubs.contains(where: { if case .variables = $0.state { true } else { false } }) {
      states = [Self.only]
      return
    }
    states = [Self.start]
    for stub in stubs {
      guard case .machine(name, let required, let next) = stub.state else { continue }
      for state in [required, next].compactMap(\.self) where !states.contains(state) { states.append(state) }
    }
  }

  /// Adds the rules of a route, in the order of its replies.
  mutating func add(_ route: RoutePlan.Route, operation: String) {
    for state in states {
      var list: [JSON] = []
      var isOpen = true
      for entry in route.entries where !entry.isVariant && isOpen {
        guard let rule = rule(entry, in: state) else { continue }
        list.append(rule.json)
        isOpen = !rule.isUnconditional
      }
      if isOpen { list.append(.object([("answer", .string(Self.missing))])) }
      rules.append((state, operation, list))
    }
  }

  private mutating func rule(_ entry: RoutePlan.Entry, in state: String) -> (json: JSON, isUnconditional: Bool)? {
    var members: [(String, JSON)] = []
    var isUnconditional = entry.when == nil
    if let when = entry.when { members.append(("when", when)) }
    var changes: [(String, JSON)] = []
    switch entry.stub.state {
    case .machine(_, let required, let next):
      guard required == nil || required == state else { return nil }
      changes = next.flatMap { $0 == state ? nil : [("to", .string($0))] } ?? []
      if let next, next != state { targets.insert(next) }
    case .variables(let requires, let sets):
      if !requires.isEmpty {
        isUnconditional = false
        members.append(("if", .object(requires.map { ($0.0, JSON.string($0.1)) })))
      }
      if !sets.isEmpty { changes = [("set", .object(sets.map { ($0.0, JSON.string($0.1)) }))] }
    case nil: break
    }
    let label = [String(entry.stub.reply.status), entry.name].compactMap(\.self).joined(separator: ".")
    members.append(("answer", .string(label)))
    return (.object(members + changes), isUnconditional)
  }

  var json: JSON {
    let described = states.map { state -> (String, JSON) in
      let own = rules.filter { $0.state == state }.map { entry in
        (entry.operation, entry.rules.count == 1 ? entry.rules[0] : JSON.array(entry.rules))
      }
      let leads = rules.contains { $0.state == state && $0.rules.contains { $0["to"] != nil } }
      return (state, .object([("on", JSON.object(own))] + (leads ? [] : [("final", true)])))
    }
    return .object([("start", .string(states[0])), ("states", .object(described))])
  }
}
