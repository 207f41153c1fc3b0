import HTTPTypes
import UnderstudyMock

/// The requests to `/__admin/requests` and `/__admin/events`.
struct JournalRoutes {
  private let admin: AdminRequest
  private var journal: Journal { admin.host.journal }

  init(_ admin: AdminRequest) { self.admin = admin }

  /// The newest first.
  func list() throws(LaneProblem) -> Reply {
    if let shared { return try shared.list { $0.summary() } }
    return try filtered { admin, found in Self.list(found, admin) }
  }

  /// Shows all that is held of each request, the newest first.
  func details() throws(LaneProblem) -> Reply {
    let showsSecrets = try admin.showsSecrets
    if let shared { return try shared.list(besides: ["secrets"]) { $0.detail } }
    return try filtered(besides: ["secrets"]) { admin, found in
      var printer = admin.printer(showingSecrets: showsSecrets)
      let entries = found.entries.map { printer.detail($0, by: admin.mock) }
      let open = found.open?.map { printer.detail($0, by: admin.mock) }
      return Self.list(.list(entries), open.map { .list($0) }, admin)
    }
  }

  /// The number of those that the journal holds.
  func count() throws(LaneProblem) -> Reply {
    if let shared {
      return try shared.filtered { _, found in .object([("count", .integer(found.entries.count))]) }
    }
    return try filtered { admin, found in
      admin.answer(
        .object(("count", .integer(found.entries.count)), ("open", found.open.map { .integer($0.count) })))
    }
  }

  /// Those that reached no operation, each with what the contract has in its place.
  func unmatched() throws(LaneProblem) -> Reply {
    if let shared { return try shared.list(where: \.isUnmatched) { $0.summary(withFindings: true) } }
    return try filtered(where: \.isUnmatched) { admin, found in Self.list(found, admin, withFindings: true) }
  }

  /// For each of them the operations that it may have been meant for.
  func nearMisses() throws(LaneProblem) -> Reply {
    if let shared {
      return try shared.filtered(where: \.isUnmatched) { _, found in
        let misses = found.entries.map { entry in
          JSON.object(
            ("request", entry.summary(withFindings: true)), ("nearMisses", entry["nearMisses"] ?? .array([])))
        }
        return .object([("nearMisses", .array(misses))])
      }
    }
    return try filtered(where: \.isUnmatched) { admin, found in
      var printer = admin.host.printer()
      printer.learn(found.entries)
      let values = found.entries.map { entry in
        let misses = printer.nearMisses(entry, among: admin.mock.contractSet).value
        return printer.summaryWithFindings(entry).map { JSON.object(("request", $0), ("nearMisses", misses)) }
      }
      return admin.answer(Redacted.list(values).map { .object(("nearMisses", .array($0))) })
    }
  }

  func har() throws(LaneProblem) -> Reply {
    let showsSecrets = try admin.showsSecrets
    if let shared { return try shared.har() }
    return try filtered(besides: ["secrets"]) { admin, found in
      var printer = admin.printer(showingSecrets: showsSecrets)
      return admin.answer(printer.har(found.entries.reversed()).value, "application/json")
    }
  }

  func read() throws(LaneProblem) -> Reply {
    if let shared { return try shared.read() }
    try admin.requireParameters(["secrets"])
    let showsSecrets = try admin.showsSecrets
    let entry = try entry()
    return detail(entry, showingSecrets: showsSecrets)
  }

  /// The requests of all replicas; `nil` for a mock without replicas.
  private var shared: SharedRequestRoutes? { admin.host.replicas.map { SharedRequestRoutes(admin, $0) } }

  private func entry() throws(LaneProblem) -> JournalEntry {
    guard shared == nil else {
      throw LaneProblem(
        .conflict, "a mock with replicas stores its requests without their secrets, and neither repeats nor saves them",
        help: "send the request by its client; `understudy init --har` writes fixtures from the requests")
    }
    guard let number = Int(admin.path[1]), let entry = journal.entry(number) else {
      throw LaneProblem(
        .unknown, "the journal holds no request `\(VisibleText.shortened(admin.path[1], to: 40))`",
        help: "GET \(admin.root)/requests lists those that it holds; older ones make room for newer ones")
    }
    return entry
  }

  /// Sends a request to the mock again, in its lane and with its secrets, and shows the new exchange. Delays and faults are
  /// left out.
  func again() throws(LaneProblem) -> Reply {
    try admin.requireParameters([])
    let old = try receivedEntry()
    guard let request = old.served.request, let body = old.served.body else {
      throw LaneProblem(
        .conflict, "the journal does not hold the whole request", help: "requests with long bodies are not held")
    }
    let start = ContinuousClock.now
    let time = Timestamp.microseconds()
    let reply = admin.host.reply(to: request, body, in: old.served.reply.lane, by: admin.mock)
    guard reply.forward == nil else {
      throw LaneProblem(.conflict, "the upstream answers this request", help: "send it by your client")
    }
    admin.host.releaseEvents(of: reply, in: old.served.reply.lane, by: admin.mock)
    let exchange = ServedRequest(
      startedAt: time, microseconds: (ContinuousClock.now - start).wholeMicroseconds,
      request: SharedRequest(request), body: body, reply: reply, status: reply.status)
    journal.append(exchange)
    admin.host.repeated.append(exchange)
    guard let entry = journal.entries().last(where: { $0.served === exchange }) else {
      throw LaneProblem(.conflict, "a request about the mock itself is not sent again", help: "choose another one")
    }
    return detail(entry, .created)
  }

