import UnderstudyMock

/// The requests to `/__admin/streams`: answers that are being sent while they arrive, responses that are late, and sockets.
struct StreamRoutes {
  private let admin: AdminRequest

  init(_ admin: AdminRequest) { self.admin = admin }

  /// The newest first.
  func list() throws(LaneProblem) -> Reply {
    try admin.requireParameters([])
    let streams = admin.host.journal.streams
    return admin.answer(later: { [admin] in
      let printer = admin.host.printer()
      return admin.answer(
        Redacted.list(streams.reversed().map { printer.summary($0) }).map { .object(("streams", .array($0))) })
    })
  }

  func read() throws(LaneProblem) -> Reply {
    try admin.requireParameters(["secrets"])
    let showsSecrets = try admin.showsSecrets
    guard let number = Int(admin.path[1]), let stream = admin.host.journal.streams.first(where: { $0.number == number })
    else {
      throw LaneProblem(
        .unknown, "no stream `\(VisibleText.shortened(admin.path[1], to: 40))` is open",
        help: "GET \(admin.root)/streams lists those that are, \(admin.root)/requests those that have ended")
    }
    return admin.answer(later: { [admin] in
      var printer = admin.printer(showingSecrets: showsSecrets)
      return admin.answer(printer.detail(stream, by: admin.mock))
    })
  }
}
