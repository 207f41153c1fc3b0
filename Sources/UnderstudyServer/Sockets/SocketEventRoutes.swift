import UnderstudyMock
import UnderstudySockets

/// The requests to `/__admin/sockets/events`: what the clients of a lane did, as its rules have seen it.
struct SocketEventRoutes {
  private let admin: AdminRequest
  private let lane: any LaneAccess
  private let sockets: MockSockets
  private let event: String?
  private let after: Int
  private let wait: Duration
  private let showsSecrets: Bool

  init(_ admin: AdminRequest) throws(LaneProblem) {
    self.admin = admin
    (lane, sockets) = try SocketRoutes(admin, besides: ["after", "event", "secrets", "wait"]).place
    event = admin.text("event")
    after = try admin.number("after", in: JournalFilter.numbers) ?? 0
    wait = try JournalFilter.wait(admin)
    showsSecrets = try admin.showsSecrets
    if let event, let known = sockets.clientEvents, !known.contains(event) {
      throw LaneProblem(
        .conflict, "no event `\(VisibleText.shortened(event, to: 40))` is declared `from: client`",
        help: Suggestion.help(for: event, among: known))
    }
    guard try lane.value.isObserved else {
      throw LaneProblem(
        .conflict, "a lane keeps the events of its clients once it was opened",
        help: "POST \(admin.root)/lanes opens one")
    }
  }

  /// The newest first.
  func list() -> Reply {
    admin.answer(waitsForEvents: wait > .zero) { [self] in
      let entries = await awaited()
      var redactor = admin.redactor(showingSecrets: showsSecrets)
      return admin.answer(
        Redacted.list(entries.reversed().map { shown($0, &redactor) }).map { .object(("events", .array($0))) })
    }
  }

  private var entries: [ClientEventLog.Entry] {
    (try? lane.value)?.sockets.clientEvents.entries.filter { $0.number > after && (event == nil || $0.name == event) }
      ?? []
  }

  /// The chosen events, as soon as there is one, or none after the time to wait, which ends with the lane.
  private func awaited() async -> [ClientEventLog.Entry] {
    let end = ContinuousClock.now + wait
    while true {
      let found = entries
      let isEnded = (try? lane.value)?.sockets.isClosed != false
      let isOver = ContinuousClock.now >= end || admin.host.journal.isClosed || isEnded
      guard found.isEmpty, !isOver else { return found }
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return [] }
    }
  }

  private func shown(_ entry: ClientEventLog.Entry, _ redactor: inout Redactor) -> Redacted<JSON> {
    let position = entry.description.flatMap { sockets.descriptions.indices.contains($0) ? $0 : nil }
    let description = position.map { sockets.descriptions[$0] } ?? SocketDescription()
    let findings = redactor.redact(entry.findings).value.map { JSON.object(present: $0.members(.journal)) }
    // A client may send a secret as a name by mistake.
    let isKnown = event != nil || sockets.clientEvents?.contains(entry.name) == true
    let name = isKnown ? entry.name : redactor.redact(text: entry.name).value
    return redactor.redact(
      arguments: entry.arguments, of: entry.name, isFromClient: true, by: description, handshake: nil
    ).map { arguments in
      .object(
        ("number", .integer(entry.number)), ("socket", .integer(entry.socket)), ("event", .string(name)),
        ("namespace", .string(entry.namespace)), ("arguments", (try? JSONParser.parse(arguments).root) ?? .array([])),
        ("findings", .array(findings)))
    }
  }
}
