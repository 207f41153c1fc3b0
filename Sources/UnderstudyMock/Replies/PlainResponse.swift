/// The answer of a status that the contract does not document, as a server or a gateway would send it.
enum PlainResponse {
  /// The server errors of RFC 9110, 15.6, and RFC 6585, 6.
  private static let registered: [HTTPResponse.Status] = [
    .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
    .networkAuthenticationRequired,
  ]

  /// The status line as text, because a client of the contract has to cope with a body that it does not know.
  static func selection(code: Int) -> Selection {
    let phrase = registered.first { $0.code == code }.map { " \($0.reasonPhrase)" } ?? ""
    let response = HTTPResponse(
      code: code, [("Content-Type", "text/plain; charset=utf-8")], source: ReplySource(.plain(code)))
    return Selection(content: .made(response, body: Array("\(code)\(phrase)\n".utf8)), source: .plain(code))
  }
}
