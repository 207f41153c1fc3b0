import HTTPTypes
import UnderstudyMock

/// The requests for the console.
struct ConsoleRoutes {
  private let admin: AdminRequest

  init(_ admin: AdminRequest) { self.admin = admin }

  /// The page; its address ends with a slash, so that its own addresses can be relative.
  ///
  /// A browser that brings the token in the address gets it as a cookie, which no script can read.
  func page() throws(LaneProblem) -> Reply {
    try admin.requireParameters(["token"])
    let path = (admin.request.path ?? "").prefix { $0 != "?" }
    if let token = admin.text("token") {
      var reply = admin.answer([], "text/plain", .seeOther, location: admin.root + "/")
      if case .made(var head, let body) = reply.content, let name = HTTPField.Name("Set-Cookie") {
        let value = PercentEncoding.encode(token, keeping: "")
        head.headerFields[name] =
          "\(AdminAccess.cookie(of: admin.request))=\(value); Path=\(admin.root); HttpOnly; SameSite=Strict"
        reply.content = .made(head, body: body)
      }
      return reply
    }
    guard path.hasSuffix("/") else {
      return admin.answer([], "text/plain", .permanentRedirect, location: admin.root + "/")
    }
    return try file(ConsoleFile.page)
  }

  func file() throws(LaneProblem) -> Reply { try file(admin.path[1]) }

  private func file(_ name: String) throws(LaneProblem) -> Reply {
    let files = admin.host.console
    if files.isEmpty { throw LaneProblem(.unknown, "this server has no console", help: "`understudy serve` has one") }
    guard let file = files.first(where: { $0.name == name }) else {
      throw LaneProblem(
        .unknown, "the console has no file `\(VisibleText.shortened(name, to: 60))`",
        help: "it is at \(admin.root)/")
    }
    var reply = admin.answer(file.body, file.type)
    if case .made(var head, let body) = reply.content {
      if let name = HTTPField.Name("Content-Security-Policy") { head.headerFields[name] = ConsoleFile.policy }
      if let name = HTTPField.Name("Referrer-Policy") { head.headerFields[name] = "no-referrer" }
      reply.content = .made(head, body: body)
    }
    return reply
  }
}
