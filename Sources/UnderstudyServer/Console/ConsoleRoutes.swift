import HTTPTypes
import UnderstudyMock

struct ConsoleRoutes {
  private let admin: AdminRequest

  init(_ admin: AdminRequest) { self.admin = admin }

  /// The page; its address ends with a slash, so that its own addresses can be relative. It has the key of its scripts
  /// for the admin API, if a user opens it. A script that reads it gets none.
  func page() throws(LaneProblem) -> Reply {
    try admin.requireParameters(["token"])
    let target = admin.request.path ?? ""
    let path = target.prefix { $0 != "?" }
    guard path.hasSuffix("/") else {
      return admin.answer(
        [], "text/plain", .permanentRedirect, location: admin.root + "/" + target.dropFirst(path.count))
    }
    let access = admin.host.access
    let isOpened = access.map { $0.isOpened(by: admin.request) || $0.hasKey(admin.request) } ?? false
    let key = isOpened ? access?.settings.consoleKey : nil
    return try file(ConsoleFile.page) { $0.replacing(ConsoleFile.keyMark, with: key ?? "") }
  }

  func file() throws(LaneProblem) -> Reply { try file(admin.path[1]) { $0 } }

  private func file(_ name: String, _ change: (String) -> String) throws(LaneProblem) -> Reply {
    let files = admin.host.console
    if files.isEmpty { throw LaneProblem(.unknown, "this server has no console", help: "`understudy serve` has one") }
    guard let file = files.first(where: { $0.name == name }) else {
      throw LaneProblem(
        .unknown, "the console has no file `\(VisibleText.shortened(name, to: 60))`",
        help: "it is at \(admin.root)/")
    }
    let body =
      file.name == ConsoleFile.page ? Array(change(String(decoding: file.body, as: UTF8.self)).utf8) : file.body
    var reply = admin.answer(body, file.type)
    if case .made(var head, let body) = reply.content {
      if let name = HTTPField.Name("Content-Security-Policy") { head.headerFields[name] = ConsoleFile.policy }
      if let name = HTTPField.Name("Referrer-Policy") { head.headerFields[name] = "no-referrer" }
      // A page that opens the console in a window must not read it there.
      if let name = HTTPField.Name("Cross-Origin-Opener-Policy") { head.headerFields[name] = "same-origin" }
      reply.content = .made(head, body: body)
    }
    return reply
  }
}
