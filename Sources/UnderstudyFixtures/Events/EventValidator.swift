package import UnderstudySockets

/// Validates events of a socket or a stream by the schemas that its declaration has for their arguments.
package struct EventValidator: Sendable {
  private struct Declared: Sendable {
    let event: SocketDescription.Event
    let schemas: [LazySchema]
  }

  /// The declarations of each name, of which an event keeps one.
  private let fromClient: [String: [Declared]]
  private let fromServer: [String: [Declared]]
  /// Whether an argument may be JSON in a string.
  private let isText: Bool
  private let secrets: ContractSecrets?

  private static let failureLimit = 10

  /// The work for an event of a client, which its event loop does: some milliseconds.
  package static let workLimit = 200_000

  package init(_ description: SocketDescription, _ schemas: SchemaLibrary, hiding secrets: ContractSecrets? = nil) {
    func declared(_ isFromClient: Bool) -> [String: [Declared]] {
      let events = description.events.filter { $0.isFromClient == isFromClient }
      let direction: Direction = isFromClient ? .request : .response
      return Dictionary(grouping: events, by: \.name).mapValues { events in
        events.map { event in
          Declared(event: event, schemas: event.arguments.map { LazySchema($0, schemas, direction) })
        }
      }
    }
    (fromClient, fromServer) = (declared(true), declared(false))
    isText = description.kind != .socketio
    self.secrets = secrets
  }

  /// Whether no event is declared, so that nothing is checked.
  var isEmpty: Bool { fromClient.isEmpty && fromServer.isEmpty }

  var namesFromServer: [String] { fromServer.keys.sorted() }

  var schemaProblems: [Diagnostic] {
    let all = [fromClient, fromServer].flatMap { $0.sorted { $0.key < $1.key }.flatMap(\.value) }.flatMap(\.schemas)
    return all.flatMap(\.schema.problems)
  }

  /// Validates the name and the arguments of an event; bytes of binary arguments (`hasAttachments`) are not validated.
  package func validate(
    _ name: String, _ arguments: [JSON], isFromClient: Bool, hasAttachments: Bool = false, within budget: WorkBudget
  ) -> ValidationResult {
    var result = ValidationResult()
    guard !isEmpty else { return result }
    guard let alternatives = (isFromClient ? fromClient : fromServer)[name] else {
      result.checked = 1
      reportUndeclared(name, isFromClient, &result)
      return result
    }
    var closest: ValidationResult?
    for declared in alternatives {
      let found = validate(name, arguments, by: declared, hasAttachments, within: budget)
      if found.findings.isEmpty { return found }
      if closest.map({ found.findings.count < $0.findings.count }) ?? true { closest = found }
    }
    return closest ?? result
  }

  /// Validates the arguments of an event by one declaration.
  private func validate(
    _ name: String, _ arguments: [JSON], by declared: Declared, _ hasAttachments: Bool, within budget: WorkBudget
  ) -> ValidationResult {
    var result = ValidationResult()
    result.checked = 1
    guard declared.event.hasArguments else { return result }
    if declared.schemas.count != arguments.count {
      result.report(
        .eventArguments,
        "`\(VisibleText.shortened(name, to: 80))` has \(arguments.count.counted("argument")), expected "
          + "\(declared.schemas.count)", at: "/arguments", contract: declared.event.node)
    }
    for (position, (value, schema)) in zip(arguments, declared.schemas).enumerated() {
      result.checked += 1
      let pointer = "/arguments/\(position)"
      if hasAttachments, value.hasPlaceholder {
        result.checked -= 1
        result.skip(pointer, "binary arguments of events are not validated")
      } else {
        validate(value, schema.schema, name, at: pointer, budget, &result)
      }
    }
    if let secrets { HiddenValues.hide(in: &result, of: name, (arguments, declared.event.arguments), secrets) }
    return result
  }

  private func validate(
    _ value: JSON, _ schema: Schema, _ name: String, at pointer: String, _ budget: WorkBudget,
    _ result: inout ValidationResult
  ) {
    guard !schema.accepts(value, within: budget) else { return }
    var value = value
    if isText, let text = value.string, let read = try? JSONParser.parse(Array(text.utf8)).root {
      if schema.accepts(read, within: budget) { return }
      value = read
    }
    for failure in schema.failures(value, limit: Self.failureLimit, countsMore: true, within: budget) {
      let pointer = pointer + failure.instance.description
      switch failure.kind {
      case .notValidated: result.skip(pointer, failure.message)
      case .more, .broken:
        result.report(
          .eventSchema, "`\(VisibleText.shortened(name, to: 80))`: \(failure.message)", at: pointer,
          contract: failure.kind == .more ? nil : failure.schema, help: failure.help,
          severity: failure.kind == .more ? .info : nil)
      }
    }
  }

  private func reportUndeclared(_ name: String, _ isFromClient: Bool, _ result: inout ValidationResult) {
    let shown = VisibleText.shortened(name, to: 80)
    let (own, others) = isFromClient ? (fromClient, fromServer) : (fromServer, fromClient)
    let party = isFromClient ? "client" : "server"
    let help: String
    if others[name] != nil {
      help = "the contract declares it `from: \(isFromClient ? "server" : "client")`"
    } else if let suggestion = Suggestion.phrase(for: shown, among: own.keys.sorted()) {
      help = suggestion
    } else {
      let known = own.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
      help = known.isEmpty ? "the contract declares no event `from: \(party)`" : "known: \(known)"
    }
    result.report(.eventUndeclared, "no event `\(shown)` is declared `from: \(party)`", at: "/name", help: help)
  }
}

extension JSON {
  /// Whether it is, or has, the place of an attachment.
  fileprivate var hasPlaceholder: Bool {
    if isArray { return elements.contains { $0.hasPlaceholder } }
    guard isObject else { return false }
    return self["_placeholder"]?.bool == true || members.contains { $0.value.hasPlaceholder }
  }
}
