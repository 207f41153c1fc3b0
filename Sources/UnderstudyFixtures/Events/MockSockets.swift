package import UnderstudySockets

/// The sockets of a mock: a script without a scenario, and one for each scenario with rules of its own.
package struct MockSockets: Sendable {
  package let descriptions: [SocketDescription]
  /// In the order of the descriptions.
  private let validators: [EventValidator]
  /// The lists of arguments in the files of events, by name.
  package let fixtures: [String: JSON]
  private let plain: SocketScript
  private let byScenario: [String: SocketScript]
  /// The operations whose responses may affect sockets, in any scenario.
  private let concernedOperations: Set<String>

  /// `nil` where neither a contract nor a scenario declares sockets.
  package init?(_ contracts: [Contract], speed: PlaybackSpeed = .usual) {
    let scenarios = contracts.flatMap { $0.scenarios.compactMap(\.scenario) }.filter {
      !$0.sockets.isEmpty || !$0.socketFaults.isEmpty
    }
    var descriptions = contracts.flatMap { $0.sockets.descriptions }
    validators = contracts.flatMap { $0.sockets.validators }
    if descriptions.isEmpty {
      guard !scenarios.isEmpty else { return nil }
      descriptions = [SocketDescription()]
    }
    let files = contracts.flatMap { $0.sockets.fixtures }
    let fixtures = Dictionary(
      files.map { ($0.name, JSON.array($0.arguments)) }, uniquingKeysWith: { first, _ in first })
    self.descriptions = descriptions
    self.fixtures = fixtures
    plain = SocketScript(descriptions, fixtures: fixtures, speed: speed)
    let rules = Dictionary(scenarios.map { ($0.name, $0.sockets) }, uniquingKeysWith: +)
    byScenario = rules.mapValues { SocketScript(descriptions, scenario: $0, fixtures: fixtures, speed: speed) }
    let streams = descriptions.filter { !$0.kind.isTwoWay }.compactMap(\.operation)
    concernedOperations = byScenario.values.reduce(plain.operations.union(streams)) { $0.union($1.operations) }
  }

  /// The reason that a fault of sockets does nothing; `nil` if it may do something. It may be meant for an operation.
  package static func problem(
    of fault: SocketFault, _ sockets: MockSockets?, operations: [String]
  ) -> (message: String, help: String)? {
    func operation(_ event: String?) -> String? {
      guard let event else { return nil }
      let meant = operations.first { $0.utf8Equals(event) } ?? Suggestion.nearest(to: event, among: operations)
      return meant.map { "did you mean the operation `\($0)`, as in `\($0)=reset`?" }
    }
    guard let sockets else {
      let help = operation(fault.event) ?? "add `\(SocketReader.key)` to a contract"
      return ("no contract and no scenario declares sockets", help)
    }
    let events = sockets.descriptions.flatMap(\.events)
    guard let event = fault.event, !events.isEmpty else { return nil }
    let known = sockets.sentEvents
    if known.contains(event) { return nil }
    let list = known.isEmpty ? "declare it in `events` with `from: server`" : "known: \(known.joined(separator: ", "))"
    let help = Suggestion.phrase(for: event, among: known) ?? operation(event) ?? list
    return ("no event `\(event)` is declared `from: server`", help)
  }

  /// The names of the events that are declared `from: server`.
  package var sentEvents: [String] { descriptions.flatMap(\.events).filter { !$0.isFromClient }.map(\.name) }

  /// The names of the events that clients may send, `connect` and `disconnect` among them; `nil` where no event is declared.
  package var clientEvents: [String]? {
    let events = descriptions.flatMap(\.events)
    return events.isEmpty ? nil : events.filter(\.isFromClient).map(\.name) + ["connect", "disconnect"]
  }

  package func script(for scenario: String?) -> SocketScript { scenario.flatMap { byScenario[$0] } ?? plain }

  /// Validates an event of a client by the declaration of its socket.
  package func validate(_ name: String, _ arguments: SocketArguments, of description: Int) -> ValidationResult {
    guard validators.indices.contains(description) else { return ValidationResult() }
    return validators[description].validate(
      name, arguments.values, isFromClient: true, hasAttachments: !arguments.attachments.isEmpty,
      within: WorkBudget(EventValidator.workLimit))
  }

  /// That of the description at a position.
  package func validator(of description: Int) -> EventValidator? {
    validators.indices.contains(description) ? validators[description] : nil
  }

  package func concerns(operation: String) -> Bool { concernedOperations.contains(operation) }

  /// The position of the stream that an operation opens in an exchange with its conditions; `nil` is any exchange.
  package func stream(of operation: String, in environment: JSON? = nil) -> Int? {
    descriptions.firstIndex { description in
      !description.kind.isTwoWay && description.operation == operation
        && environment.map { SocketScript.hold(description.conditions, in: $0) } ?? true
    }
  }

  /// The description that serves a path, and its position; a path without parameters precedes one with them.
  package func description(at path: String) -> (Int, SocketDescription)? {
    // By position: a description is large, and most requests are for none.
    var first: Int?
    for number in descriptions.indices where descriptions[number].kind.isTwoWay && descriptions[number].answers(path) {
      if !descriptions[number].hasParameters { return (number, descriptions[number]) }
      first = first ?? number
    }
    return first.map { ($0, descriptions[$0]) }
  }
}
