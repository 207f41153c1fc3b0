/// A file of the console, which is a page of the admin API.
package struct ConsoleFile: Sendable {
  package let name: String
  package let type: String
  package let text: String

  init(_ name: String, _ type: String, _ text: String) {
    self.name = name
    self.type = type
    self.text = text
  }

  package static let page = "index.html"

  /// `nil` if the console has no such file.
  static func named(_ name: String) -> ConsoleFile? { all.first { $0.name == name } }

  /// `Content-Security-Policy`: nothing but the files and the requests of this server, and no script within the page.
  static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'
    """
}
