package import HTTPTypes
package import UnderstudyMock

/// Who may use the admin API: programs on this machine, or those that know the token; and of the pages in a browser only the
/// console. A page of an upstream has the same origin, but not the console's key.
package final class AdminAccess: Sendable {
  let settings: AdminSettings

  package init(settings: AdminSettings) { self.settings = settings }

  /// Why a request is refused; `nil` if it may pass.
  package func refusal(of request: HTTPRequest) -> LaneProblem? {
    let authority = request.authority ?? ""
    guard settings.isLocal || settings.token != nil else {
      return LaneProblem(
        .forbidden, "the admin API answers only where the server listens on a loopback address",
        help: "serve without --host, or on 127.0.0.1")
    }
    guard !settings.isLocal || Self.isLocalHost(authority) else {
      return LaneProblem(
        .forbidden, "the admin API does not answer to the host `\(authority.prefix(100))`",
        help: "use http://127.0.0.1 or http://localhost: another name may be a page that was rebound to this machine")
    }
    if let origin = request.headerFields[.origin], !origin.utf8Equals("\(request.scheme ?? "http")://\(authority)") {
      return LaneProblem(
        .forbidden, "the admin API does not answer to pages of `\(origin.prefix(100))`",
        help: "call it from a program, or from a page of this server")
    }
    if let site = field("Sec-Fetch-Site", of: request), site != "same-origin", site != "none",
      field("Sec-Fetch-Mode", of: request) != "navigate" || request.method != .get
    {
      return LaneProblem(
        .forbidden, "the admin API does not answer to pages of other sites",
        help: "call it from a program, or from a page of this server")
    }
    if isFromBrowser(request), !isConsole(request), !hasKey(request) {
      return LaneProblem(
        .forbidden, "the admin API answers only to the console among pages",
        help: "call it from a program; pages of an upstream have the same origin as the console")
    }
    return missingToken(request)
  }

  /// Whether a page sent a request. Browsers add these fields, and no script can change them.
  private func isFromBrowser(_ request: HTTPRequest) -> Bool {
    if request.headerFields[.origin] != nil { return true }
    // A user typed the address.
    return field("Sec-Fetch-Site", of: request).map { $0 != "none" } ?? false
  }

  /// Whether a request is for the console itself, which holds nothing but its key, and that only for a user who opens it.
  private func isConsole(_ request: HTTPRequest) -> Bool {
    guard request.method == .get, let path = request.path?.prefix(while: { $0 != "?" }) else { return false }
    return path == settings.root || path == settings.root + "/" || path.hasPrefix(settings.root + "/console/")
  }

  /// Whether a user asks for a page by its address, and no other page does, which could read it or the window with it.
  func isOpened(by request: HTTPRequest) -> Bool {
    field("Sec-Fetch-Site", of: request).map { $0 == "none" } ?? true
  }

  /// The page at `/` with the console's key in its link, if a user asks for it by its address: the console gives its key to no
  /// page that leads to it.
  func linked(_ reply: Reply, to request: HTTPRequest) -> Reply {
    guard case .about(.overview) = reply.source.content, case .made(let head, let body) = reply.content,
      settings.token == nil, isOpened(by: request), field("Sec-Fetch-Dest", of: request) == "document"
    else { return reply }
    var linked = reply
    let text = String(decoding: body, as: UTF8.self).replacing(
      "href=\"\(settings.root)/\"", with: "href=\"\(settings.root)/?key=\(settings.consoleKey)\"")
    linked.content = .made(head, body: Array(text.utf8))
    return linked
  }

  /// Why a request of a page behind the mock is refused; `nil` if it may pass.
  ///
  /// A service worker of the upstream would see the key of the console, and the token in its address.
  func refusal(ofUpstream request: HTTPRequest) -> LaneProblem? {
    guard field("Service-Worker", of: request) == "script" else { return nil }
    return LaneProblem(
      .forbidden, "pages of an upstream cannot register a service worker, which would see the console",
      help: "serve without the console: --no-admin")
  }

  func hasKey(_ request: HTTPRequest) -> Bool {
    let given = field("Understudy-Console", of: request) ?? Query(of: request.path ?? "").first(named: "key")
    return given.map { Self.areEqual($0, settings.consoleKey) } ?? false
  }

  private func missingToken(_ request: HTTPRequest) -> LaneProblem? {
    guard let token = settings.token, !hasKey(request) else { return nil }
    // The files of the console are the same everywhere; its page has the key.
    if isConsole(request), request.path?.hasPrefix(settings.root + "/console/") == true { return nil }
    let given = bearer(request) ?? Query(of: request.path ?? "").first(named: "token")
    guard let given else {
      return LaneProblem(
        .unauthorized, "the admin API needs its token here",
        help: "open the address that the mock printed at its start, or send `Authorization: Bearer TOKEN`")
    }
    return Self.areEqual(given, token)
      ? nil
      : LaneProblem(.unauthorized, "this is not the token of the mock", help: "the mock printed it at its start")
  }

  private func bearer(_ request: HTTPRequest) -> String? {
    let parts = (request.headerFields[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  private func field(_ name: String, of request: HTTPRequest) -> String? {
    HTTPField.Name(name).flatMap { request.headerFields[$0] }
  }

  /// Takes the same time wherever two texts of one length differ.
  package static func areEqual(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return zip(a.utf8, b.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether a host is this machine by its name or address, and not by a name of the DNS.
  static func isLocalHost(_ authority: String) -> Bool {
    var host = authority.lowercased()
    if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy({ "0"..."9" ~= $0 }) {
      host = String(host[..<colon])
    }
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
