/// A problem as a page for a browser at an unknown path: browsers save or show raw `application/problem+json`.
enum ProblemPage {
  /// JSON comes first, so that only clients that prefer HTML get it (RFC 9110, 12.5.1): browsers, not `fetch` and curl.
  private static let offers = ["application/problem+json", "application/json", "text/html"].compactMap {
    MediaRange($0)
  }

  /// The reply with a page as its body, if the request prefers one; with `hasOverview`, `/` lists what the mock serves.
  static func reply(
    _ reply: Reply, to request: HTTPRequest, title: String, detail: String, hasOverview: Bool
  ) -> Reply {
    guard Negotiation.choose(accept: request.headerFields.lines(named: "Accept"), among: offers) == 2,
      case .made(var response, _) = reply.content
    else { return reply }
    response.headerFields[.contentType] = "text/html; charset=utf-8"
    var reply = reply
    reply.content = .made(response, body: Array(text(response.status.code, title, detail, hasOverview).utf8))
    return reply
  }

  private static func text(_ status: Int, _ title: String, _ detail: String, _ hasOverview: Bool) -> String {
    let heading = "\(status) \(Markup.text(title))"
    let paths = hasOverview ? "<a href=\"/\">Its paths</a>" : "<code>understudy routes</code> lists its paths"
    return """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>\(heading)</title></head>
      <body>
      <h1>\(heading)</h1>
      <p>\(Markup.text(VisibleText.line(detail)))</p>
      <p>This is a mock by understudy. \(paths).</p>
      </body>
      </html>

      """
  }
}
