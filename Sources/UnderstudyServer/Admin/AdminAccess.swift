import Understudy

/// Who may use the admin API: programs on this machine, but no page that a browser has loaded from elsewhere.
struct AdminAccess: Sendable {
  /// Whether only clients on this machine reach the server.
  let isLocal: Bool

  /// Why a request is refused; `nil` if it may pass.
  func refusal(of request: HTTPRequest) -> LaneProblem? {
    guard isLocal else {
      return LaneProblem(
        .forbidden, "the admin API answers only where the server listens on a loopback address",
        help: "serve without --host, or on 127.0.0.1")
    }
    let authority = request.authority ?? ""
    guard Self.isLocalHost(authority) else {
      return LaneProblem(
        .forbidden, "the admin API does not answer to the host `\(authority.prefix(100))`",
        help: "use http://127.0.0.1 or http://localhost: another name may be a page that was rebound to this machine")
    }
    if let origin = request.headerFields[.origin], !origin.utf8Equals("http://\(authority)") {
      return LaneProblem(
        .forbidden, "the admin API does not answer to pages of `\(origin.prefix(100))`",
        help: "call it from a program, or from a page of this server")
    }
    return nil
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
