package struct ConsoleFile: Sendable {
  package let name: String
  package let type: String
  package let body: [UInt8]

  package init(_ name: String, _ type: String, _ body: [UInt8]) {
    self.name = name
    self.type = "\(type); charset=utf-8"
    self.body = body
  }

  static let page = "index.html"
  /// What stands in the page in the place of the console's key.
  static let keyMark = "CONSOLE-KEY"

  /// `Content-Security-Policy`: nothing but the files and the requests of this server, and no script within the page.
  package static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'
    """
}
