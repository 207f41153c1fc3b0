package import UnderstudySockets
import UnderstudyText

/// The sockets and streams that a contract declares, with the fixtures of their events.
package struct SocketContract: Sendable {
  package let descriptions: [SocketDescription]
  /// In the order of the descriptions.
  package let validators: [EventValidator]
  /// In the order of their files.
  package let fixtures: [EventFixture]
  package private(set) var diagnostics: [Diagnostic] = []

  /// The folder of the fixtures of events, below that of a contract's fixtures.
  package static func folder(of fixtures: String) -> String { Path.join(fixtures, "_events") }

  /// Reads `x-understudy-events` at the root of a contract, and the AsyncAPI document beside it; `folder` may be empty.
  package init(of contract: CompiledContract, fixtures folder: String) {
    let api = contract.api
    var reader = SocketReader()
    var descriptions = api.root[SocketReader.key].map { reader.descriptions($0) } ?? []
    var documentProblems = contract.events.diagnostics
    if let root = contract.events.root {
      let samples = SampleGenerator(schemas: contract.schemas, seed: "0")
      var document = AsyncAPIReader(root, of: api, files: Self.fixtureNames(in: folder)) {
        samples.sample(of: $0, direction: .response)
      }
      document.add(to: &descriptions)
      documentProblems += document.diagnostics
    }
    self.descriptions = descriptions
    validators = descriptions.map { EventValidator($0, contract.schemas, hiding: contract.secrets) }
    let declaration = api.root[SocketReader.key]?.range
    // Schemas of the contract that events only refer to are linted with the contract.
    let ownProblems = validators.flatMap(\.schemaProblems).filter { problem in
      guard let place = problem.location, place.path == api.root.path, let range = place.range else { return true }
      return declaration?.overlaps(range) == true
    }
    diagnostics = reader.problems + documentProblems + ownProblems + Self.unknownStreams(in: api)
    let events = descriptions
    let files =
      folder.isEmpty
      ? nil
      : EventFixtureReader(Self.folder(of: folder), within: api.access) { name in
        Self.event(of: name, events).map { $0.arguments.count > 1 } ?? false
      }
    fixtures = files?.fixtures ?? []
    diagnostics += files?.diagnostics ?? []
    for description in descriptions {
      diagnostics += Self.problems(of: description.rules, api, Set(fixtures.map(\.name)))
      diagnostics += Self.undeclaredTriggers(description.rules, [description])
    }
  }

  /// The operations of declared streams that the contract lacks.
  private static func unknownStreams(in api: API) -> [Diagnostic] {
    let node = api.root[SocketReader.key]
    let declared = node.map { $0.isArray ? Array($0.elements) : [$0] } ?? []
    return declared.compactMap { $0["operation"] }.compactMap { unknownOperation($0.text, in: api, at: Location($0)) }
  }

  private static func unknownOperation(_ name: String, in api: API, at location: Location) -> Diagnostic? {
    guard api.operation(name) == nil else { return nil }
    return Diagnostic(
      .fixtureOperationUnknown, "no operation is called `\(name)`", at: location,
      help: Suggestion.phrase(for: name, among: api.operations.map(\.id)) ?? "`understudy routes` lists them")
  }

  /// The missing operations and fixtures that rules name; `fixtures` are the names of the files in `_events`.
  static func problems(of rules: [SocketRule], _ api: API, _ fixtures: Set<String>) -> [Diagnostic] {
    rules.flatMap { rule -> [Diagnostic] in
      var found: [Diagnostic] = []
      if let (name, node) = rule.operationName,
        let unknown = unknownOperation(name, in: api, at: Location(start: node))
      {
        found.append(unknown)
      }
      for name in rule.fixtures where !fixtures.contains(name) {
        found.append(
          Diagnostic(
            .fixtureInvalid, "no file of `_events` has the name `\(name)`", at: Location(start: rule.node),
            help: Suggestion.phrase(for: name, among: fixtures.sorted())
              ?? (fixtures.isEmpty ? "the folder has none" : "it has \(fixtures.sorted().joined(separator: ", "))")))
      }
      return found
    }
  }

  /// The events of clients that rules wait for, and that no description declares.
  static func undeclaredTriggers(_ rules: [SocketRule], _ descriptions: [SocketDescription]) -> [Diagnostic] {
    let events = descriptions.flatMap(\.events)
    guard !events.isEmpty, descriptions.allSatisfy({ !$0.events.isEmpty }) else { return [] }
    let known = events.filter(\.isFromClient).map(\.name)
    return rules.compactMap { rule in
      guard case .event(let name) = rule.trigger, !known.contains(name) else { return nil }
      return Diagnostic(
        .fixtureInvalid, "no event `\(name)` is declared `from: client`", at: Location(start: rule.node),
        severity: .warning,
        help: Suggestion.help(for: name, among: known, none: "declare it in `events`"))
    }
  }

  /// - Parameter folder: That of the contract's fixtures.
  static func fixtureNames(in folder: String) -> Set<String> {
    folder.isEmpty ? [] : EventFixture.names(in: Self.folder(of: folder))
  }

  /// The event of a fixture: `chat` of `chat.withoutId`. Names of events may have dots too.
  package static func event(
    of fixture: String, _ descriptions: [SocketDescription]
  ) -> SocketDescription.Event? {
    let fitting = descriptions.flatMap(\.events).filter { fixture == $0.name || fixture.hasPrefix($0.name + ".") }
    let longest = fitting.map(\.name.utf8.count).max()
    let best = fitting.filter { $0.name.utf8.count == longest }
    return best.first { !$0.isFromClient } ?? best.first
  }

  /// The findings about the arguments of a fixture, those that it lists in `violates` included, with pointers into them.
  func validate(_ fixture: EventFixture) -> ValidationResult {
    var result = ValidationResult()
    guard !fixture.hasTemplates else {
      result.skip("", "files of events with templates are filled when the event is emitted")
      return result
    }
    let budget = WorkBudget.forBytes(fixture.source.bytes.count)
    guard let event = Self.event(of: fixture.name, descriptions) else {
      // Any description that declares events shows what is known.
      let name = String(fixture.name.prefix { $0 != "." })
      guard let validator = validators.first(where: { !$0.namesFromServer.isEmpty }) else {
        result.skip("", "the contract declares no events of the server")
        return result
      }
      return validator.validate(name, [], isFromClient: false, within: budget)
    }
    let owner = descriptions.firstIndex { description in
      description.events.contains { $0.name == event.name && $0.isFromClient == event.isFromClient }
    }
    guard let owner else { return result }
    if !event.hasArguments { result.skip("", "the event of the file declares no `arguments`") }
    return event.hasArguments
      ? validators[owner].validate(
        event.name, fixture.arguments, isFromClient: event.isFromClient, within: budget) : result
  }

  /// Validates a fixture by the schemas of its event; the owner of all findings is the author of the file.
  package func verify(_ fixture: EventFixture, _ options: ValidationOptions) -> ValidationResult {
    var result = validate(fixture)
    let meant = Set(fixture.violates.map(\.rule))
    let broken = Set(result.findings.map(\.rule))
    result.checked += meant.count
    result.findings = result.findings.filter { !meant.contains($0.rule) }.compactMap(options.weighed)
      .map { fixture.placed($0).owned(by: .fixture) }
    for (rule, node) in fixture.violates where !broken.contains(rule) && result.notValidated.isEmpty {
      result.findings.append(
        Diagnostic(
          .fixtureViolatesKept, "\(fixture.name) lists `\(rule.id)` in `violates`, but does not break it",
          at: Location(node), help: "remove it from the list, or break it"))
    }
    return result
  }

  package var count: Int { descriptions.reduce(0) { $0 + $1.events.count + $1.rules.count } }

  /// The findings about references of the events and of the AsyncAPI document, which `lint` reports as well.
  package var referenceProblems: [Diagnostic] {
    diagnostics.filter { [.specRefOutside, .specRefUnresolved, .unresolvedSchemaReference].contains($0.rule) }.unique()
  }

  package var isEmpty: Bool { descriptions.isEmpty && fixtures.isEmpty && diagnostics.isEmpty }
}

extension EventFixture {
  fileprivate func placed(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    let tokens = finding.location?.pointer.flatMap { JSONPointer($0)?.tokens } ?? []
    guard tokens.first == "arguments", let position = tokens.dropFirst().first.flatMap({ Int($0) }),
      arguments.indices.contains(position)
    else {
      finding.location = Location(source)
      return finding
    }
    var value = arguments[position]
    for token in tokens.dropFirst(2) {
      guard let child = value[JSONPointer([token])] else { break }
      value = child
    }
    let pointer = finding.location?.pointer
    finding.location = Location(start: value)
    finding.location?.pointer = pointer
    return finding
  }
}

extension SocketRule {
  /// The operation that it waits for.
  package var operationName: (String, JSON)? {
    if case .operation(let name, _) = trigger { (name, node) } else { nil }
  }
}
