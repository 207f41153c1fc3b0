import UnderstudyMock

/// The requests to `/__admin/webhooks`: the callbacks and webhooks that the contracts declare.
struct WebhookRoutes: ParameterlessRoutes {
  let admin: AdminRequest

  private static let keys = ["to", "body", "lane"]

  func list() -> Reply {
    let totals = admin.host.journal.totals
    let rows = mock.sent.map { sent in
      let cells = sent.operation.cells.map { cell in
        JSON.object(
          ("status", .string(cell.status.description)),
          ("served", .integer(totals.count(of: sent.operation, status: cell.status))))
      }
      return JSON.object(
        ("name", .string(sent.name)), ("contract", .string(sent.operation.compiled.api.name)),
        ("kind", .string(sent.isWebhook ? "webhook" : "callback")),
        ("method", .string(sent.operation.compiled.operation.method)), ("url", sent.expression.map { .string($0) }),
        ("unsent", mock.unsentReason(sent.expression).map { .string($0) }), ("cells", .array(cells)))
    }
    return admin.answer(.object(("webhooks", .array(rows))))
  }

  /// Sends a webhook or a callback, and shows the last attempt: `{"to": "http://127.0.0.1:9000/pets", "body": {"id": 1}}`.
  func send() throws(LaneProblem) -> Reply {
    let name = PercentEncoding.decode(admin.path[1]) ?? admin.path[1]
    let sent = mock.sent
    guard let operation = sent.first(where: { $0.name.utf8Equals(name) || $0.operation.key.utf8Equals(name) }) else {
      throw LaneProblem(
        .unknown, "no webhook and no callback is called `\(VisibleText.shortened(name, to: 100))`",
        help: Suggestion.help(for: name, among: sent.map(\.name), none: "the contracts declare none"))
    }
    let root = try LaneProblem.json(
      admin.body, help: "send an object, as in {\"to\": \"http://127.0.0.1:9000/events\"}")
    var reader = MappingReader.fixtures
    guard reader.isMapping(root, "a mapping", keys: Self.keys),
      let url = root["to"].flatMap({ reader.string($0, of: "`to`") })
    else {
      let problem = reader.all.first
      throw LaneProblem(
        .invalid, problem?.message ?? "`to` is missing",
        help: problem?.help ?? "expected the URL of the receiver, as in {\"to\": \"http://127.0.0.1:9000/events\"}")
    }
    let lane = try root["lane"].map { node throws(LaneProblem) in
      let name = try LaneName(reader.string(node, of: "`lane`") ?? "")
      let found = name == .unnamed ? admin.host.lanes.unnamed : try admin.host.lanes.find(name)
      guard found != nil else {
        throw LaneProblem(.unknown, "no lane `\(name)` is open", help: "GET \(admin.root)/lanes lists them")
      }
      return name
    }
    let order = CallbackOrder(operation, to: url, body: root["body"], reason: "by admin")
    let laneName = lane.flatMap { $0 == .unnamed ? nil : $0.text }
    return admin.answer(later: { [admin] in
      do throws(TextProblem) {
        let attempts = try await admin.host.callbacks.send(order, in: laneName)
        return Self.shown(attempts, admin)
      } catch {
        return LaneProblem(
          admin.host.callbacks.isReady ? .forbidden : .conflict, error.message, help: error.help ?? ""
        ).reply
      }
    })
  }

  private static func shown(_ attempts: [ServedRequest], _ admin: AdminRequest) -> Reply {
    guard let last = attempts.last else {
      return LaneProblem(.conflict, "the mock is about to stop", help: "send it to a running mock").reply
    }
    let entry = admin.host.journal.entries().last { $0.served === last } ?? JournalEntry(number: 0, last)
    var printer = admin.host.printer()
    let shown = printer.summaries([entry], withFindings: true)
    return admin.answer(
      shown.map {
        .object(
          ($0.first?.members ?? JSON.object([]).members).map { ($0.name, $0.value) } + [
            ("attempts", .integer(attempts.count))
          ])
      })
  }
}
