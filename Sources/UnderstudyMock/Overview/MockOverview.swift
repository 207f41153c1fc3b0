/// The answer at `/` of a mock: a page for people, JSON for programs. An operation of the contract at `/` takes precedence.
struct MockOverview {
  let mock: Mock
  let request: HTTPRequest

  static func isAsked(by request: HTTPRequest, of mock: Mock) -> Bool {
    let path = (request.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
    return (request.method == .get || request.method == .head) && path.elementsEqual("/".utf8)
      && !mock.contracts.isEmpty
  }

  /// JSON is first, so only clients that ask for HTML by name get HTML.
  private static let offers = ["application/json", "text/html"].compactMap { MediaRange($0) }

  func reply() -> Reply {
    let choice = Negotiation.choose(accept: request.headerFields.lines(named: "Accept"), among: Self.offers) ?? 0
    var fields = HTTPFields()
    if let name = HTTPField.Name("Vary") { fields[name] = "Accept" }
    fields[.cacheControl] = "no-store"
    fields[.understudyReply] = "overview"
    let body: [UInt8]
    if choice == 0 {
      fields[.contentType] = "application/json"
      body = JSONWriter.bytes(json, .pretty) + [UInt8(ascii: "\n")]
    } else {
      fields[.contentType] = "text/html; charset=utf-8"
      if let name = HTTPField.Name("Content-Security-Policy") { fields[name] = MockPage.policy }
      if let name = HTTPField.Name("X-Content-Type-Options") { fields[name] = "nosniff" }
      body = Array(MockPage(self).text.utf8)
    }
    var reply = Reply(
      .made(HTTPResponse(status: .ok, headerFields: fields), body: body), source: ReplySource(.about(.overview)))
    reply.isAboutMock = true
    return reply
  }

  /// The output of `understudy routes --format json`, and the settings of this mock.
  private var json: JSON {
    let routes = RouteListing.json(mock.contracts).members.map { ($0.name, $0.value) }
    let forced = mock.operations.compactMap { operation in
      operation.forced.map { (operation.id, JSON.string($0.label)) }
    }
    return .object(
      routes + [
        ("onInvalid", .string(mock.options.onInvalid.rawValue)), ("forced", .object(forced)),
        ("scenario", mock.options.scenario.map { .string($0) } ?? .null),
      ])
  }

  /// The address of the mock, from the request.
  var url: String { "\(request.scheme ?? "http")://\(request.authority ?? "localhost")" }
}