  /// An exchange with a client of the mock, in which the mock sent the response.
  private func receivedEntry() throws(LaneProblem) -> JournalEntry {
    let entry = try entry()
    guard !entry.served.reply.isOfReceiver else {
      throw LaneProblem(
        .conflict, "the mock has sent the request `\(entry.number)` itself",
        help: "`understudy ctl webhook` sends it again")
    }
    return entry
  }

  /// Hiding the secrets of a long body takes longer than an event loop may be busy.
  private func detail(
    _ entry: JournalEntry, _ status: HTTPResponse.Status = .ok, showingSecrets showsSecrets: Bool = false
  ) -> Reply {
    admin.answer(later: { [admin] in
      var printer = admin.printer(showingSecrets: showsSecrets)
      return admin.answer(printer.detail(entry, by: admin.mock), status)
    })
  }

  /// Writes the answer of a request as a fixture, without secrets: `{"name": "empty"}`, or `{}` for the default of the
  /// cell.
  func save() throws(LaneProblem) -> Reply {
    try admin.requireParameters([])
    let entry = try receivedEntry()
    let name = try FixtureNameReader.read(admin.body)
    guard let tools = admin.host.access?.settings.tools else {
      throw LaneProblem(
        .conflict, "a mock inside a test does not write fixtures", help: "save it on a mock of `understudy serve`")
    }
    // A file has no secret that an earlier exchange has shown.
    let earlier = journal.entries().prefix { $0.number < entry.number }.suffix(100).map(\.served).filter {
      ($0.body?.count ?? 0) + $0.reply.body.count <= 16 * 1024
    }
    let fixture = try tools.saveFixture(entry.served, earlier, name, admin.mock, admin.host.redaction, .creating)
    return admin.answer(
      .object(("fixture", .string(fixture.label)), ("files", .array(fixture.paths.map { .string($0) }))), .created)
  }

  func clear() throws(LaneProblem) -> Reply {
    try admin.requireParameters([])
    try admin.host.clearJournal()
    return admin.answer(.object(("requests", .array([]))))
  }

  /// The journal as it grows, as server-sent events.
  func follow() throws(LaneProblem) -> Reply {
    try admin.requireParameters(["after", "messages"])
    // A client that lost its connection says what it saw last (HTML, 9.2.4).
    let last = admin.request.headerFields[HTTPField.Name("Last-Event-ID") ?? .ifRange].flatMap { Int($0) }
    let after = try admin.number("after", in: JournalFilter.numbers)
    try admin.host.feed.shared?.read()
    let newest = admin.host.feed.shared?.newest ?? journal.totals.exchanges
    // A number that is yet to come is one of an earlier run of the mock.
    let start = [last, after].compactMap(\.self).first.map { 0...newest ~= $0 ? $0 : 0 } ?? newest
    let newestMessage = journal.traffic.newest
    let messages = try admin.number("messages", in: JournalFilter.numbers).map { 0...newestMessage ~= $0 ? $0 : 0 }
    guard let seat = admin.host.feed.seat() else {
      throw LaneProblem(
        .tooManyFollowers, "\(JournalFeed.followerLimit) clients follow the journal already",
        help: "close one of them"
          + (JournalFeed.followerLimit < JournalFeed.mostFollowers
            ? ", or allow the mock more descriptors: ulimit -n" : ""))
    }
    let events = JournalEvents(
      admin.host.feed, in: seat, of: journal, printer: { [admin] in admin.host.printer() }, after: start,
      messages: messages ?? newestMessage)
    return admin.answer(
      Body(length: nil, events),
      "text/event-stream")
  }

  // MARK: - Parts

  /// Shows the requests that the parameters choose, off the event loop.
  private func filtered(
    besides more: [String] = [], where isMeant: @escaping @Sendable (JournalEntry) -> Bool = { _ in true },
    _ show: @escaping @Sendable (AdminRequest, JournalFilter.Found) -> Reply
  ) throws(LaneProblem) -> Reply {
    let filter = try JournalFilter(admin, besides: more)
    return admin.answer(waitsForEvents: filter.waits) { [admin] in
      show(admin, await filter.awaited(in: admin.host, where: isMeant))
    }
  }

  private static func list(_ found: JournalFilter.Found, _ admin: AdminRequest, withFindings: Bool = false) -> Reply {
    var printer = admin.host.printer()
    let entries = printer.summaries(found.entries, withFindings: withFindings)
    return list(entries, found.open.map { open in .list(open.map { printer.summary($0) }) }, admin)
  }

  private static func list(_ entries: Redacted<[JSON]>, _ open: Redacted<[JSON]>?, _ admin: AdminRequest) -> Reply {
    let (size, total) = (admin.host.journal.size, admin.host.journal.totals.exchanges)
    return admin.answer(
      entries.map { entries in
        .object(
          ("requests", .array(entries)), ("open", open.map { .array($0.value) }),
          (
            "meta",
            .object(
              ("total", .integer(total)), ("held", .integer(size.exchanges)), ("bytes", .integer(size.bytes)),
              ("dropped", .integer(size.dropped)))
          ))
      })
  }
}
