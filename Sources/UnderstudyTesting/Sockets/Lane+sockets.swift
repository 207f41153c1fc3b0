public import UnderstudyClient

// The sockets of a lane: what their clients did, and what they get.
extension UnderstudyClient.Lane {
  /// The events of all sockets so far, in their order: `connect` and `disconnect` are among them.
  public func events(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [ClientEvent] {
    try await ask("events()", at: sourceLocation, needing: Self.feature) { lane, admin in
      try await lane.clientEvents(by: admin)
    }
  }

  /// The next event of a name: each is returned once, those that have arrived first. When it returns, the mock has acted on
  /// the event: what its rules remember is known.
  ///
  /// - Parameters:
  ///   - event: The name; `connect` and `disconnect` for clients that come and go.
  ///   - limit: How long to wait.
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: When none arrives; the failure lists those that did.
  @discardableResult
  public func next(
    event: String, within limit: Duration = .seconds(2), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ClientEvent {
    let found = try await ask("next(event: \"\(event)\")", at: sourceLocation, needing: Self.feature) { lane, admin in
      try await lane.following(event, within: limit, by: admin)
    }
    if let found { return found }
    throw failure(
      .silent, "no event `\(event)` arrived within \(limit.text); \(await eventOverview())", at: sourceLocation)
  }

  /// Sends an event to sockets, also one that breaks the contract.
  ///
  /// Where no socket is meant, the test fails at this line.
  ///
  /// - Parameters:
  ///   - event: The name.
  ///   - arguments: `.fixture("chat.withoutId")`, `.values(["to": "u2"])`.
  ///   - recipients: `"u2"` for the sockets that remember this value, `["uid": "u2"]`; all without it.
  ///   - sourceLocation: The line of the test, for failures.
  public func emit(
    _ event: String, _ arguments: EventArguments = .none, to recipients: EventRecipients = .all,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let members = [JSONValue.Member("emit", .string(event)), arguments.member]
    try await act("emit(\"\(event)\")", members, recipients, at: sourceLocation)
  }

  /// Ends the connections of sockets without a close frame, as a lost network does.
  public func drop(
    _ recipients: EventRecipients = .all, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await act("drop()", [JSONValue.Member("drop", true)], recipients, at: sourceLocation)
  }

  /// Ends the namespace of sockets: a client of Socket.IO does not connect again by itself.
  public func disconnect(
    _ recipients: EventRecipients = .all, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await act("disconnect()", [JSONValue.Member("disconnect", true)], recipients, at: sourceLocation)
  }

  // MARK: - Parts

  /// The feature of the admin API that lists the events of clients.
  private static let feature = "events"
  /// The longest time that the mock lets one question wait.
  private static let longestWait = Duration.seconds(50)

  private func act(
    _ call: String, _ members: [JSONValue.Member], _ recipients: EventRecipients, at location: SourceLocation
  ) async throws {
    let body = JSONValue.object(members + [JSONValue.Member("to", recipients.value)])
    let count = try await ask(call, at: location, needing: Self.feature) { lane, admin in
      try await admin.send("POST", "sockets", query: [("lane", lane.name)], body: body)["recipients"]?.int ?? 0
    }
    guard count == 0 else { return }
    throw failure(
      .failed,
      "`\(call)` reached no socket: \(recipients.absence); \(await eventOverview())\n"
        + "  help: await the event that it answers, as by `next(event:)`",
      at: location)
  }

  private func clientEvents(
    _ query: [(name: String, value: String)] = [], by admin: AdminClient, wait: Duration = .zero
  ) async throws -> [ClientEvent] {
    let secrets = mock.transport.showsSecrets ? [(name: "secrets", value: "shown")] : []
    let answer = try await admin.send(
      "GET", "sockets/events", query: [("lane", name)] + query + secrets, wait: wait)
    // The newest is the first.
    return (answer["events"]?.array ?? []).reversed().map(ClientEvent.init)
  }

  private func following(_ event: String, within limit: Duration, by admin: AdminClient) async throws -> ClientEvent? {
    let end = ContinuousClock.now + limit
    while true {
      let rest = max(.zero, end - .now)
      let wait = min(rest, Self.longestWait)
      let last = returnedEvents.withLock { $0[event] ?? 0 }
      var query = [(name: "event", value: event), ("after", "\(last)")]
      if wait > .zero { query.append(("wait", wait.text)) }
      let found = try await clientEvents(query, by: admin, wait: wait)
      let next = returnedEvents.withLock { returned -> ClientEvent? in
        let next = found.first { $0.number > returned[event] ?? 0 }
        if let next { returned[event] = next.number }
        return next
      }
      if let next { return next }
      try Task.checkCancellation()
      if rest == .zero { return nil }
    }
  }

  /// What arrived, for a message: `the clients sent connect, changesocketid`.
  private func eventOverview() async -> String {
    let names = (try? await events().map(\.name)) ?? []
    guard !names.isEmpty else { return "no client has connected" }
    let more = names.count > Self.shown ? " and \(names.count - Self.shown) more" : ""
    return "the clients sent \(names.prefix(Self.shown).joined(separator: ", "))\(more)"
  }

  private static let shown = 10
}
