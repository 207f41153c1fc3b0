/// A file of the console, which is a page of the admin API.
///
/// The build writes the files of `Web` into the program: with a folder of resources beside it, a program that is copied
/// would stop working.
package struct ConsoleFile: Sendable {
  package let name: String
  /// The value of `Content-Type`.
  package let type: String
  package let body: [UInt8]

  private init(_ name: String, _ type: String, _ body: [UInt8]) {
    self.name = name
    self.type = "\(type); charset=utf-8"
    self.body = body
  }

  /// All files of `Web`: a new one is listed here.
  package static let all = [
    page,
    ConsoleFile("api.js", "text/javascript", PackageResources.api_js),
    ConsoleFile("code.js", "text/javascript", PackageResources.code_js),
    ConsoleFile("console.css", "text/css", PackageResources.console_css),
    ConsoleFile("dom.js", "text/javascript", PackageResources.dom_js),
    ConsoleFile("lanes.js", "text/javascript", PackageResources.lanes_js),
    ConsoleFile("log.js", "text/javascript", PackageResources.log_js),
    ConsoleFile("machine.js", "text/javascript", PackageResources.machine_js),
    ConsoleFile("main.js", "text/javascript", PackageResources.main_js),
    ConsoleFile("matrix.js", "text/javascript", PackageResources.matrix_js),
    ConsoleFile("message.js", "text/javascript", PackageResources.message_js),
    ConsoleFile("try.js", "text/javascript", PackageResources.try_js),
  ]

  package static let page = ConsoleFile("index.html", "text/html", PackageResources.index_html)

  /// `nil` if the console has no such file.
  package static func named(_ name: String) -> ConsoleFile? { all.first { $0.name == name } }

  /// `Content-Security-Policy`: nothing but the files and the requests of this server, and no script within the page.
  package static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'
    """
}
