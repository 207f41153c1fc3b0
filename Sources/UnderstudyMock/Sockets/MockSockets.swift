package import UnderstudySockets

/// The sockets of a mock: a script without a scenario, and one for each scenario with rules of its own.
package struct MockSockets: Sendable {
  package let descriptions: [SocketDescription]
  private let plain: SocketScript
  private let byScenario: [String: SocketScript]

  /// `nil` where neither a contract nor a scenario declares sockets.
  init?(_ contracts: [Contract]) {
    let scenarios = contracts.flatMap { $0.scenarios.compactMap(\.scenario) }.filter { !$0.sockets.isEmpty }
    var descriptions = contracts.flatMap { $0.sockets.descriptions }
    if descriptions.isEmpty {
      guard !scenarios.isEmpty else { return nil }
      descriptions = [SocketDescription()]
    }
    let fixtures = contracts.reduce(into: [:]) { $0.merge($1.sockets.fixtures) { first, _ in first } }
    self.descriptions = descriptions
    plain = SocketScript(descriptions, fixtures: fixtures)
    let rules = Dictionary(scenarios.map { ($0.name, $0.sockets) }, uniquingKeysWith: +)
    byScenario = rules.mapValues { SocketScript(descriptions, scenario: $0, fixtures: fixtures) }
  }

  package func script(for scenario: String?) -> SocketScript { scenario.flatMap { byScenario[$0] } ?? plain }

  /// Whether responses of an operation may affect sockets, in any scenario.
  func concerns(operation: String) -> Bool {
    stream(of: operation) != nil || plain.concerns(operation: operation)
      || byScenario.values.contains { $0.concerns(operation: operation) }
  }

  /// The position of the stream that an operation opens.
  func stream(of operation: String) -> Int? {
    descriptions.firstIndex { !$0.kind.isTwoWay && $0.operation == operation }
  }

  /// The description that serves a path, and its position.
  package func description(at path: String) -> (Int, SocketDescription)? {
    descriptions.enumerated().first { $0.element.kind.isTwoWay && $0.element.answers(path) }.map {
      ($0.offset, $0.element)
    }
  }
}
